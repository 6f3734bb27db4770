#include "data/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <string>

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
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const int digits = 1 + static_cast<int>(state >> 60);
    std::string text = std::to_string(state).substr(0, static_cast<std::size_t>(digits));
    text.insert((state >> 32) % (text.size() + 1), 1, '.');
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(parse_number(text), expected) << text;
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

}  // namespace
}  // namespace soba
