#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cmath>
#include <limits>

#include "data/formats/jsonl.h"
#include "data/preparation.h"
#include "soba/decide.h"
#include "soba/error.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Schema named() { return named_schema({"a", "b"}); }

// Features by name, as an example has them.
std::vector<std::pair<std::string, double>> listed(const Schema& schema, const Features& x) {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all.emplace_back(schema.feature_name(x.feature(i)), x.value[i]);
  }
  return all;
}

std::string refusal(Encoder& encoder, std::initializer_list<NamedValue> values) {
  try {
    encoder.encode(values);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "accepted";
}

TEST(Value, KnowsItsTypes) {
  const auto is = []<class T>(const Value& value, T expected) {
    return value.held() == Value::Variant(std::in_place_type<T>, expected);
  };
  const std::string text = "text";
  EXPECT_TRUE(is("de", std::string_view("de")));  // not a boolean
  EXPECT_TRUE(is(text, std::string_view("text")));
  EXPECT_TRUE(is(std::string_view("view"), std::string_view("view")));
  EXPECT_TRUE(is(3, std::int64_t{3}));  // a number, not a boolean
  EXPECT_TRUE(is(3U, std::uint64_t{3}));
  EXPECT_TRUE(is(1.5F, 1.5));
  EXPECT_TRUE(is(true, true));
  EXPECT_TRUE(is({}, std::monostate{}));
}

TEST(Encoder, EveryKindOfValue) {
  Schema schema = named();
  Encoder encoder(schema);
  const Features x = encoder.encode({{"amount", 120.5},
                                     {"count", 3},
                                     {"country", "de"},
                                     {"new", true},
                                     {"old", false},
                                     {"gone", {}}});
  EXPECT_THAT(listed(schema, x), ElementsAre(std::pair("amount", 120.5), std::pair("count", 3.0),
                                             std::pair("country=de", 1.0), std::pair("new", 1.0)));
  EXPECT_THAT(schema.features.names(), ElementsAre("amount", "count", "country=de", "new", "old"));
  EXPECT_EQ(encoder.encode({}).size(), 0U);
}

TEST(Encoder, PreparesAsTheSchemaSays) {
  Schema schema = named();
  schema.features.add("u");
  schema.features.add("v");
  schema.scale = Scale::kMinMax;
  schema.low = {0, -1};
  schema.span = {2, 2};
  schema.normalize = Normalize::kL2;
  schema.bias = true;
  Encoder encoder(schema);
  EXPECT_THAT(listed(schema, encoder.encode({{"u", 6.0 / 4}, {"v", 1.0}})),
              ElementsAre(std::pair("bias", 1.0), std::pair("u", 0.6), std::pair("v", 0.8)));
  // What is missing is 0, which is not the lowest value of v.
  EXPECT_THAT(listed(schema, encoder.encode({})),
              ElementsAre(std::pair("bias", 1.0), std::pair("v", 1.0)));
}

TEST(Encoder, DeclaredColumnsKeepTheirKind) {
  Schema schema = named();
  schema.columns = {"zip", "age"};
  schema.text_columns = {0};
  schema.features.add("age");
  Encoder encoder(schema);
  EXPECT_THAT(listed(schema, encoder.encode({{"zip", 123}, {"age", 4}})),
              ElementsAre(std::pair("age", 4.0), std::pair("zip=123", 1.0)));
  EXPECT_THAT(listed(schema, encoder.encode({{"zip", std::numeric_limits<std::uint64_t>::max()}})),
              ElementsAre(std::pair("zip=18446744073709551615", 1.0)));
  EXPECT_THAT(listed(schema, encoder.encode({{"zip", true}})),
              ElementsAre(std::pair("zip=true", 1.0)));
  EXPECT_EQ(refusal(encoder, {{"age", "old"}}),
            "expected a number for \"age\", found the text \"old\"; null or a word for a missing "
            "value would do");
  EXPECT_EQ(refusal(encoder, {{"age", "31"}}),
            "expected a number for \"age\", found the text \"31\"; write it without quotes");
  for (const char* missing : {"NA", "n/a", "-", "", " "}) {
    EXPECT_EQ(encoder.encode({{"age", missing}}).size(), 0U) << missing;
  }
  EXPECT_EQ(encoder.encode({{"zip", "none"}}).size(), 1U);  // a word like any other
}

Schema with_columns() {
  Schema schema = named();
  schema.columns = {"plan", "age"};
  schema.text_columns = {0};
  schema.features.add("age");
  schema.features.add("plan=pro");
  return schema;
}

TEST(Encoder, AnUnknownColumnIsRefusedWhereAFileNamedThem) {
  Schema schema = with_columns();
  Encoder encoder(schema);
  EXPECT_EQ(refusal(encoder, {{"AGE", 31}}),
            "\"AGE\" is not a column of the model; did you mean \"age\"?");
  EXPECT_EQ(refusal(encoder, {{"plam", "pro"}}),
            "\"plam\" is not a column of the model; did you mean \"plan\"?");
  EXPECT_EQ(refusal(encoder, {{"0", 31}}),
            "\"0\" is not a column of the model; there are plan, age");
  // A new value of a known column is learnt.
  EXPECT_THAT(listed(schema, encoder.encode({{"plan", "free"}, {"age", 2}})),
              ElementsAre(std::pair("age", 2.0), std::pair("plan=free", 1.0)));
  EXPECT_THAT(schema.features.names(), ElementsAre("age", "plan=pro", "plan=free"));
}

TEST(Encoder, AnUnknownColumnCanBeIgnoredOrLearnt) {
  Schema schema = with_columns();
  Encoder ignoring(schema, "ignore");
  EXPECT_THAT(listed(schema, ignoring.encode({{"size", "xl"}, {"age", 2}, {"n", 1}})),
              ElementsAre(std::pair("age", 2.0)));
  EXPECT_EQ(ignoring.ignored(), 2);
  EXPECT_EQ(schema.features.size(), 2);
  Encoder learning(schema, "learn");
  EXPECT_EQ(learning.encode({{"size", "xl"}, {"age", 2}}).size(), 2U);
  EXPECT_EQ(schema.features.names().back(), "size=xl");
  EXPECT_THROW(Encoder(schema, "maybe"), Error);
  // What the schema ignores is always left out.
  schema.ignore = {"id"};
  EXPECT_EQ(Encoder(schema).encode({{"id", 17}}).size(), 0U);
}

TEST(Encoder, DatesFreeTextAndCategoriesAreThoseOfTheSchema) {
  Schema schema = named();
  schema.dates = {"at"};
  schema.text = {"m"};
  schema.categorical = {"zip"};
  schema.only = {"at", "m", "zip"};
  schema.vocabulary = 1;
  Encoder encoder(schema);
  EXPECT_THAT(
      listed(schema, encoder.encode(
                         {{"at", "2000-01-03"}, {"m", "No, REFUND no"}, {"zip", 80331}, {"n", 1}})),
      ElementsAre(std::pair("at.day", 2.0), std::pair("at.weekday=mon", 1.0),
                  std::pair("m~no", 2 / std::sqrt(5)), std::pair("m~refund", 1 / std::sqrt(5)),
                  std::pair("zip=80331", 1.0)));
  EXPECT_THAT(listed(schema, encoder.encode({{"zip", 80333}})),
              ElementsAre(std::pair("zip=(other)", 1.0)));
  EXPECT_THAT(refusal(encoder, {{"m", "new"}, {"at", "soon"}}), HasSubstr("expected a date"));
  EXPECT_EQ(schema.features.size(), 7);
}

TEST(Encoder, ARefusedXLeavesNoNames) {
  Schema schema = named();
  Encoder encoder(schema);
  encoder.encode({{"n", 1}});
  EXPECT_EQ(refusal(encoder, {{"m", 1}, {"c", "red"}, {"n", std::nan("")}}),
            "expected a finite number for \"n\", found nan");
  EXPECT_THAT(schema.features.names(), ElementsAre("n"));
  EXPECT_THAT(listed(schema, encoder.encode({{"c", "red"}, {"m", 2}, {"n", 3}})),
              ElementsAre(std::pair("n", 3.0), std::pair("c=red", 1.0), std::pair("m", 2.0)));
  encoder.encode({{"n", 1}, {"z", 1}});
  encoder.undo();
  EXPECT_EQ(schema.features.size(), 3);
  EXPECT_EQ(encoder.encode({{"z", 1}}).index[0], 3);
}

TEST(Encoder, NamesAreIndicesWhereTheSchemaHasNone) {
  Schema schema;
  Encoder encoder(schema);
  const Features x = encoder.encode({{"3", 2.0}, {"1", 5}});
  EXPECT_THAT(x.index, ElementsAre(0, 2));
  EXPECT_THAT(x.value, ElementsAre(5, 2));
  EXPECT_THAT(refusal(encoder, {{"amount", 1}}), ::testing::HasSubstr("\"amount\""));
  EXPECT_THAT(refusal(encoder, {{"1", "text"}}), ::testing::HasSubstr("\"1\""));
}

TEST(Encoder, AnErrorNamesTheFeature) {
  Schema schema = named();
  schema.bias = true;
  Encoder encoder(schema);
  EXPECT_EQ(refusal(encoder, {{"n", 1}, {"n", 2}}), "\"n\" appears twice");
  EXPECT_EQ(refusal(encoder, {{"n", std::nan("")}}),
            "expected a finite number for \"n\", found nan");
  EXPECT_THAT(refusal(encoder, {{"n", 1e51}}), ::testing::HasSubstr("\"n\""));
  EXPECT_EQ(refusal(encoder, {{"c=d", 1}, {"c", "d"}}), "two values give the feature \"c=d\"");
  EXPECT_EQ(refusal(encoder, {{"n", 1}}), "accepted");  // whatever was refused before
}

// JSON Lines and the encoder give the same features and learn the same names.
TEST(Encoder, AgreesWithJson) {
  Schema one = named(), two = named();
  one.columns = two.columns = {"zip", "age"};
  one.text_columns = two.text_columns = {0};
  Encoder encoder(one, "learn");
  JsonFeatures features(two);
  Preparation preparation(two);
  const std::vector<std::pair<std::string, std::vector<NamedValue>>> cases = {
      {R"({"age":31,"plan":"pro","new":true,"gone":null})",
       {{"age", 31}, {"plan", "pro"}, {"new", true}, {"gone", {}}}},
      {R"({"zip":1e3,"plan":2.5,"new":false})", {{"zip", 1e3}, {"plan", 2.5}, {"new", false}}},
      {R"({"zip":0.1,"plan":""})", {{"zip", 0.1}, {"plan", ""}}},
      {R"({"zip":-7,"other":-7})", {{"zip", -7}, {"other", -7}}},
  };
  simdjson::dom::parser parser;
  for (const auto& [json, values] : cases) {
    Row row;
    ASSERT_FALSE(features.read(parser.parse(json).value(), row));
    Block block;
    preparation.append(row.features(), kNoLabel, block);
    EXPECT_EQ(listed(one, encoder.encode(values)), listed(two, block.features(0))) << json;
  }
  EXPECT_EQ(one.features.names(), two.features.names());
}

}  // namespace
}  // namespace soba
