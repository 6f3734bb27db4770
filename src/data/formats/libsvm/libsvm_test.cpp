#include "data/formats/libsvm/libsvm.h"

#include <fmt/format.h>

#include "core/draws.h"
#include "data/bytes/line_ends.h"
#include "data/formats/libsvm/glance.h"
#include "data/rows.h"
#include "data/testing.h"
#include "soba/rng.h"
#include "support/vector_units.h"

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

TEST(Libsvm, ALabelWithAPlusIsTheNumber) {
  SourceOptions options;
  options.format = "libsvm";
  const std::string text = "+1 1:1\n-1 1:2\n1 1:3\n+x 1:4\n+ 1:5\n";
  const Examples expected = {{"+1", {{"1", 1}}},
                             {"-1", {{"1", 2}}},
                             {"+1", {{"1", 3}}},
                             {"+x", {{"1", 4}}},
                             {"+", {{"1", 5}}}};
  EXPECT_EQ(read(text, options), expected);  // labels found by a glance
  options.skip_bad = true;
  EXPECT_EQ(read(text, options), expected);  // and by a scan
  options.labels = {"1", "-1"};
  EXPECT_EQ(read("+1 1:1\n-1 1:2\n", options), (Examples{{"1", {{"1", 1}}}, {"-1", {{"1", 2}}}}));
  options.labels = {"x", "1"};
  EXPECT_THROW(read("+x 1:1\n", options), Error);
}

TEST(Libsvm, ALabelThatIsNotUtf8IsRefusedOrConverted) {
  SourceOptions options;
  options.format = "libsvm";
  EXPECT_THAT(bad("a 1:1\ncaf\xE9 1:2\n", options),
              HasSubstr("test:2:1: expected UTF-8, found \"caf\\xe9\"; option 'encoding'"));
  options.encoding = "latin1";
  EXPECT_EQ(read("a 1:1\ncaf\xE9 1:2\n", options),
            (Examples{{"a", {{"1", 1}}}, {"café", {{"1", 2}}}}));
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
  EXPECT_EQ(
      bad("1 1:1\n2 0:5\n"),
      "test:2:3: expected an index from 1 on (option 'zero-based' reads indices from 0 on), found "
      "\"0:5\"");
}

TEST(Libsvm, BadValuesAreLocated) {
  EXPECT_EQ(bad("1 1:1\n\n2 12:abc 3:1"), "test:3:6: expected a number after ':', found \"abc\"");
  EXPECT_EQ(bad("1 1:"), "test:1:5: expected a number after ':', found nothing");
  EXPECT_EQ(bad("1 1: 2:3"), "test:1:5: expected a number after ':', found nothing");
  EXPECT_EQ(bad("1 1:1x"), "test:1:5: expected a number after ':', found \"1x\"");
  for (const char* value : {"nan", "inf", "-inf"}) {
    EXPECT_EQ(bad("1 1:"s + value),
              "test:1:5: expected a number after ':', found \""s + value + "\"");
  }
  for (const char* value : {"1e60", "-2e50", "1e999"}) {
    EXPECT_EQ(
        bad("1 1:"s + value),
        "test:1:5: expected a number from -1e+50 to 1e+50 after ':', found \""s + value + "\"");
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

// Every row and every error of a text, one a line.
std::string transcript(std::unique_ptr<ByteSource> bytes, bool zero_based, bool need_labels) {
  Schema schema;
  schema.zero_based = zero_based;
  LibsvmReader reader(std::move(bytes), schema, need_labels);
  std::string out;
  Row row;
  RowError error;
  for (;;) {
    const RowStatus status = reader.next(row, error);
    if (status == RowStatus::kEnd) return out;
    if (status == RowStatus::kBad) {
      out += fmt::format("{}:{}: {}\n", error.line, error.column, error.message);
      continue;
    }
    out += fmt::format("{} {} '{}' {}", row.line, row.has_label, row.label,
                       row.has_label ? reader.label_column() : 0);
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      out += fmt::format(" {}:{:a}", row.index[i], row.value[i]);
    }
    out += '\n';
  }
}

// A line of pieces that files hold, mostly plain ones.
std::string random_line(Draws& draws) {
  static const std::vector<std::string> kValues = {"1",
                                                   "2",
                                                   "0",
                                                   "-1",
                                                   "0.5",
                                                   "3.25",
                                                   "12",
                                                   "1234567890",
                                                   "-0.0497399253756197",
                                                   "1e-3",
                                                   "+1",
                                                   ".5",
                                                   "5.",
                                                   "-0",
                                                   "0.000",
                                                   "99999999",
                                                   "nan",
                                                   "x",
                                                   "",
                                                   "1.7976931348623157e308"};
  static const std::vector<std::string> kOdd = {"  ", "\t", " \r", "#c", " #",
                                                ":",  "x",  " 1",  "\0"s};
  const auto pick = [&](const auto& items, std::uint32_t usual) {
    const auto n = static_cast<std::uint32_t>(items.size());
    return items[draws.below(8) == 0 ? draws.below(n) : draws.below(std::min(usual, n))];
  };
  std::string line = pick(std::vector<std::string>{"1", "2", "-1", "cat", "", " 1", "1:1", "é"}, 4);
  std::uint32_t index = 0;
  for (std::uint32_t i = draws.below(12); i > 0; --i) {
    index += draws.below(40) == 0 ? 0 : 1 + draws.below(draws.below(4) == 0 ? 3000000 : 60);
    line += " " + std::to_string(draws.below(60) == 0 ? index / 2 : index) + ":" + pick(kValues, 8);
    if (draws.below(50) == 0) line += kOdd[draws.below(static_cast<std::uint32_t>(kOdd.size()))];
  }
  if (draws.below(10) == 0) line += " ";
  if (draws.below(10) == 0) line += "\r";
  return line;
}

// Byte by byte no line is ever whole ahead of time, so the quick way is never taken.
TEST(Libsvm, TheQuickWayReadsAndRefusesAsTheSlowOneDoes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draws draws(Rng(seed, Purpose::kExamples), 0);
    std::string text;
    for (std::uint32_t lines = draws.below(40); lines > 0; --lines)
      text += random_line(draws) + "\n";
    if (draws.below(2) == 0) text += random_line(draws);
    const bool zero_based = draws.below(2) == 0, need_labels = draws.below(2) == 0;
    ASSERT_EQ(transcript(memory_bytes(text), zero_based, need_labels),
              transcript(std::make_unique<testing::Trickle>(text), zero_based, need_labels))
        << "seed " << seed << "\n"
        << text;
  }
}

