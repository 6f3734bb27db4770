#include "data/lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace soba {
namespace {

using namespace std::string_literals;

// Gives one byte at a time, as a slow pipe might.
class Trickle : public ByteSource {
 public:
  explicit Trickle(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* out, std::size_t) override {
    if (at_ == bytes_.size()) return 0;
    *out = bytes_[at_++];
    return 1;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

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

std::vector<std::string> lines_of(std::string text, std::size_t max_line = 1000) {
  const auto lines = lines_of(memory_bytes(text), max_line);
  EXPECT_EQ(lines, lines_of(std::make_unique<Trickle>(text), max_line));
  return lines;
}

using Lines = std::vector<std::string>;

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
  EXPECT_EQ(row.index, (std::vector<Index>{1, 3, 5}));
  EXPECT_EQ(row.value, (std::vector<double>{10, 30, 50}));
  row.index = {5, 1, 3, 1, 5};
  row.value = {1, 2, 3, 4, 5};
  EXPECT_EQ(sorter.sort(row), std::optional<std::size_t>(3));
}

}  // namespace
}  // namespace soba
