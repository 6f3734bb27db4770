// The version of Soba. This file alone says it: CMake reads it from here.
#pragma once

#include <string_view>

#define SOBA_VERSION "0.1.0"
#define SOBA_VERSION_MAJOR 0
#define SOBA_VERSION_MINOR 1
#define SOBA_VERSION_PATCH 0

namespace soba {

// The version of the library that is linked; SOBA_VERSION is that of the headers.
std::string_view version();

}  // namespace soba
