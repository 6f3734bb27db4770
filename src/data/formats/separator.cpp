#include "data/formats/separator.h"

#include <array>

namespace soba {

namespace {

struct Separator {
  std::string_view word;
  char character;
};
constexpr std::array<Separator, 7> kSeparators = {{{"auto", 0},
                                                   {"comma", ','},
                                                   {"tab", '\t'},
                                                   {"\\t", '\t'},
                                                   {"semicolon", ';'},
                                                   {"pipe", '|'},
                                                   {"space", ' '}}};

}  // namespace

std::optional<char> read_separator(std::string_view word) {
  for (const Separator& separator : kSeparators) {
    if (separator.word == word) return separator.character;
  }
  constexpr std::string_view kCharacters = " \t!#$%&'()*,/:;<=>?@[]^_`{|}~\\";
  if (word.size() != 1 || kCharacters.find(word[0]) == std::string_view::npos) return std::nullopt;
  return word[0];
}

}  // namespace soba
