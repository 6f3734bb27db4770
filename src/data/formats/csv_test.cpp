#include "data/formats/csv.h"

#include <fmt/format.h>

#include "core/draws.h"
#include "data/testing.h"
#include "soba/rng.h"

namespace soba {
namespace {

using namespace std::string_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using testing::Example;
using ::testing::HasSubstr;
using Examples = std::vector<Example>;

SourceOptions csv() {
  SourceOptions options;
  options.format = "csv";
  options.labels = {"yes", "no"};
  return options;
}

Examples read(std::string_view text, const SourceOptions& options = csv(), Schema schema = {}) {
  return testing::read_text(text, options, std::move(schema));
}

std::string bad(std::string_view text, const SourceOptions& options = csv(), Schema schema = {}) {
  return error_of([&] { read(text, options, std::move(schema)); });
}

// The schema after reading, as a model would keep it.
Schema learnt(std::string_view text, const SourceOptions& options = csv()) {
  Source::Impl data(Origin(Input::memory(std::string(text), "test"), options), options, {});
  testing::examples_of(data);
  return data.schema();
}

// Reads without a first scan, as from a pipe.
class Once {
 public:
  explicit Once(std::string_view text) : reader_(memory_bytes(text), "test", schema_, notes_, {}) {}
  // The next row as text, or its error.
  std::string next() {
    Row row;
    RowError error;
    const RowStatus status = reader_.next(row, error);
    if (status == RowStatus::kEnd) return "end";
    if (status == RowStatus::kBad) {
      return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
    }
    std::string text(row.label);
    for (std::size_t i = 0; i < row.index.size(); ++i) {
      text += " " + schema_.features.name(row.index[i]) + ":" +
              std::to_string(static_cast<int>(row.value[i]));
    }
    return text;
  }
  const Schema& schema() const { return schema_; }

