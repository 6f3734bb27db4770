#include "data/formats/csv_columns.h"

#include <gmock/gmock.h>

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Schema named_schema() {
  Schema schema;
  schema.named_features = true;
  return schema;
}

// Columns with these names; "label" holds the labels. The message of the first problem, if any.
std::string set_up(CsvColumns& columns, const std::vector<std::string>& names, bool define = true) {
  for (const std::string& name : names) {
    if (const auto problem = columns.add(name)) return problem->message;
  }
  if (const auto problem = columns.find_label("label", true)) return problem->message;
  const auto problem = define ? columns.define() : columns.match();
  return problem ? problem->message : "";
}

void discover(CsvColumns& columns, std::size_t column, std::string_view cell, int rows = 1) {
  for (int i = 0; i < rows; ++i) {
    columns.begin_row();
    columns.note(column, cell);
    columns.end_row();
  }
}

TEST(CsvColumns, CellsAreNumbersNothingWordsOrElse) {
  Schema schema;
  const CsvColumns columns(schema);
  EXPECT_EQ(columns.kind_of(" 1e3 "), CellKind::kNumber);
  EXPECT_EQ(columns.kind_of("  "), CellKind::kEmpty);
  EXPECT_EQ(columns.kind_of("Na"), CellKind::kWord);
  EXPECT_EQ(columns.kind_of("red"), CellKind::kOther);
  schema.missing = {"red"};  // in the place of the usual words
  EXPECT_EQ(columns.kind_of("red"), CellKind::kWord);
  EXPECT_EQ(columns.kind_of("NA"), CellKind::kOther);
}

// 99 numbers and one stray are numeric, 98 and one are not: 98·100 < 99·99.
TEST(CsvColumns, NinetyNineNumbersInAHundredValuesAreAColumnOfNumbers) {
  for (const int numbers : {98, 99}) {
    Schema schema = named_schema();
    CsvColumns columns(schema);
    ASSERT_EQ(set_up(columns, {"label", "a"}), "");
    discover(columns, 1, "7", numbers);
    discover(columns, 1, "stray");
    discover(columns, 1, "", 50);
    discover(columns, 1, "n/a", 50);
    ASSERT_FALSE(columns.settle());
    const bool numeric = numbers == 99;
    EXPECT_EQ(columns.strays(), numeric ? 1 : 0);
    EXPECT_EQ(schema.text_columns.empty(), numeric);
    EXPECT_EQ(schema.features.size(), numeric ? 1 : 0);
  }
}

TEST(CsvColumns, ARowThatIsNotWholeDoesNotCount) {
  Schema schema = named_schema();
  CsvColumns columns(schema);
  ASSERT_EQ(set_up(columns, {"label", "a"}), "");
  columns.begin_row();
  columns.note(1, "red");  // and no end_row()
  discover(columns, 1, "7");
  ASSERT_FALSE(columns.settle());
  EXPECT_THAT(schema.text_columns, IsEmpty());
}

// Nothing but empty cells may become numbers yet; words that only may mean "missing" are texts, and
// those that the user calls so are not.
TEST(CsvColumns, WithoutAValueTheMissingOnesDecide) {
  for (const bool named : {false, true}) {
    Schema schema = named_schema();
    if (named) schema.missing = {"none"};
    CsvColumns columns(schema);
    ASSERT_EQ(set_up(columns, {"label", "empty", "words"}), "");
    columns.begin_row();
    columns.note(1, "");
    columns.note(2, "none");
    columns.end_row();
    ASSERT_FALSE(columns.settle());
    EXPECT_EQ(schema.text_columns.size(), named ? 0U : 1U);
  }
}

TEST(CsvColumns, DeclaredOnesAreWhatTheyAreCalled) {
  Schema schema = named_schema();
  schema.categorical = {"zip"};
  schema.ignore = {"id"};
  CsvColumns columns(schema);
  ASSERT_EQ(set_up(columns, {"id", "zip", "label", "size"}), "");
  EXPECT_EQ(columns[0].kind, ColumnKind::kIgnored);
  EXPECT_EQ(columns[1].kind, ColumnKind::kCategory);
  EXPECT_EQ(columns.label(), 2);
  EXPECT_TRUE(columns.any_unknown());
  EXPECT_THAT(schema.columns, ElementsAre("zip", "size"));
  schema.ignore = {"label"};
  CsvColumns others(schema);
  EXPECT_THAT(set_up(others, {"zip", "label"}),
              HasSubstr("option 'ignore': \"label\" is not a column"));
}

TEST(CsvColumns, OneByOneTheFirstValueDecides) {
  Schema schema = named_schema();
  CsvColumns columns(schema);
  ASSERT_EQ(set_up(columns, {"a", "b", "label"}), "");
  EXPECT_TRUE(columns.settle_by(0, "null"));
  EXPECT_EQ(columns[0].kind, ColumnKind::kUnknown);
  EXPECT_TRUE(columns.settle_by(1, "red"));
  EXPECT_EQ(columns[1].kind, ColumnKind::kCategory);
  EXPECT_TRUE(columns.settle_by(0, "12"));
  EXPECT_EQ(columns[0].kind, ColumnKind::kNumber);
  EXPECT_EQ(columns[0].feature, 0);
  EXPECT_FALSE(columns.any_unknown());
  EXPECT_THAT(schema.text_columns, ElementsAre(1));
}

TEST(CsvColumns, AreMatchedByName) {
  Schema schema = named_schema();
  schema.columns = {"size", "colour"};
  schema.text_columns = {1};
  CsvColumns columns(schema);
  ASSERT_EQ(set_up(columns, {"colour", "label", "size"}, false), "");
  EXPECT_EQ(columns[0].kind, ColumnKind::kCategory);
  EXPECT_EQ(columns[2].kind, ColumnKind::kNumber);
  CsvColumns fewer(schema), more(schema);
  EXPECT_THAT(set_up(fewer, {"size", "label"}, false), HasSubstr("expected a column \"colour\""));
  EXPECT_THAT(set_up(more, {"size", "colour", "label", "colours"}, false),
              HasSubstr("\"colours\" is not a column of the model; did you mean \"colour\"?"));
}

}  // namespace
}  // namespace soba
