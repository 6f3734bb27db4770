#include "data/value_features.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numeric>

#include "data/named_features.h"

namespace soba {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

Schema schema_with_text() {
  Schema schema;
  schema.named_features = true;
  schema.text = {"m"};
  return schema;
}

std::map<std::string, double> named(const Schema& schema, const Row& row) {
  std::map<std::string, double> out;
  for (std::size_t i = 0; i < row.index.size(); ++i) {
    out[schema.features.name(row.index[i])] += row.value[i];
  }
  return out;
}

std::map<std::string, double> text(Schema& schema, std::string_view words) {
  ValueFeatures values(schema);
  Row row;
  EXPECT_TRUE(values.add_text("m", words, row));
  EXPECT_EQ(named(schema, row).size(), row.index.size());  // none twice
  return named(schema, row);
}

TEST(ValueFeatures, FreeTextIsItsWordsOfNormOne) {
  Schema schema = schema_with_text();
  EXPECT_THAT(text(schema, "No, no: refund!"),
              UnorderedElementsAre(Pair("m~no", DoubleEq(2 / std::sqrt(5))),
                                   Pair("m~refund", DoubleEq(1 / std::sqrt(5)))));
  EXPECT_THAT(text(schema, "REFUND"), UnorderedElementsAre(Pair("m~refund", 1)));
  EXPECT_THAT(text(schema, " ... "), SizeIs(0));
}

TEST(ValueFeatures, BigramsAreNeighbours) {
  Schema schema = schema_with_text();
  schema.bigrams = true;
  EXPECT_THAT(text(schema, "a b, a"),
              UnorderedElementsAre(Pair("m~a", DoubleEq(2 / std::sqrt(7))),
                                   Pair("m~b", DoubleEq(1 / std::sqrt(7))),
                                   Pair("m~a b", DoubleEq(1 / std::sqrt(7))),
                                   Pair("m~b a", DoubleEq(1 / std::sqrt(7)))));
}

TEST(ValueFeatures, RareWordsWeighMoreByTfidf) {
  Schema schema = schema_with_text();
  text(schema, "often");
  schema.tfidf = true;
  schema.documents = 9;
  schema.idf = {idf_of(9, 4)};
  EXPECT_DOUBLE_EQ(schema.idf[0], std::log(2) + 1);
  const double rare = std::log(10) + 1;  // never seen
  const double norm = std::hypot(schema.idf[0], rare);
  EXPECT_THAT(text(schema, "often new"),
              UnorderedElementsAre(Pair("m~often", DoubleEq(schema.idf[0] / norm)),
                                   Pair("m~new", DoubleEq(rare / norm))));
}

std::string many_words(int count) {
  std::string words;
  for (int i = 0; i < count; ++i) words += fmt::format("w{} ", i);
  return words;
}

TEST(ValueFeatures, WordsAreBoundedAndKeepTheirPlaces) {
  Schema schema = schema_with_text();
  schema.hash_bits = 6;
  const auto first = text(schema, many_words(1000));
  EXPECT_EQ(schema.features.size(), 64);  // surely all are met
  double sum = 0;
  for (const auto& [name, value] : first) sum += value * value;
  EXPECT_NEAR(sum, 1, 1e-12);
  // A reader that starts from the schema gives the same, and adds nothing.
  EXPECT_EQ(text(schema, many_words(1000)), first);
  EXPECT_EQ(schema.features.size(), 64);
}

TEST(ValueFeatures, ManyWordsHardlyMeet) {
  Schema schema = schema_with_text();
  text(schema, many_words(1000));
  EXPECT_GE(schema.features.size(), 990);  // 1000²/2^19 ≈ 2 pairs meet
}

TEST(ValueFeatures, AWordOfOtherDataIsTheFeatureOfItsPlace) {
  Schema schema = schema_with_text();
  schema.hash_bits = 6;
  text(schema, many_words(1000));
  ValueFeatures values(schema);
  Row row;
  ASSERT_TRUE(values.add_text("m", "another", row));
  EXPECT_EQ(values.add_named("m~another"), row.index[0]);
  EXPECT_EQ(schema.features.size(), 64);
  EXPECT_EQ(values.add_named("n"), 64);
}

TEST(ValueFeatures, CategoriesBeyondTheVocabularyShareAFeature) {
  Schema schema;
  schema.named_features = true;
  schema.vocabulary = 2;
  const auto add = [&](ValueFeatures& values, const char* column, const char* value) {
    Row row;
    EXPECT_TRUE(values.add_category(column, value, row));
    return schema.features.name(row.index.at(0));
  };
  {
    ValueFeatures values(schema);
    EXPECT_EQ(add(values, "c", "red"), "c=red");
    EXPECT_EQ(add(values, "d", "red"), "d=red");
    EXPECT_EQ(add(values, "c", "blue"), "c=blue");
    EXPECT_EQ(add(values, "c", "green"), "c=(other)");
    EXPECT_EQ(add(values, "d", "green"), "d=green");  // a column of its own
  }
  ValueFeatures again(schema);  // counts what is there
  EXPECT_EQ(add(again, "c", "red"), "c=red");
  EXPECT_EQ(add(again, "c", "black"), "c=(other)");
  EXPECT_EQ(add(again, "d", "black"), "d=(other)");
  EXPECT_EQ(schema.features.name(*again.add_named("c=white")), "c=(other)");
  schema.vocabulary = 0;
  EXPECT_EQ(add(again, "c", "white"), "c=white");
}

TEST(ValueFeatures, WhatIsTakenBackMakesRoomAgain) {
  Schema schema = schema_with_text();
  schema.vocabulary = 1;
  NamedFeatures features(schema);
  Row row;
  features.begin(row);
  for (const char* name : {"c", "m"}) {
    ASSERT_TRUE(features.name(name));
    ASSERT_TRUE(features.put(std::string_view("one two")));
  }
  features.undo();
  EXPECT_EQ(schema.features.size(), 0);
  features.begin(row);
  ASSERT_TRUE(features.name("m"));
  ASSERT_TRUE(features.put(std::string_view("two")));
  ASSERT_TRUE(features.name("c"));
  ASSERT_TRUE(features.put(std::string_view("three")));
  EXPECT_FALSE(features.finish());
  EXPECT_THAT(schema.features.names(), ElementsAre("m~two", "c=three"));
  EXPECT_THAT(row.index, ElementsAre(0, 1));
}

TEST(ValueFeatures, ADateIsADayAnHourAndAWeekday) {
  Schema schema;
  schema.named_features = true;
  schema.dates = {"at"};
  NamedFeatures features(schema);
  Row row;
  features.begin(row);
  ASSERT_TRUE(features.name("at"));
  ASSERT_TRUE(features.put(std::string_view(" 2026-11-16T22:30Z")));
  EXPECT_THAT(named(schema, row), UnorderedElementsAre(Pair("at.day", 9816), Pair("at.hour", 22.5),
                                                       Pair("at.weekday=mon", 1)));
  for (const char* nothing : {"", "NA"}) {
    features.begin(row);
    ASSERT_TRUE(features.name("at"));
    EXPECT_TRUE(features.put(std::string_view(nothing)));
    EXPECT_THAT(row.index, SizeIs(0));
  }
  features.begin(row);
  ASSERT_TRUE(features.name("at"));
  EXPECT_FALSE(features.put(20.0));
  EXPECT_EQ(features.problem(),
            "expected a date such as 2026-11-16 or 2026-11-16T22:37 for \"at\", found \"20\"; null "
            "or a word for a missing value would do");
}

}  // namespace
}  // namespace soba
