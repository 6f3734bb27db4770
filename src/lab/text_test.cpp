#include "soba/lab/text.h"

#include <gtest/gtest.h>

namespace soba::lab {
namespace {

TEST(Text, CountsHaveCommas) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(-1234567), "-1,234,567");
  EXPECT_EQ(plural(1, "run"), "1 run");
  EXPECT_EQ(plural(2000, "run"), "2,000 runs");
}

TEST(Text, ListsReadAsSentences) {
  EXPECT_EQ(sentence_list({}), "");
  EXPECT_EQ(sentence_list({"a"}), "a");
  EXPECT_EQ(sentence_list({"a", "b", "c"}), "a, b and c");
}

TEST(Text, NothingOfNothingIsZero) {
  EXPECT_EQ(fraction(0, 0), 0);
  EXPECT_EQ(fraction(1, 4), 0.25);
}

TEST(Text, ControlCharactersAreNotPrinted) {
  EXPECT_EQ(printable("a\tb\n é"), "a\tb\n é");
  EXPECT_EQ(printable("\033[31mred\x7F\r"), "\\x1b[31mred\\x7f\\x0d");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\x9b2J");
}

TEST(Text, CsvFieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
}

TEST(Text, ShellWordsSurviveAShell) {
  EXPECT_EQ(shell_word("data/x.csv"), "data/x.csv");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a b"), "'a b'");
}

}  // namespace
}  // namespace soba::lab