 private:
  static Schema named() {
    Schema schema;
    schema.named_features = true;
    return schema;
  }
  Schema schema_ = named();
  ColumnNotes notes_;
  CsvReader reader_;
};

TEST(Csv, ReadsNumbersAndOneHotTexts) {
  EXPECT_EQ(read("age,color,label\n30,red,yes\n0,blue,no\n,red,no\n"),
            (Examples{{"yes", {{"age", 30}, {"color=red", 1}}},
                      {"no", {{"color=blue", 1}}},
                      {"no", {{"color=red", 1}}}}));
}

TEST(Csv, NumbersTakeTheFirstFeaturesInHeaderOrder) {
  const Schema schema = learnt("c,a,label,b\nx,1,yes,2\ny,3,no,4\n");
  EXPECT_THAT(schema.features.names(), ElementsAre("a", "b", "c=x", "c=y"));
  EXPECT_THAT(schema.columns, ElementsAre("c", "a", "b"));
  EXPECT_THAT(schema.text_columns, ElementsAre(0));
  EXPECT_TRUE(schema.named_features);
}

TEST(Csv, AColumnIsNumericIfItsValuesAre) {
  EXPECT_EQ(read("a,b,label\n1,2,yes\nx, 3 ,no\n"),
            (Examples{{"yes", {{"a=1", 1}, {"b", 2}}}, {"no", {{"a=x", 1}, {"b", 3}}}}));
  // Words for a missing value alone are texts.
  EXPECT_EQ(read("a,label\nnone,yes\n,no\n"), (Examples{{"yes", {{"a=none", 1}}}, {"no", {}}}));
}

TEST(Csv, WordsForAMissingValueDoNotMakeANumericColumnText) {
  for (const std::string word : {"NA", "n/a", "N/A", "null", "None", "NaN", "-", " ", ""}) {
    EXPECT_EQ(read("a,b,label\n1,x,yes\n" + word + ",none,no\n"),
              (Examples{{"yes", {{"a", 1}, {"b=x", 1}}}, {"no", {{"b=none", 1}}}}))
        << word;
  }
}

TEST(Csv, GivenWordsAreMissingInEveryColumn) {
  SourceOptions options = csv();
  options.missing = {"?", "unknown"};
  EXPECT_EQ(read("a,b,label\n1,x,yes\n?,Unknown,no\n", options),
            (Examples{{"yes", {{"a", 1}, {"b=x", 1}}}, {"no", {}}}));
  // In the place of the usual ones.
  EXPECT_EQ(read("a,label\n1,yes\nNA,no\n", options),
            (Examples{{"yes", {{"a=1", 1}}}, {"no", {{"a=NA", 1}}}}));
  EXPECT_THAT(learnt("a,label\n1,yes\n?,no\n", options).missing, ElementsAre("?", "unknown"));
}

// A column of 99 numbers, and what else is in the last row.
std::string nearly_numeric(const std::string& last) {
  std::string text = "a,label\n";
  for (int i = 1; i < 100; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",yes\n" : ",no\n");
  return text + last + ",no\n";
}

TEST(Csv, AStrangeCellInANumericColumnIsAnErrorWithItsPlace) {
  EXPECT_THAT(bad(nearly_numeric("oops")),
              AllOf(HasSubstr("test:101:1: expected a number in column 'a', found \"oops\""),
                    HasSubstr("'missing'"), HasSubstr("'categorical'")));
  EXPECT_THAT(bad(nearly_numeric("1e60")),
              HasSubstr("expected a number from -1e+50 to 1e+50 in column 'a', found \"1e60\""));
  EXPECT_EQ(read(nearly_numeric("n/a")).size(), 100U);
  SourceOptions options = csv();
  options.categorical = {"a"};
  EXPECT_EQ(read(nearly_numeric("oops"), options).back(), (Example{"no", {{"a=oops", 1}}}));
  options = csv();
  options.missing = {"oops"};
  EXPECT_EQ(read(nearly_numeric("oops"), options).back(), (Example{"no", {}}));
}

TEST(Csv, ARowLeftOutForACellHasNoSayInTheLabels) {
  SourceOptions options;
  options.format = "csv";
  options.skip_bad = true;
  const std::string text = nearly_numeric("1");
  const std::string strange = nearly_numeric("oops,other\n5");  // a label of that row alone
  Source::Impl data(Origin(Input::memory(strange, "test"), options), options, {});
  EXPECT_THAT(data.schema().labels.names(), ElementsAre("no", "yes"));
  EXPECT_EQ(testing::examples_of(data).size(), read(text).size());
  EXPECT_EQ(data.bad_rows().count, 1);
}

TEST(Csv, ColumnsCanBeDeclared) {
  SourceOptions options = csv();
  options.categorical = {"zip"};
  options.ignore = {"id"};
  const std::string text = "id,zip,n,label\n17,80331,1,yes\nx18,10115,2,no\n";
  EXPECT_EQ(read(text, options), (Examples{{"yes", {{"zip=80331", 1}, {"n", 1}}},
                                           {"no", {{"zip=10115", 1}, {"n", 2}}}}));
  const Schema schema = learnt(text, options);
  EXPECT_THAT(schema.columns, ElementsAre("zip", "n"));
  SourceOptions plain;
  plain.format = "csv";
  EXPECT_EQ(read("n,zip,id,label\n3,80331,,no\n", plain, schema),
            (Examples{{"no", {{"zip=80331", 1}, {"n", 3}}}}));
  EXPECT_EQ(read("n,zip,label\n3,80331,no\n", plain, schema).size(), 1U);  // not even there
  options.ignore = {"idd"};
  EXPECT_EQ(bad(text, options),
            "test:1:1: option 'ignore': \"idd\" is not a column here; did you mean \"id\"?");
}

TEST(Csv, TextThatIsNotUtf8IsRefusedOrConverted) {
  const std::string text = "caf\xE9,c,label\n1,\xFC,yes\n";
  EXPECT_THAT(bad(text), HasSubstr("test:1:1: expected UTF-8, found \"caf\\xe9\""));
  EXPECT_THAT(bad("a,c,label\n1,\xFC,yes\n"),
              AllOf(HasSubstr("test:2:3: expected UTF-8"), HasSubstr("option 'encoding'")));
  SourceOptions options = csv();
  options.labels = {};
  EXPECT_THAT(bad("a,label\n1,caf\xE9\n2,b\n", options), HasSubstr("test:2:3: expected UTF-8"));
  options.encoding = "latin1";
  EXPECT_EQ(read("caf\xE9,label\n1,\xFC\n2,b\n", options),
            (Examples{{"ü", {{"café", 1}}}, {"b", {{"café", 2}}}}));
}

TEST(Csv, QuotesCommasAndLineEndsAreText) {
  EXPECT_EQ(
      read("\"a,1\",\"b\"\"\",label\n\"x\ny\",\"say \"\"hi\"\"\",yes\r\n\"p\r\nq\",\",\",\"no\"\n"),
      (Examples{{"yes", {{"a,1=x\ny", 1}, {"b\"=say \"hi\"", 1}}},
                {"no", {{"a,1=p\r\nq", 1}, {"b\"=,", 1}}}}));
}

TEST(Csv, SeparatorMayBeATabOrASemicolon) {
  const Examples expected = {{"yes", {{"a", 1}, {"b", 2.5}}}};
  EXPECT_EQ(read("a\tb\tlabel\n1\t2.5\tyes\n"), expected);
  EXPECT_EQ(read("a;b;label\n1;2.5;yes\n"), expected);
  EXPECT_EQ(read("a,b,label\n1,2.5,yes\n"), expected);
}

TEST(Csv, SkipsBlankLinesAndAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a,label\r\n\r\n1,yes\r\n\r\n2,no"),
            (Examples{{"yes", {{"a", 1}}}, {"no", {{"a", 2}}}}));
}

TEST(Csv, TheLabelMayBeAnyColumn) {
  SourceOptions options = csv();
  options.label = "bought";
  EXPECT_EQ(read("bought,a\nyes,1\n", options), (Examples{{"yes", {{"a", 1}}}}));
}

TEST(Csv, AMissingLabelColumnListsTheColumnsAndTheNearest) {
  EXPECT_THAT(bad("age,lable\n1,yes\n"),
              AllOf(HasSubstr("test:1:1: expected a column 'label'"), HasSubstr("age, lable"),
                    HasSubstr("did you mean 'lable'?")));
}

TEST(Csv, WrongNumberOfCellsIsLocated) {
  EXPECT_EQ(bad("a,b,label\n1,2,yes\n1,no\n"),
            "test:3:5: expected 3 cells as in the header, found 2");
  EXPECT_EQ(bad("a,label\n1,no,3\n"), "test:2:6: expected 2 cells as in the header, found 3");
}

TEST(Csv, HeaderMistakesAreLocated) {
  EXPECT_EQ(bad("a,label,a\n"), "test:1:9: column \"a\" appears twice");
  EXPECT_EQ(bad("a,,label\n"), "test:1:3: expected the name of a column, found nothing");
}

TEST(Csv, QuoteMistakesAreLocated) {
  EXPECT_THAT(bad("a,label\n5\" disk,yes\n"),
              HasSubstr("test:2:2: a quote within an unquoted cell"));
  EXPECT_THAT(bad("a,label\n\"5\" disk,yes\n"), HasSubstr("test:2:4: expected the separator"));
  EXPECT_EQ(bad("a,label\n1,yes\n2,\"no\n3,yes\n"), "test:3:3: this quote is never closed");
}

TEST(Csv, AnErrorBehindAQuotedLineEndIsOnItsOwnLine) {
  EXPECT_EQ(bad("a,b,label\n\"x\ny\",2,maybe\n"),
            "test:3:6: label \"maybe\" is not in the label set (yes, no)");
}

TEST(Csv, AnEmptyLabelIsBadOnlyWhereLabelsAreNeeded) {
  EXPECT_EQ(bad("a,label\n1,\n"), "test:2:3: expected a label in column 'label', found nothing");
  SourceOptions options = csv();
  options.need_labels = false;
  EXPECT_EQ(read("a,label\n1,\n", options), (Examples{{"?", {{"a", 1}}}}));
  EXPECT_EQ(read("a\n1\n", options), (Examples{{"?", {{"a", 1}}}}));
}

TEST(Csv, BadRowsAreLeftOutWithSkipBad) {
  SourceOptions options = csv();
  options.skip_bad = true;
  EXPECT_EQ(read("a,label\n1,yes\n1,2,3\n\"x\"y,no\n2,maybe\n3,no\n", options),
            (Examples{{"yes", {{"a", 1}}}, {"no", {{"a", 3}}}}));
}

TEST(Csv, WithoutAScanTheFirstValueDecides) {
  Once csv_rows("a,b,c,label\n1,x,,yes\n2,5,z,no\nabc,y,w,no\n");
  EXPECT_EQ(csv_rows.next(), "yes a:1 b=x:1");
  EXPECT_EQ(csv_rows.next(), "no a:2 b=5:1 c=z:1");
  const std::string error = csv_rows.next();
  EXPECT_THAT(error, HasSubstr("4:1: expected a number in column 'a', found \"abc\""));
  EXPECT_THAT(error, HasSubstr("have the data in a file"));
  EXPECT_EQ(csv_rows.next(), "end");
  EXPECT_THAT(csv_rows.schema().text_columns, ElementsAre(1, 2));
}

TEST(Csv, WithoutAScanWordsForAMissingValueDecideNothing) {
  Once csv_rows("a,b,label\nNA,none,yes\n2,x,no\n-,none,no\n");
  EXPECT_EQ(csv_rows.next(), "yes");
  EXPECT_EQ(csv_rows.next(), "no a:2 b=x:1");
  EXPECT_EQ(csv_rows.next(), "no b=none:1");
}

TEST(Csv, ALoadedSchemaMatchesColumnsByName) {
  const Schema schema = learnt("a,c,b,label\n1,x,2,yes\n3,y,4,no\n");
  SourceOptions options;
  options.format = "csv";
  EXPECT_EQ(read("label,b,c,a\nno,7,y,8\n", options, schema),
            (Examples{{"no", {{"a", 8}, {"b", 7}, {"c=y", 1}}}}));
  EXPECT_THAT(bad("label,b,c\nno,7,y\n", options, schema), HasSubstr("expected a column \"a\""));
  EXPECT_THAT(bad("label,b,c,a,d\nno,7,y,8,9\n", options, schema),
              HasSubstr("test:1:13: \"d\" is not a column of the model"));
  EXPECT_THAT(
      bad("label,b,c,a\nno,x,y,8\n", options, schema),
      HasSubstr("test:2:4: expected a number in column 'b', found \"x\" (the column is numeric"));
  options.need_labels = false;
  EXPECT_EQ(read("b,c,a\n7,y,8\n", options, schema),
            (Examples{{"?", {{"a", 8}, {"b", 7}, {"c=y", 1}}}}));
}

TEST(Csv, NewTextsBecomeNewFeaturesOfALoadedSchema) {
  const Schema schema = learnt("c,label\nx,yes\ny,no\n");
  SourceOptions options;
  options.format = "csv";
  EXPECT_EQ(read("c,label\nz,no\n", options, schema), (Examples{{"no", {{"c=z", 1}}}}));
}

TEST(Csv, AModelOfIndicesTakesColumnsCalledLikeThem) {
  Schema schema;
  schema.labels.add("yes");
  schema.labels.add("no");
  EXPECT_EQ(read("3,1,label\n5,6,yes\n", csv(), schema), (Examples{{"yes", {{"1", 6}, {"3", 5}}}}));
  EXPECT_THAT(bad("0,label\n5,yes\n", csv(), schema),
              HasSubstr("\"0\" is not a column of the model"));
}

TEST(Csv, AModelTaughtWithJsonTakesItsNamesAsColumns) {
  Schema schema;
  schema.labels.add("yes");
  schema.labels.add("no");
  schema.named_features = true;
  schema.features.add("a");
  schema.features.add("c=x");
  EXPECT_EQ(read("c,a,label\nx,5,yes\n", csv(), schema),
            (Examples{{"yes", {{"a", 5}, {"c=x", 1}}}}));
}

TEST(Csv, TwoColumnsThatGiveOneFeatureAreAnError) {
  EXPECT_THAT(bad("c=x,c,label\n1,x,yes\n"), HasSubstr("two columns give the same feature"));
}

// Every row and every error of a text, and the columns that were found.
std::string transcript(std::unique_ptr<ByteSource> bytes, const CsvOptions& options) {
  Schema schema;
  schema.named_features = true;
  std::string out;
  try {
    ColumnNotes notes;
    CsvReader reader(std::move(bytes), "test", schema, notes, options);
    Row row;
    RowError error;
    for (RowStatus status; (status = reader.next(row, error)) != RowStatus::kEnd;) {
      if (status == RowStatus::kBad) {
        out += fmt::format("{}:{}: {}\n", error.line, error.column, error.message);
        continue;
      }
      out +=
          fmt::format("{} '{}' {}", row.line, row.label, row.has_label ? reader.label_column() : 0);
      for (std::size_t i = 0; i < row.index.size(); ++i) {
        out += fmt::format(" {}:{:a}", row.index[i], row.value[i]);
      }
      out += '\n';
    }
  } catch (const Error& error) {
    out += error.what();
  }
  for (const std::string& name : schema.features.names()) out += name + ";";
  for (const std::int32_t column : schema.text_columns) out += std::to_string(column) + ";";
  return out;
}

std::string random_csv(Draws& draws) {
  static const std::vector<std::string> kCells = {
      "1", "0",     "23", "-4.5", "0.0625", "1234567890123", "",    "1e3", " 7",
      "x", "\"q\"", "+2", ".5",   "nan",    "\"a\nb\"",      "1\"", "\0"s, "9 "};
  const char separator = ",;\t"[draws.below(3)];
  const std::size_t columns = 1 + draws.below(4);
  const bool odd = draws.below(2) == 0;  // else only numbers, as most files
  std::string text;
  for (std::size_t c = 0; c < columns; ++c) text += fmt::format("c{}{}", c, separator);
  text += draws.below(5) == 0 ? "other\n" : "label\n";
  for (std::uint32_t line = draws.below(30); line > 0; --line) {
    for (std::size_t c = 0; c < columns; ++c) {
      const bool strange = odd && draws.below(12) == 0;
      text += kCells[draws.below(strange ? static_cast<std::uint32_t>(kCells.size()) : 7)];
      text += separator;
    }
    text += draws.below(20) == 0 ? "" : draws.below(2) == 0 ? "yes" : "no";
    if (draws.below(30) == 0) text += separator;
    if (draws.below(10) == 0) text += '\r';
    text += draws.below(30) == 0 ? "\n\n" : "\n";
  }
  return text;
}

// Byte by byte no line is ever whole ahead of time, so the quick way is never taken.
TEST(Csv, TheQuickWayReadsAndRefusesAsTheSlowOneDoes) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Draws draws(Rng(seed, Purpose::kExamples), 0);
    const std::string text = random_csv(draws);
    const CsvOptions options{.need_labels = draws.below(2) == 0, .discover = draws.below(2) == 0};
    ASSERT_EQ(transcript(memory_bytes(text), options),
              transcript(std::make_unique<testing::Trickle>(text), options))
        << "seed " << seed << "\n"
        << text;
  }
}

}  // namespace
}  // namespace soba
