// The words of free text: runs of letters and digits, in lower case.
//
// A letter is an ASCII letter or any character from U+00AA on that is neither punctuation nor a
// symbol of Latin-1 (U+00AB … U+00BF less º, × and ÷) nor of U+2000 … U+2BFF, U+3000 … U+303F,
// U+FE00 … U+FE6F or U+FF00 … U+FF0F. Chinese and Japanese characters are a word each, as nothing
// separates words there. Lower case is made of ASCII, Latin-1, Latin Extended-A, Greek and
// Cyrillic; other letters stay as they are. A word ends after kLongestWord bytes at the latest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace soba {

inline constexpr std::size_t kLongestWord = 48;

// Takes the next word off the front of `text` into `word`; false where there is none left.
// Requires: the text is UTF-8.
bool take_word(std::string_view& text, std::string& word);

}  // namespace soba
