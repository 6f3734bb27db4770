#include "data/bytes/lines.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "data/testing.h"

namespace soba {
namespace {

using namespace std::string_literals;

// The lines; a bad one as "!column message".
std::vector<std::string> lines_of(std::unique_ptr<ByteSource> bytes, std::size_t max_line) {
  LineReader reader(std::move(bytes), max_line);
  std::vector<std::string> lines;
  std::string_view line;
  RowError error;
  for (;;) {
    const RowStatus status = reader.next(line, error);
    if (status == RowStatus::kEnd) return lines;
    EXPECT_EQ(reader.number(), static_cast<std::int64_t>(lines.size()) + 1);
    EXPECT_TRUE(status == RowStatus::kRow || error.line == reader.number());
    lines.push_back(status == RowStatus::kRow ? std::string(line)
                                              : fmt::format("!{} {}", error.column, error.message));
  }
}

std::vector<std::string> lines_of(const std::string& text, std::size_t max_line = 1000) {
  auto lines = lines_of(memory_bytes(text), max_line);
  EXPECT_EQ(lines, lines_of(std::make_unique<testing::Trickle>(text), max_line));
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineReader, WhatIsAheadIsWholeAndUnread) {
  const std::string text =
      "\xEF\xBB\xBF"
      "a\nbb\r\n\nlast";
  LineReader reader(memory_bytes(text));
  std::string_view line;
  RowError error;
  EXPECT_EQ(reader.ahead(), "");  // a byte order mark may come
  EXPECT_EQ(reader.next(line, error), RowStatus::kRow);
  EXPECT_EQ(line, "a");
  EXPECT_EQ(reader.ahead(), "bb\r\n\n");
  reader.take(4);
  EXPECT_EQ(reader.number(), 2);
  EXPECT_EQ(reader.next(line, error), RowStatus::kRow);
  EXPECT_EQ(line, "");
  EXPECT_EQ(reader.ahead(), "");
  EXPECT_EQ(reader.next(line, error), RowStatus::kRow);
  EXPECT_EQ(line, "last");
  EXPECT_EQ(reader.number(), 4);
  EXPECT_EQ(reader.ahead(), "");
  EXPECT_EQ(reader.next(line, error), RowStatus::kEnd);
}

TEST(LineReader, SplitsAtLineEndsOfBothKinds) {
  EXPECT_EQ(lines_of("a\nb\r\n\nc\n"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
}

TEST(LineReader, GivesALastLineWithoutAnEnd) { EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"})); }

TEST(LineReader, DropsAByteOrderMarkAtTheStartOnly) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a\n\xEF\xBB\xBF"
                     "b"),
            (Lines{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
}

TEST(LineReader, ANulByteIsBadAndReadingGoesOn) {
  const Lines lines = lines_of("a\nb\0c\nd"s);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with("!2 expected text, found a NUL byte")) << lines[1];
  EXPECT_EQ(lines[2], "d");
}

TEST(LineReader, ALineThatIsTooLongIsBadAndReadingGoesOn) {
  const Lines expected = {"ab", "!1 the line is longer than 10 bytes", "cd"};
  EXPECT_EQ(lines_of(fmt::format("ab\n{:x>5000}\ncd", ""), 10), expected);
  EXPECT_EQ(lines_of(fmt::format("ab\n{:x>11}\ncd\n", ""), 10), expected);
  EXPECT_EQ(lines_of("0123456789\n", 10), Lines{"0123456789"});
}

TEST(LineReader, GrowsItsBufferForLongLines) {
  const std::string line(3000000, 'x');
  LineReader reader(memory_bytes(line));
  std::string_view found;
  RowError error;
  EXPECT_EQ(reader.next(found, error), RowStatus::kRow);
  EXPECT_EQ(found, line);
}

TEST(RowSorter, SortsAndFindsTheRepeatedFeature) {
  Row row;
  row.index = {5, 1, 3};
  row.value = {50, 10, 30};
  RowSorter sorter;
  EXPECT_EQ(sorter.sort(row), std::nullopt);
  EXPECT_THAT(row.index, ::testing::ElementsAre(1, 3, 5));
  EXPECT_THAT(row.value, ::testing::ElementsAre(10, 30, 50));
  row.index = {5, 1, 3, 1, 5};
  row.value = {1, 2, 3, 4, 5};
  EXPECT_EQ(sorter.sort(row), std::optional<std::size_t>(3));
}

}  // namespace
}  // namespace soba
