#include "data/libsvm.h"

#include <fmt/format.h>

#include "data/testing.h"

namespace soba {
namespace {

using namespace std::string_literals;
using testing::error_of;
using testing::Example;
using ::testing::HasSubstr;
using Examples = std::vector<Example>;

SourceOptions libsvm() {
  SourceOptions options;
  options.format = "libsvm";
  options.labels = {"1", "2", "+1", "a"};
  return options;
}

Examples read(std::string_view text, const SourceOptions& options = libsvm()) {
  return testing::read_text(text, options);
}

std::string bad(std::string_view text, const SourceOptions& options = libsvm()) {
  return error_of([&] { read(text, options); });
}

TEST(Libsvm, ReadsLabelsAndFeatures) {
  EXPECT_EQ(read("1 1:0.5 7:-2e1\n2 3:1\n"),
            (Examples{{"1", {{"1", 0.5}, {"7", -20}}}, {"2", {{"3", 1}}}}));
}

TEST(Libsvm, SkipsBlankLinesAndComments) {
  EXPECT_EQ(read("# head\n\n  \t\n1 2:3 # tail 9:9\n \n2#\n"),
            (Examples{{"1", {{"2", 3}}}, {"2", {}}}));
}

TEST(Libsvm, AcceptsTabsCarriageReturnsMarksAndAMissingLastLineEnd) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "1\t1:1 \t 2:2\t\r\n  2 3:3"),
            (Examples{{"1", {{"1", 1}, {"2", 2}}}, {"2", {{"3", 3}}}}));
}

TEST(Libsvm, AcceptsALeadingPlus) {
  EXPECT_EQ(read("+1 1:+0.5\n1 1:+2\n"), (Examples{{"+1", {{"1", 0.5}}}, {"1", {{"1", 2}}}}));
}

TEST(Libsvm, SortsIndicesThatComeInAnyOrder) {
  EXPECT_EQ(read("a 9:9 1:1 4:4\n"), (Examples{{"a", {{"1", 1}, {"4", 4}, {"9", 9}}}}));
}

TEST(Libsvm, DropsExplicitZeros) {
  EXPECT_EQ(read("1 1:0 2:-0.0 3:3"), (Examples{{"1", {{"3", 3}}}}));
}

TEST(Libsvm, CountsFromZeroWhenTold) {
  SourceOptions options = libsvm();
  options.zero_based = true;
  EXPECT_EQ(read("1 0:5 3:6\n", options), (Examples{{"1", {{"0", 5}, {"3", 6}}}}));
  EXPECT_EQ(bad("1 16777216:1", options),
            "test:1:3: expected an index up to 16777215, found \"16777216:1\"");
}

TEST(Libsvm, AnIndexOfZeroSaysWhatToDo) {
  EXPECT_EQ(bad("1 1:1\n2 0:5\n"),
            "test:2:3: expected an index from 1 on (use --zero-based if indices start at 0), found "
            "\"0:5\"");
}

TEST(Libsvm, BadValuesAreLocated) {
  EXPECT_EQ(bad("1 1:1\n\n2 12:abc 3:1"), "test:3:6: expected a number after ':', found \"abc\"");
  EXPECT_EQ(bad("1 1:"), "test:1:5: expected a number after ':', found nothing");
  EXPECT_EQ(bad("1 1: 2:3"), "test:1:5: expected a number after ':', found nothing");
  EXPECT_EQ(bad("1 1:1x"), "test:1:5: expected a number after ':', found \"1x\"");
  for (const char* value : {"nan", "inf", "-inf", "1e999"}) {
    EXPECT_EQ(bad("1 1:"s + value),
              "test:1:5: expected a number after ':', found \""s + value + "\"");
  }
}

TEST(Libsvm, BadIndicesAreLocated) {
  EXPECT_EQ(bad("1 x:1"), "test:1:3: expected index:value, found \"x:1\"");
  EXPECT_EQ(bad("1 qid:1 1:1"), "test:1:3: expected index:value, found \"qid:1\"");
  EXPECT_EQ(bad("1 2"), "test:1:3: expected index:value, found \"2\"");
  EXPECT_EQ(bad("1 -2:1"), "test:1:3: expected index:value, found \"-2:1\"");
  EXPECT_EQ(bad("1 :1"), "test:1:3: expected index:value, found \":1\"");
  EXPECT_EQ(bad("1 16777217:1"),
            "test:1:3: expected an index up to 16777216, found \"16777217:1\"");
  EXPECT_EQ(bad("1 99999999999999999999:1"),
            "test:1:3: expected an index up to 16777216, found \"99999999999999999999:1\"");
  EXPECT_EQ(read("1 16777216:1"), (Examples{{"1", {{"16777216", 1}}}}));
}

TEST(Libsvm, ARepeatedIndexIsLocatedInAnyOrder) {
  EXPECT_EQ(bad("1 3:1 3:2"), "test:1:7: index 3 appears twice, found \"3:2\"");
  EXPECT_EQ(bad("1 3:1 2:1 5:0 3:0"), "test:1:15: index 3 appears twice, found \"3:0\"");
}

TEST(Libsvm, ALineWithoutLabelIsBadOnlyWhereLabelsAreNeeded) {
  EXPECT_EQ(bad("1:2 3:4"), "test:1:1: expected a label before the first feature, found \"1:2\"");
  SourceOptions options = libsvm();
  options.need_labels = false;
  EXPECT_EQ(read("1:2 3:4\n2 1:1\nother 1:1", options),
            (Examples{{"?", {{"1", 2}, {"3", 4}}}, {"2", {{"1", 1}}}, {"?", {{"1", 1}}}}));
}

TEST(Libsvm, ANulByteIsAnError) {
  EXPECT_THAT(bad("1 1:1\n1 1\0:1"s), HasSubstr("test:2:4: expected text, found a NUL byte"));
}

TEST(Libsvm, LongLinesAreRead) {
  std::string line = "1";
  for (int i = 1; i <= 200000; ++i) line += fmt::format(" {}:1", i);
  EXPECT_EQ(read(line).at(0).x.size(), 200000U);
}

TEST(Libsvm, AnUnknownLabelIsLocatedAndTheKnownAreListed) {
  EXPECT_EQ(bad("1 1:1\n  7 1:1"), "test:2:3: label \"7\" is not in the label set (1, 2, +1, a)");
}

}  // namespace
}  // namespace soba
