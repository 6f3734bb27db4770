#include "data/words.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> words;
  for (std::string word; take_word(text, word);) words.push_back(word);
  return words;
}

TEST(Words, AreRunsOfLettersAndDigitsInLowerCase) {
  EXPECT_THAT(words("My card 4711 didn't  WORK!\n(twice)"),
              ElementsAre("my", "card", "4711", "didn", "t", "work", "twice"));
  EXPECT_THAT(words(""), IsEmpty());
  EXPECT_THAT(words(" --- … “” ?! "), IsEmpty());
}

TEST(Words, HaveLettersOfOtherAlphabets) {
  EXPECT_THAT(words("ÄRGER über ÉLODIE’s Żółw, ČAŘE × ŸŽ İpek"),
              ElementsAre("ärger", "über", "élodie", "s", "żółw", "čaře", "ÿž", "İpek"));
  EXPECT_THAT(words("ΑΘΗΝΑ Москва ЁЖ"), ElementsAre("αθηνα", "москва", "ёж"));
  EXPECT_THAT(words("ªº µ «x» 5€"), ElementsAre("ªº", "µ", "x", "5"));
}

TEST(Words, OfChineseAndJapaneseAreCharacters) {
  EXPECT_THAT(words("退款ok，カード"), ElementsAre("退", "款", "ok", "カ", "ー", "ド"));
}

TEST(Words, EndAfterTheLongestLength) {
  EXPECT_THAT(words(std::string(kLongestWord + 2, 'a')),
              ElementsAre(std::string(kLongestWord, 'a'), "aa"));
  EXPECT_THAT(words(std::string(kLongestWord - 1, 'a') + "é"),  // whole characters only
              ElementsAre(std::string(kLongestWord - 1, 'a'), "é"));
}

// The names of features are words again, so that a model finds their places anew.
TEST(Words, OfAWordAreItself) {
  for (const std::string& word : words("Straße ŸŽ ŉ ſ ΑΘΗΝΑ ЁЖ ĦŁĸ ÑANDÚ 退x9 Ⅷ ＡＢ")) {
    EXPECT_THAT(words(word), ElementsAre(word));
  }
}

}  // namespace
}  // namespace soba
