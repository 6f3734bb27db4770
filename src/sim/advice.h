// What a result suggests to try next.
#pragma once

#include <string>

#include "soba/run.h"

namespace soba {

// One line, only where the counts support it beyond chance; else empty.
std::string advice(const RunResult& result);

}  // namespace soba