// The first line of a text is never read by the quick way: there may be a byte order mark.
TEST(Libsvm, EveryByteOfAShortEntryIsLookedAt) {
  const std::string before = "x\na";
  for (const int index : {7, 42, 345, 6789, 12345}) {
    const bool zero_based = index == 42;
    const std::string plain = fmt::format("{} {}:3 {}:4\n", before, index, index + 1);
    for (std::size_t place = before.size(); place < plain.size(); ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[place] = static_cast<char>(byte);
        ASSERT_EQ(transcript(memory_bytes(text), zero_based, true),
                  transcript(std::make_unique<testing::Trickle>(text), zero_based, true))
            << "byte " << byte << " at " << place << "\n"
            << text;
      }
    }
  }
}

TEST(Libsvm, LinesOfAnyLengthAreReadTheQuickWay) {
  Draws draws(Rng(1, Purpose::kExamples), 3);
  std::string text = "x\n";
  for (const int entries : {1, 63, 64, 65, 129, 1000, 2, 700, 128}) {
    text += "a";
    for (int i = 1; i <= entries; ++i) {
      text += fmt::format(" {}:{}", 3 * i, draws.below(4) == 0 ? "0.25" : i % 5 == 0 ? "0" : "7");
    }
    text += "\n";
  }
  ASSERT_EQ(transcript(memory_bytes(text), false, true),
            transcript(std::make_unique<testing::Trickle>(text), false, true));
}

// However many entries are read at once: with each number of them, and another kind behind them.
TEST(Libsvm, RunsOfShortEntriesOfAnyLengthAreReadTheQuickWay) {
  testing::for_each_target([] {
    for (int entries = 0; entries <= 140; ++entries) {
      std::string text = "x\na";
      for (int i = 0; i < entries; ++i) text += fmt::format(" {}:{}", 100 + i, 1 + i % 9);
      for (const char* const behind : {"\n", " 300:0.5\n", " 300:0.5 400:2\n", " 300:0 400:12\n"}) {
        const std::string all = text + behind;
        ASSERT_EQ(transcript(memory_bytes(all), false, true),
                  transcript(std::make_unique<testing::Trickle>(all), false, true))
            << all;
      }
    }
  });
}

// Where a glance says anything, it says what reading finds.
TEST(Libsvm, AGlanceFindsWhatAScanFinds) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Draws draws(Rng(seed, Purpose::kExamples), 1);
    std::string text;
    for (std::uint32_t lines = draws.below(5); lines > 0; --lines)
      text += random_line(draws) + "\n";
    Schema schema;
    const std::optional<Scan> glance = glance_libsvm(memory_bytes(text), schema);
    BadRows bad;
    GoodRows rows(std::make_unique<LibsvmReader>(memory_bytes(text), schema, true), "test", nullptr,
                  true, &bad);
    const Scan all = scan(rows, false);
    if (!glance || bad.count > 0) continue;
    ++told;
    ASSERT_EQ(glance->examples, all.examples) << text;
    ASSERT_EQ(glance->labels.names(), all.labels.names()) << text;
    ASSERT_LE(glance->extent, all.extent) << text;  // less where indices do not ascend
  }
  EXPECT_GT(told, 50);
}

