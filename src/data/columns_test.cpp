// What becomes of columns and keys, from the file to the example.
#include <fmt/format.h>

#include <functional>

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using testing::Example;
using testing::examples_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::PipePath;
using testing::read_text;
using ::testing::StartsWith;
using testing::temporary_path;
using testing::write_file;
using Examples = std::vector<Example>;

SourceOptions csv() {
  SourceOptions options;
  options.format = "csv";
  options.labels = {"a", "b"};
  return options;
}

std::string bad(std::string_view text, const SourceOptions& options,
                ErrorKind kind = ErrorKind::kInput) {
  return error_of([&] { read_text(text, options); }, kind);
}

// ---- Which columns ------------------------------------------------------------------------------

TEST(Columns, AreNamedByNameOrNumber) {
  constexpr std::string_view kText = "n,label,m,o\n1,a,2,3\n";
  const Examples expected = {{"a", {{"m", 2}, {"o", 3}}}};
  SourceOptions options = csv();
  options.ignore = {"n"};
  EXPECT_EQ(read_text(kText, options), expected);
  options.ignore = {"1"};
  EXPECT_EQ(read_text(kText, options), expected);
  options.ignore.clear();
  options.only = {"3", "-1"};
  EXPECT_EQ(read_text(kText, options), expected);
  options.label = "2";
  EXPECT_EQ(read_text(kText, options), expected);
  options.label = "-3";
  EXPECT_EQ(read_text(kText, options), expected);
  for (const char* none : {"5", "0", "-5", "2x", "99999999999999999999"}) {
    options.only = {none};
    EXPECT_THAT(bad(kText, options), HasSubstr("option 'only': ")) << none;
  }
  EXPECT_EQ(read_text("2,label\n7,a\n", csv()), (Examples{{"a", {{"2", 7}}}}));  // a name first
}

TEST(Columns, WithoutAHeaderAreNumbers) {
  SourceOptions options = csv();
  options.no_header = true;
  options.label = "-1";
  EXPECT_EQ(read_text("1,x,a\n\"2\",y,b\n", options),
            (Examples{{"a", {{"1", 1}, {"2=x", 1}}}, {"b", {{"1", 2}, {"2=y", 1}}}}));
  options.label = "label";
  EXPECT_THAT(bad("1,a\n", options), HasSubstr("expected a column 'label'"));
}

TEST(Columns, AreSeparatedAsTheOptionSays) {
  const Examples expected = {{"a", {{"n", 1}, {"m", 2}}}};
  for (const auto& [word, c] :
       {std::pair{"comma", ','}, std::pair{"tab", '\t'}, std::pair{"\\t", '\t'},
        std::pair{"semicolon", ';'}, std::pair{"pipe", '|'}, std::pair{"space", ' '},
        std::pair{":", ':'}, std::pair{"^", '^'}}) {
    SourceOptions options = csv();
    options.separator = word;
    EXPECT_EQ(read_text(fmt::format("n{0}label{0}m\n1{0}a{0}2\n", c), options), expected) << word;
    if (c == ' ' || c == ':' || c == '^') continue;
    options.separator = "auto";
    EXPECT_EQ(read_text(fmt::format("n{0}label{0}m\n1{0}a{0}2\n", c), options), expected) << word;
  }
  for (const char* none : {"", ",,", "x", "1", ".", "-", "\"", "é"}) {
    SourceOptions options = csv();
    options.separator = none;
    EXPECT_THAT(bad("n,label\n1,a\n", options, ErrorKind::kUsage), HasSubstr("separator")) << none;
  }
  SourceOptions options = csv();
  options.format = "libsvm";
  options.separator = "tab";
  EXPECT_THAT(bad("a 1:1\n", options, ErrorKind::kUsage), HasSubstr("separator: test: is not CSV"));
}

