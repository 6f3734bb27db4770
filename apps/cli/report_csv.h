// A summary for programs.
#pragma once

#include <string>

#include "summary.h"

namespace soba::cli {

// One line for each data set, contender and grid point; a column grid.NAME for each axis.
std::string report_csv(const Summary& summary);

}  // namespace soba::cli
