#include "data/bytes/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "core/fields.h"

namespace soba {
namespace {

TEST(ParseNumber, AcceptsFiniteDecimals) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("+1"), 1.0);
  EXPECT_EQ(parse_number("+0.5"), 0.5);
  EXPECT_EQ(parse_number("-0.25e2"), -25.0);
  EXPECT_EQ(parse_number("1E3"), 1000.0);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("+1e2"), 100.0);
  EXPECT_EQ(parse_number("123456789012345678901234567890"), 123456789012345678901234567890.0);
}

TEST(ParseNumber, RefusesWhatIsNotAFiniteNumber) {
  for (const char* text :
       {"",    "+",    "-",        ".",     "e5",     "abc",  "1x",  "1 ",  " 1",  "nan",
        "inf", "-inf", "infinity", "1e999", "-1e999", "0x10", "1,5", "+-1", "--1", "++1"}) {
    EXPECT_FALSE(parse_number(text)) << text;
  }
}

TEST(ParseNumber, RoundsTinyNumbersToZero) {
  EXPECT_EQ(parse_number("1e-999"), 0.0);
  EXPECT_EQ(parse_number(fmt::format("0.{:0>400}1", "")), 0.0);
  EXPECT_EQ(parse_number("5e-324"), 5e-324);
}

TEST(ParseNumber, RoundsLikeTheStandardLibrary) {
  std::uint64_t state = 1;
  int quick = 0;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const auto digits = 1 + static_cast<std::size_t>(state >> 40) % 19;
    std::string text = std::to_string(state | 1).substr(0, digits);
    text.insert((state >> 32) % (text.size() + 1), 1, '.');
    if (state % 3 == 0) text.insert(0, "0.000", state % 5 + 1);
    if (std::count(text.begin(), text.end(), '.') > 1) text.erase(text.rfind('.'), 1);
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(parse_number(text), expected) << text;
    // The quick way, where it takes the number at all, says the same.
    const std::string padded = text + " " + std::string(32, 'x');
    double value = -1;
    const char* const end = scan_plain_number(padded.data(), value);
    quick += end != nullptr;
    if (end == nullptr) continue;
    ASSERT_EQ(end, padded.data() + text.size()) << text;
    ASSERT_EQ(value, expected) << text;
  }
  EXPECT_GT(quick, 50000);
}

TEST(ScanPlainNumber, TakesWhatItKnowsAndLeavesTheRest) {
  const auto scan = [](std::string text) {
    const std::size_t size = text.size();
    text += " " + std::string(32, '7');
    double value = 0;
    const char* const end = scan_plain_number(text.data(), value);
    if (end == nullptr) return std::string("left");
    EXPECT_EQ(end, text.data() + size);
    return to_text(value);
  };
  EXPECT_EQ(scan("0"), "0");
  EXPECT_EQ(scan("12345678"), "12345678");
  EXPECT_EQ(scan("-3.25"), "-3.25");
  EXPECT_EQ(scan("0.0497399253756197"), "0.0497399253756197");
  EXPECT_EQ(scan("007.50"), "7.5");
  for (const char* left : {"", "-", "+1", ".5", "5.", "1e5", "1.5E3", "123456789", "1.2.3", "nan",
                           "0.12345678901234567", "99999999.9999999999"}) {
    EXPECT_EQ(scan(left), "left") << left;
  }
}

TEST(Digits, EveryLengthIsCountedAndRead) {
  for (const std::uint32_t number :
       {0U, 7U, 10U, 123U, 9999U, 10203U, 999999U, 7654321U, 98765432U}) {
    const std::string text = std::to_string(number);
    for (const char stranger : {':', ' ', '/', '\n', '\0', '\xFF', 'a'}) {
      const std::string padded = text + std::string(8, stranger);
      const std::uint64_t word = load_word(padded.data());
      ASSERT_EQ(count_digits(word), text.size()) << text << static_cast<int>(stranger);
      const auto count = static_cast<unsigned>(text.size());
      ASSERT_EQ(digits_value(word, count), number);
    }
  }
}

TEST(Shown, EscapesAndShortens) {
  EXPECT_EQ(shown("abc"), "\"abc\"");
  EXPECT_EQ(shown("a\"b\\\t\n\r"), R"("a\"b\\\t\n\r")");
  EXPECT_EQ(shown(std::string("a\0\x1b", 3)), R"("a\x00\x1b")");
  EXPECT_EQ(shown("é"), "\"é\"");
  EXPECT_EQ(shown("\xff"), R"("\xff")");
  EXPECT_EQ(shown(std::string(50, 'x')), fmt::format("\"{:x>40}…\"", ""));
  EXPECT_EQ(shown(std::string(39, 'x') + "éé"), fmt::format("\"{:x>39}…\"", ""));
}

TEST(Listing, StopsAfterTheFirstFew) {
  const std::vector<std::string> names = {"a", "b", "c"};
  EXPECT_EQ(listing(names), "a, b, c");
  EXPECT_EQ(listing(names, 2), "a, b, …");
}

TEST(Text, CountsAndListsAreReadAsProse) {
  EXPECT_EQ(counted(1, "line"), "1 line");
  EXPECT_EQ(counted(0, "line"), "0 lines");
  EXPECT_EQ(counted(999, "line"), "999 lines");
  EXPECT_EQ(counted(1234567, "line"), "1,234,567 lines");
  EXPECT_EQ(counted(-123456, "line"), "-123,456 lines");
  EXPECT_EQ(in_words(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(in_words(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace soba
