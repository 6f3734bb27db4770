#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace soba::cli {

int display_width(std::string_view text) {
  // Every byte but the continuation bytes of UTF-8 starts a character.
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string wrap(std::string_view text, int indent, int start) {
  std::string out;
  int column = start;
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, space);
    const bool paragraph = space < text.size() && text[space] == '\n';
    const int width = display_width(word);
    if (!line_is_empty && column + 1 + width >= kColumns) {
      out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
      line_is_empty = true;
    }
    if (!line_is_empty && width > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    line_is_empty = line_is_empty && width == 0;
    if (paragraph) {
      out += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
      line_is_empty = true;
    }
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out;
}

std::string pad_right(std::string_view text, int width) {
  const int missing = std::max(0, width - display_width(text));
  return std::string(text) + std::string(static_cast<std::size_t>(missing), ' ');
}

std::string pad_left(std::string_view text, int width) {
  const int missing = std::max(0, width - display_width(text));
  return std::string(static_cast<std::size_t>(missing), ' ') + std::string(text);
}

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 60) return fmt::format("{:.2f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15));
  const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours == 0) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
}

std::string memory(std::int64_t bytes) {
  return fmt::format("{} MB", thousands((bytes + 500'000) / 1'000'000));
}

}  // namespace soba::cli