// Texts of several windows, with lines of all lengths, and a comment in some of them.
TEST(Libsvm, AGlanceAtManyLinesFindsWhatAScanFinds) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Draws draws(Rng(seed, Purpose::kExamples), 2);
    std::string text;
    while (text.size() < 5 * LineEnds::kWindow) {
      text += fmt::format("label{}", draws.below(30));
      const std::uint32_t entries = draws.below(20) == 0 ? 2000 : draws.below(60);
      for (std::uint32_t i = 1; i <= entries; ++i) text += fmt::format(" {}:1", 3 * i);
      text += draws.below(5) == 0 ? "\r\n" : "\n";
    }
    const bool comment = seed % 4 == 0;
    if (comment) text.insert(text.rfind(':', text.size() - 1 - draws.below(9000)) + 2, " #7:1");
    Schema schema;
    const std::optional<Scan> glance = glance_libsvm(memory_bytes(text), schema);
    ASSERT_EQ(glance.has_value(), !comment);
    if (!glance) continue;
    GoodRows rows(std::make_unique<LibsvmReader>(memory_bytes(text), schema, true), "test", nullptr,
                  true, nullptr);
    const Scan all = scan(rows, false);
    ++told;
    ASSERT_EQ(glance->examples, all.examples);
    ASSERT_EQ(glance->labels.names(), all.labels.names());
    ASSERT_EQ(glance->extent, all.extent);
  }
  EXPECT_EQ(told, 75);
}

TEST(Libsvm, AGlanceTellsExamplesAndTheHighestFeature) {
  Schema schema;
  const std::string plain = "1 3:1 7:2\r\n2\n1 12:0.5 \n";
  const std::optional<Scan> found = glance_libsvm(memory_bytes(plain), schema);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extent, 12);
  EXPECT_EQ(found->examples, 3);
}

TEST(Libsvm, AGlanceDoesNotTrustCommentsOrDisorder) {
  for (const char* text : {"1 3:1 # see 2000000:5\n", "1 3:1\n2 9:1 4:1\n", "1 3:1\n2 9:0\n",
                           "a\r\r\nb 1:1\n", "b 1:1\na\r\r\n", "b 1:1\na\r\r"}) {
    EXPECT_FALSE(glance_libsvm(memory_bytes(text), Schema{})) << text;
  }
}

// Each piece has fewer labels than there may be.
TEST(Libsvm, AGlanceAtPiecesCountsTheirLabelsTogether) {
  std::string text;
  for (int i = 0; i < kMaxClasses + 1; ++i) text += fmt::format("{} 1:1 12345:1\n", i);
  ASSERT_GT(text.size(), 2 * kGlancePiece);
  const std::string path = testing::write_file(".libsvm", text);
  Input input = Input::open_path(path);
  EXPECT_FALSE(glance_libsvm(input, Schema{}));
  EXPECT_THAT(error_of([&] { Source(path, {}, {}); }),
              HasSubstr(fmt::format("{}:{}: more than {} different labels", path, kMaxClasses + 1,
                                    kMaxClasses)));
}

// A byte order mark is one at the start of the bytes alone, and that is not where the second piece
// of a file starts.
TEST(Libsvm, AGlanceAtPiecesKeepsALabelThatStartsLikeAByteOrderMark) {
  const std::string line = "a 1:1\n", marked = std::string(kByteOrderMark) + "b";
  std::string text;
  while (text.size() <= kGlancePiece) text += line;
  text += marked + " 1:1\n" + text;
  Input input = Input::open_path(testing::write_file(".libsvm", text));
  const std::optional<Scan> found = glance_libsvm(input, Schema{});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->labels.names(), ::testing::UnorderedElementsAre("a", marked));
}

TEST(Libsvm, ThePiecesOfALargeFileAreGlancedAtTogether) {
  std::string text;
  Draws draws(Rng(1, Purpose::kExamples), 2);
  int examples = 0;
  for (; text.size() < 3 * kGlancePiece + kGlancePiece / 2; ++examples) {
    text += fmt::format("{} {}:1 {}:0.5\n", draws.below(50), 1 + draws.below(100),
                        200 + draws.below(1000));
  }
  for (const std::string& ending : {""s, "late 5000:1"s, "1 x\n"s}) {
    Input input = Input::open_path(testing::write_file(".libsvm", text + ending));
    const std::optional<Scan> found = glance_libsvm(input, Schema{});
    const std::optional<Scan> whole = glance_libsvm(memory_bytes(text + ending), Schema{});
    ASSERT_EQ(found.has_value(), whole.has_value()) << ending;
    EXPECT_EQ(found.has_value(), ending != "1 x\n");
    if (!found) continue;
    EXPECT_EQ(found->examples, examples + (ending.empty() ? 0 : 1));
    EXPECT_EQ(found->extent, whole->extent);
    EXPECT_THAT(found->labels.names(), ::testing::UnorderedElementsAreArray(whole->labels.names()));
  }
}

}  // namespace
}  // namespace soba
