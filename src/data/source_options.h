// What the table of SourceOptions says, for whoever reads data.
#pragma once

#include <string>
#include <vector>

#include "soba/data.h"

namespace soba {

// Throws Error{kUsage} on a value out of range, and on options that exclude each other.
void check_source_options(const SourceOptions& options);

// Reads the labels from the file that names them, if any. Throws Error{kInput}, or Error{kUsage}
// where they are no label set.
void read_labels_file(SourceOptions& options);

// The labels that the options name; none where the data says them.
std::vector<std::string> label_set(const SourceOptions& options);

// The options for data of this schema, which decides what a model keeps. Throws Error{kUsage} where
// one of them differs from both its default and the schema.
SourceOptions agreeing_options(const SourceOptions& options, const Schema& schema);

// Throws Error{kUsage} about an option that is given and contradicts the schema, or `kept`, the
// options of the run that is resumed.
void check_same_options(const OptionValues& given, const Schema& schema, const SourceOptions& kept);

}  // namespace soba
