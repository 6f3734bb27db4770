// The options that say how DATA is read, the same for every verb that reads some.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "soba/data.h"

namespace soba::cli {

// What was given on the command line, as text; absent = not given.
struct DataOptions {
  std::optional<std::string> format, label, labels, classes;
  std::optional<std::string> scale, normalize, shuffle, limit, passes;
  bool zero_based = false, bias = false, skip_bad = false;
};

// An option that takes a text and remembers whether it was given.
CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             std::optional<std::string>& value, const std::string& type,
                             const std::string& help, const std::string& group = "Options");
// The positional argument DATA, explained.
void add_data_argument(CLI::App& command, std::string& data);
void add_reading_options(CLI::App& command, DataOptions& options);  // --format --label --zero-based
void add_label_set_options(CLI::App& command, DataOptions& options);  // --labels --classes
void add_preparation_options(CLI::App& command,
                             DataOptions& options);               // --scale --normalize --bias
void add_order_options(CLI::App& command, DataOptions& options);  // --shuffle --limit --passes
// All of these, and --skip-bad.
void add_data_options(CLI::App& command, DataOptions& options);

// The given options, checked. Throws Error{kUsage}.
SourceOptions source_options(const DataOptions& options);
// The same for the data of a loaded model, whose schema decides. Throws Error{kUsage} where a given
// option contradicts it.
SourceOptions source_options(const DataOptions& options, const Schema& schema);

// Every option as it is written: its name without dashes, and where its text or flag is kept.
struct DataOptionName {
  std::string_view name;
  std::optional<std::string> DataOptions::*text;  // or
  bool DataOptions::*flag;
};
std::span<const DataOptionName> data_option_names();

// The arguments that give these options again: " --scale maxabs --bias"; empty for none.
std::string data_arguments(const DataOptions& options);
// A word of a command line as a shell takes it, in quotes where it must be.
std::string shell_word(std::string_view text);

// "a,b,c" → a, b, c. Throws Error{kUsage} on an empty or repeated label.
std::vector<std::string> split_labels(const std::string& text);

// A whole number that was given as text, or `otherwise`.
std::int64_t integer_or(const std::optional<std::string>& text, std::string_view option, double min,
                        std::int64_t otherwise);

// Throws Error{kUsage} when a positional argument is missing.
void require_argument(const std::string& value, std::string_view name);

}  // namespace soba::cli