TEST(Columns, ThatAreWantedOnlyStayTheOnlyOnes) {
  SourceOptions options = csv();
  options.only = {"n"};
  const std::string path = write_file(".csv", "n,m,label\n1,2,a\n");
  Source source(path, options, {});
  EXPECT_EQ(examples_of(source), (Examples{{"a", {{"n", 1}}}}));
  // Of a model, too, whatever the format.
  EXPECT_EQ(read_text("z,label,n\n5,b,4\n", csv(), source.schema()), (Examples{{"b", {{"n", 4}}}}));
  SourceOptions jsonl = csv();
  jsonl.format = "jsonl";
  EXPECT_EQ(read_text("{\"label\":\"a\",\"x\":{\"z\":[],\"n\":3}}\n", jsonl, source.schema()),
            (Examples{{"a", {{"n", 3}}}}));
}

// ---- What they hold -----------------------------------------------------------------------------

// Tickets with an id, a date, a number, a category and free text.
std::string tickets(int rows = 40) {
  std::string text = "id,at,n,kind,message,label\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("T{},2026-11-{:02}T{:02}:30,{},{},\"Order {} is {}, please help\",{}\n", i,
                        1 + i % 30, i % 24, i * i % 7, i % 3 == 0 ? "x" : "y", i,
                        i % 2 == 0 ? "late" : "BROKEN", i % 2 == 0 ? "a" : "b");
  }
  return text;
}

std::string as_jsonl(int rows = 40) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += fmt::format(
        R"({{"label":"{}","x":{{"id":"T{}","at":"2026-11-{:02}T{:02}:30","n":{},"kind":"{}",)"
        R"("message":"Order {} is {}, please help"}}}})"
        "\n",
        i % 2 == 0 ? "a" : "b", i, 1 + i % 30, i % 24, i * i % 7, i % 3 == 0 ? "x" : "y", i,
        i % 2 == 0 ? "late" : "BROKEN");
  }
  return text;
}

// Features without the order in which they were found.
Examples played(Source source) { return examples_of(source); }

TEST(Columns, AreIdsDatesAndFreeTextByTheirValues) {
  const std::string path = write_file(".csv", tickets());
  Source source(path, {}, {});
  const Schema& schema = source.schema();
  EXPECT_THAT(schema.ignore, ElementsAre("id"));
  EXPECT_THAT(schema.dates, ElementsAre("at"));
  EXPECT_THAT(schema.text, ElementsAre("message"));
  EXPECT_THAT(schema.columns, ElementsAre("at", "n", "kind", "message"));
  EXPECT_THAT(source.findings(),
              ElementsAre(AllOf(StartsWith("column 'id'"), HasSubstr("it is left out")),
                          StartsWith("column 'at' has dates"),
                          StartsWith("column 'message' has free text")));
  const Examples examples = examples_of(source);
  ASSERT_EQ(examples.size(), 40U);
  EXPECT_EQ(examples[1].x.at("at.day"), 9802);
  EXPECT_EQ(examples[1].x.at("at.hour"), 1.5);
  EXPECT_EQ(examples[1].x.at("at.weekday=mon"), 1);
  EXPECT_EQ(examples[1].x.at("kind=y"), 1);
  EXPECT_DOUBLE_EQ(examples[1].x.at("message~broken"), 1 / std::sqrt(6));
  EXPECT_FALSE(examples[1].x.contains("id=T1"));
}

