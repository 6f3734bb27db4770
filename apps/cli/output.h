// Where the program's words go: results to standard output, everything else to standard error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "soba/data.h"
#include "soba/lab/files.h"

namespace soba::cli {

// Keeps the order in which keys are added.
using Json = nlohmann::ordered_json;

// Writes all of it to standard output, at once. Throws Error{kResource} when that fails.
void print(std::string_view text);
// One JSON value and a newline. Bytes that are not UTF-8 are replaced.
void print_json(const Json& value);

// Writes to standard error; there is nobody to tell when that fails.
void print_error(std::string_view text);
// "soba: …" and a newline.
void note(std::string_view message);
// What the first scan of the data took its columns for.
void note_findings(const Source& source);

using lab::check_outputs;
using lab::write_file;

// Replaces the descriptors 0, 1, 2 that the caller closed by ones on which every use fails, lest a
// data file gets their number; and lets a broken pipe be an error of write instead of a signal.
void guard_standard_streams();

}  // namespace soba::cli
