// Files that a front end writes: replaced whole, and checked before any work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "soba/data.h"
#include "soba/model.h"
#include "soba/predict.h"

namespace soba::lab {

// The file has this text when it returns, or is as it was when it throws Error{kResource}.
void write_file(const std::string& path, std::string_view text);

// An optional output: what messages call it, and its path where it is wanted.
struct OutputPath {
  std::string_view option;
  std::optional<std::string> path;
};

// Before any work: every output can be written, none is the input ("-" is standard input) or
// another output. Throws Error{kUsage} or Error{kResource}.
void check_outputs(const std::string& input, const std::vector<OutputPath>& outputs);

// The format of a data file to be written: as asked for, else by the path's name, else LIBSVM for
// standard output ("-"). Throws Error{kUsage} where neither says.
std::string output_format(const std::string& path, const std::optional<std::string>& asked);
// Writes everything that source.open() gives to a file, or to standard output.
Converted convert_to(Source& source, const std::string& path, const std::string& format);

// Writes a CSV file, or to standard output ("-"): the header `label`, with scores or probabilities
// a column for each label, then a row for each example, in order. Returns how many.
// The source is one for the model's schema, with need_labels false.
std::int64_t write_predictions(Source& source, const Model& model, Forecast forecast,
                               const std::string& path);

}  // namespace soba::lab
