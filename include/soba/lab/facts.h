// What was found, in sentences for people.
#pragma once

#include <string>
#include <vector>

#include "soba/lab/reuters4.h"

namespace soba::lab {

// What was made of the files of RCV1-v2; the last one says whether the counts are the paper's.
std::vector<std::string> reuters4_remarks(const Reuters4Counts& counts);

}  // namespace soba::lab