TEST(Columns, OfJsonLinesAndCachesAndPipesGiveTheSame) {
  const std::string path = write_file(".csv", tickets());
  const Examples expected = played(Source(path, {}, {}));
  SourceOptions labels = csv();
  EXPECT_EQ(played(Source(path, labels, {})), expected);  // whatever needs to be known
  labels.need_size = true;
  EXPECT_EQ(played(Source(path, labels, {})), expected);
  PipePath pipe(tickets());
  EXPECT_EQ(played(Source(pipe.path(), csv(), {})), expected);
  const std::string cache = temporary_path(".soba");
  Source source(path, {}, {});
  testing::copy(source, cache, "cache");
  EXPECT_EQ(played(Source(cache, {}, {})), expected);

  const std::string jsonl = write_file(".jsonl", as_jsonl());
  EXPECT_EQ(played(Source(jsonl, {}, {})), expected);
  SourceOptions known;
  known.labels = {"a", "b"};
  EXPECT_EQ(played(Source(jsonl, known, {})), expected);
  Source keys(jsonl, {}, {});
  EXPECT_THAT(keys.findings(), Contains(StartsWith("key 'at' has dates")));
  const std::string second = temporary_path(".soba");
  testing::copy(keys, second, "cache");
  EXPECT_EQ(played(Source(second, {}, {})), expected);
}

TEST(Columns, AreThoseOfTheModelLater) {
  Source source(write_file(".csv", tickets()), {}, {});
  examples_of(source);
  const Schema schema = source.schema();
  // Too few rows to guess from, and columns in another order.
  const std::string path =
      write_file(".csv", "message,label,kind,at,n,id\nLATE order,b,z,2026-11-17,5,T9\n");
  const Examples expected = {{"b",
                              {{"at.day", 9817},
                               {"at.weekday=tue", 1},
                               {"n", 5},
                               {"kind=z", 1},
                               {"message~late", 1 / std::sqrt(2)},
                               {"message~order", 1 / std::sqrt(2)}}}};
  EXPECT_EQ(played(Source(path, {}, schema)), expected);
  EXPECT_EQ(read_text(R"({"label":"b","x":{"id":1,"n":5,"at":"2026-11-17","kind":"z",)"
                      R"("message":"LATE order"}})",
                      [] {
                        SourceOptions options;
                        options.format = "jsonl";
                        return options;
                      }(),
                      schema),
            expected);
  SourceOptions given;
  given.dates = {"at"};  // as it was found
  EXPECT_EQ(played(Source(path, given, schema)), expected);
  given.dates = {"n"};
  EXPECT_THAT(error_of([&] { Source(path, given, schema); }, ErrorKind::kUsage),
              HasSubstr("dates: n contradicts the model, which has at"));
}

TEST(Columns, ACacheWithOtherWordsFindsThePlacesOfTheModel) {
  SourceOptions options;
  options.hash_bits = 6;  // so that words meet
  Source source(write_file(".csv", tickets(200)), options, {});
  examples_of(source);
  const Schema schema = source.schema();
  std::string other = tickets(60);
  for (std::size_t at = 0; (at = other.find("Order", at)) != std::string::npos; ++at) {
    other.replace(at, 5, "Paket");
  }
  const std::string path = write_file(".csv", other);
  const std::string cache = temporary_path(".soba");
  Source text(path, options, {});
  testing::copy(text, cache, "cache");
  const Examples expected = played(Source(path, {}, schema));
  EXPECT_EQ(played(Source(cache, {}, schema)), expected);
  options.hash_bits = 8;
  Source finer(path, options, {});
  testing::copy(finer, cache, "cache");
  EXPECT_THAT(error_of([&] { Source(cache, {}, schema); }), HasSubstr("otherwise than the model"));
}

TEST(Columns, AreWhatOptionsSay) {
  const std::string path = write_file(".csv", tickets());
  SourceOptions options;
  options.categorical = {"at", "message"};
  options.ignore = {"kind"};
  options.only = {"id", "at", "message", "kind"};
  Source source(path, options, {});
  EXPECT_THAT(source.findings(), IsEmpty());
  const Examples examples = examples_of(source);
  EXPECT_EQ(examples[1].x,
            (std::map<std::string, double>{{"id=T1", 1},
                                           {"at=2026-11-02T01:30", 1},
                                           {"message=Order 1 is BROKEN, please help", 1}}));
  SourceOptions twice;
  twice.dates = twice.text = {"at"};
  EXPECT_THAT(error_of([&] { Source(path, twice, {}); }, ErrorKind::kUsage),
              HasSubstr("text: \"at\" is in option 'dates', too"));
}

