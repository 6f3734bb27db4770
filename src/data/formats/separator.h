// The words of the option `separator`.
#pragma once

#include <optional>
#include <string_view>

namespace soba {

inline constexpr std::string_view kSeparatorForm =
    "auto, comma, tab, semicolon, pipe, space, or one ASCII character that is no letter, digit, "
    "quote or part of a number";

// The character that a word stands for, 0 for auto; nothing where it is none.
std::optional<char> read_separator(std::string_view word);

}  // namespace soba
