// From a source to a file of another format, for the verbs that write data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "soba/data.h"

namespace soba::cli {

// The format of an output: as asked for, else by the path's name, else LIBSVM for standard output.
// Throws Error{kUsage} where neither says.
std::string output_format(const std::string& path, const std::optional<std::string>& asked);

// Writes everything that source.open() gives to a file, or to standard output.
Converted convert_to(Source& source, const std::string& path, const std::string& format);

}  // namespace soba::cli