TEST(Columns, ThatLookLikeIdsStayWhereThereIsNothingElse) {
  std::string text = "id,label\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("{},{}\n", i, i % 2 == 0 ? "a" : "b");
  Source source(write_file(".csv", text), {}, {});
  EXPECT_THAT(source.schema().columns, ElementsAre("id"));
  EXPECT_THAT(source.findings(), IsEmpty());
}

TEST(Columns, OfDatesTakeNothingElse) {
  SourceOptions options = csv();
  options.dates = {"at"};
  EXPECT_EQ(read_text("at,label\n,a\nNA,b\n 2000-01-02 ,a\n", options),
            (Examples{{"a", {}}, {"b", {}}, {"a", {{"at.day", 1}, {"at.weekday=sun", 1}}}}));
  EXPECT_THAT(bad("at,label\n2000-01-02,a\nsoon,b\n", options),
              StartsWith("test:3:1: expected a date such as 2026-11-16 or 2026-11-16T22:37 in "
                         "column 'at', found \"soon\" (leave the cell empty"));
}

TEST(Columns, RowsThatAreLeftOutLeaveNoWords) {
  SourceOptions options = csv();
  options.dates = {"at"};
  options.text = {"m"};
  options.skip_bad = true;
  Source::Impl data(
      Origin(Input::memory("m,at,label\none,x,a\ntwo,2000-01-03,b\n", "test"), options), options,
      {});
  EXPECT_EQ(examples_of(data),
            (Examples{{"b", {{"m~two", 1}, {"at.day", 2}, {"at.weekday=mon", 1}}}}));
  EXPECT_EQ(data.schema().features.size(), 4);  // at.hour, too
}

TEST(Columns, WeighWordsByTheFirstScan) {
  SourceOptions options;
  options.text_weight = "tfidf";
  options.text = {"m"};
  const std::string path = write_file(".csv", "m,label\nred red,a\nred blue,b\nred,a\n");
  Source source(path, options, {});
  EXPECT_EQ(source.schema().documents, 3);
  EXPECT_THAT(source.schema().idf, ElementsAre(1, std::log(2.0) + 1));
  const double blue = std::log(2.0) + 1, norm = std::hypot(1, blue);
  const Examples expected = {{"a", {{"m~red", 1}}},
                             {"b", {{"m~red", 1 / norm}, {"m~blue", blue / norm}}},
                             {"a", {{"m~red", 1}}}};
  EXPECT_EQ(examples_of(source), expected);
  options.labels = {"a", "b"};
  EXPECT_EQ(played(Source(path, options, {})), expected);
  options.scale = "maxabs";  // leaves words as they are
  EXPECT_EQ(played(Source(path, options, {})), expected);
  options.scale = "none";
  const std::string cache = temporary_path(".soba");
  testing::copy(source, cache, "cache");
  Source cached(cache, {}, {});
  EXPECT_EQ(examples_of(cached), expected);
  EXPECT_EQ(cached.schema().idf, source.schema().idf);
  const std::string jsonl = write_file(".jsonl", R"({"label":"a","x":{"m":"red red"}})"
                                                 "\n"
                                                 R"({"label":"b","x":{"m":"red blue"}})"
                                                 "\n"
                                                 R"({"label":"a","x":{"m":"red"}})");
  EXPECT_EQ(played(Source(jsonl, options, {})), expected);
}

TEST(Columns, WordsAreTheSameWhenReadAgain) {
  SourceOptions options;
  options.passes = 2;
  options.bigrams = true;
  Source source(write_file(".csv", tickets()), options, {});
  const Examples examples = examples_of(source);
  ASSERT_EQ(examples.size(), 80U);
  EXPECT_TRUE(std::equal(examples.begin(), examples.begin() + 40, examples.begin() + 40));
  EXPECT_TRUE(examples[0].x.contains("message~please help"));
}

}  // namespace
}  // namespace soba
