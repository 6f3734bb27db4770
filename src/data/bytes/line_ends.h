// Finds the ends of lines with SIMD, for callers that need little else of a line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace soba {

// What is found in so many characters, few enough for the nearest cache.
struct LineEnds {
  static constexpr std::size_t kWindow = 4096;

  std::array<std::uint16_t, kWindow> place;  // where each '\n' is, in ascending order
  std::size_t count = 0;
  bool has_comment = false;  // there is a '#'
};

// Requires: at most kWindow characters.
void find_line_ends(std::string_view text, LineEnds& found);

namespace reference {
void find_line_ends(std::string_view text, LineEnds& found);
}  // namespace reference

}  // namespace soba
