// The help of a verb, made for a terminal of 80 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace soba::cli {

// The usage line, what the verb does (its description), examples (its footer), and every argument.
std::string help_text(const CLI::App& command, std::string_view usage);

}  // namespace soba::cli
