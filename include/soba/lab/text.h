// Numbers, names and words as people read them: what reports and front ends share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace soba::lab {

std::string thousands(std::int64_t count);                         // 1,000,000
std::string plural(std::int64_t count, std::string_view noun);     // "1 label", "2 labels"
std::string sentence_list(const std::vector<std::string>& words);  // "a, b and c"

double fraction(std::int64_t part, std::int64_t whole);  // part/whole; of nothing 0
// For a terminal: control characters are escaped, but for line ends and tabs.
std::string printable(std::string_view text);

// A field of a CSV file, quoted where it must be.
std::string csv_field(std::string_view text);
// A word of a command line as a shell takes it, in quotes where it must be.
std::string shell_word(std::string_view text);

}  // namespace soba::lab
