// Paragraphs, columns and units for a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "soba/lab/text.h"

namespace soba::cli {

inline constexpr int kColumns = 80;

// Columns that a UTF-8 text takes on a terminal (one for each character).
int display_width(std::string_view text);

// The words of `text` in lines that end before column 80. The first line starts at column `start`,
// where the caller already is; the others are indented by `indent`. No newline at the end.
std::string wrap(std::string_view text, int indent, int start);

// `text` followed by spaces up to `width` columns, or preceded by them.
std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

std::string percent(double fraction);    // "7.12 %"
std::string duration(double seconds);    // "0.32 s", "1:02", "1:00:02"
std::string memory(std::int64_t bytes);  // "23 MB"

using lab::fraction;
using lab::plural;
using lab::printable;
using lab::sentence_list;
using lab::thousands;

}  // namespace soba::cli
