#include "soba/survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::write_file;

Survey survey_of(const std::string& text, SourceOptions options = {}) {
  options.skip_bad = true;
  Source source(write_file(".libsvm", text), options, {});
  return survey(source);
}

TEST(Survey, CountsWhatThereIs) {
  const Survey found = survey_of("a 1:3 3:4\nb 1:-1\na 3:x\nb\n");
  EXPECT_EQ(found.examples, 3);
  EXPECT_THAT(found.labels, ElementsAre("a", "b"));
  EXPECT_THAT(found.label_counts, ElementsAre(1, 2));
  EXPECT_EQ(found.features, 3);
  EXPECT_EQ(found.values, 3);
  EXPECT_EQ(found.minimum, -1);
  EXPECT_EQ(found.maximum, 4);
  EXPECT_EQ(found.unit_norm, 1);
  EXPECT_EQ(found.zero, 1);
  EXPECT_FALSE(found.all_unit_norm());
  EXPECT_EQ(found.ranges.at(0).count, 2);
  EXPECT_EQ(found.ranges.at(0).largest, 3);
  EXPECT_DOUBLE_EQ(found.density(), 1.0 / 3);
  EXPECT_EQ(found.bad_lines, 1);
  EXPECT_THAT(found.first_bad, HasSubstr(":3:5: "));
}

TEST(Survey, WarnsWhereLearningWouldSuffer) {
  EXPECT_THAT(warnings(survey_of("a 1:1\nb 2:1\n")), IsEmpty());
  EXPECT_THAT(warnings(survey_of("1 1:1\n1.0 2:1\n")),
              ElementsAre("the labels '1' and '1.0' differ only in spelling"));
  EXPECT_THAT(warnings(survey_of("Yes 1:1\nyes 2:1\n")),
              ElementsAre("the labels 'Yes' and 'yes' differ only in spelling"));
  EXPECT_THAT(warnings(survey_of("a 1:1 2:5000\nb 1:0.5 2:100\n")),
              ElementsAre(HasSubstr("differ by a factor of 5e+03 (largest values 1 and 5e+03)")));
  EXPECT_THAT(warnings(survey_of("a 1:1\nb 3:1\nb\n")),
              ElementsAre("1 feature never used", "1 example with every value zero"));
  SourceOptions options;
  options.labels = {"a", "b", "c"};
  EXPECT_THAT(warnings(survey_of("a 1:1\nb 2:1\n", options)),
              ElementsAre("1 label of the given set never seen"));
}

TEST(Survey, SaysWhatTheColumnsOfCsvHold) {
  std::string text = "id,one,size,mixed,huge,label\n";
  for (int i = 0; i < 50; ++i) {
    text += "u" + std::to_string(i) + ",1," + (i % 10 == 0 ? "NA" : std::to_string(i % 5)) + "," +
            (i < 40 ? "7" : "many") + "," + std::to_string(i * 100000) + "," +
            (i % 2 == 0 ? "a" : "b") + "\n";
  }
  Source source(write_file(".csv", text), {}, {});
  const Survey found = survey(source);
  ASSERT_EQ(found.columns.size(), 5U);
  const ColumnSurvey& size = found.columns[2];
  EXPECT_EQ(size.type, "number");
  EXPECT_EQ(size.values, 45);
  EXPECT_EQ(size.missing, 5);
  EXPECT_EQ(size.distinct, 5);
  EXPECT_EQ(size.maximum, 4);
  EXPECT_THAT(size.flags, IsEmpty());
  EXPECT_EQ(size.text(), "size: number, 5 distinct, 10.00 % missing, from 0 to 4");
  EXPECT_EQ(found.columns[0].type, "ignored");
  EXPECT_THAT(found.columns[0].found, HasSubstr("as an id: it is left out"));
  EXPECT_THAT(found.columns[0].text(), HasSubstr("id: ignored, 50 distinct (a different value"));
  EXPECT_EQ(found.columns[3].type, "category");
  EXPECT_THAT(found.columns[1].flags, ElementsAre(HasSubstr("constant: option 'ignore'")));
  EXPECT_THAT(found.columns[3].flags,
              ElementsAre(HasSubstr("nearly numeric, all but 10 of 50: option 'missing'")));
  EXPECT_THAT(found.columns[4].flags,
              ElementsAre(HasSubstr("every value differs"),
                          HasSubstr("values up to 4900000: option 'scale'")));
  EXPECT_THAT(warnings(found), Contains(HasSubstr("column 'one': constant")));
}

TEST(Survey, UnitNormsMayBeRounded) {
  EXPECT_TRUE(survey_of("a 1:0.6 2:0.8\nb 1:0.99999\n").all_unit_norm());
}

}  // namespace
}  // namespace soba
