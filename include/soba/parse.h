// Values that a front end takes as text, outside of an options table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace soba {

// Parse one value that is called `name` in messages; throw Error{kUsage} with the name, the value
// and the accepted range. 1e6 is an integer.
std::int64_t parse_integer(std::string_view name, std::string_view text, double min, double max);
std::string parse_choice(std::string_view name, std::string_view text,
                         std::span<const std::string_view> choices);

// The candidate nearest to `word`, or empty when none is near: for "did you mean …".
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace soba
