// Numbers and paragraphs as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

std::string thousands(std::int64_t count);                      // 1,000,000
std::string percent(double fraction);                           // "7.12 %"
std::string duration(double seconds);                           // "0.32 s", "1:02", "1:00:02"
std::string memory(std::int64_t bytes);                         // "23 MB"
std::string plural(std::int64_t count, std::string_view noun);  // "1 label", "2 labels"

// part/whole; 0 where there is nothing.
double fraction(std::int64_t part, std::int64_t whole);

// "a, b and c".
std::string sentence_list(const std::vector<std::string>& words);

// A field of a CSV file, quoted where it must be.
std::string csv_field(std::string_view text);

}  // namespace soba::cli
