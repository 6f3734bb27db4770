// The options that say how DATA is read (source_option_specs), as flags of every verb that reads
// some.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "soba/data.h"
#include "soba/options.h"

namespace soba::cli {

// An option that takes a text and remembers whether it was given.
CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             std::optional<std::string>& value, const std::string& type,
                             const std::string& help, const std::string& group = "Options");
// The positional argument DATA, explained.
void add_data_argument(CLI::App& command, std::string& data);
// The options of these groups; of all groups where none is named. What the command line gives goes
// to `given`, by the names of the options.
void add_data_options(CLI::App& command, OptionValues& given,
                      std::initializer_list<std::string_view> groups = {});
// One of them, with a help text of its own where that is not empty.
void add_data_option(CLI::App& command, OptionValues& given, std::string_view name,
                     const std::string& help, const std::string& group);

// A whole number that was given as text, or `otherwise`.
std::int64_t integer_or(const std::optional<std::string>& text, std::string_view option, double min,
                        std::int64_t otherwise);

// Throws Error{kUsage} when a positional argument is missing.
void require_argument(const std::string& value, std::string_view name);

}  // namespace soba::cli
