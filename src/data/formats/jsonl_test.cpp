#include "data/formats/jsonl.h"

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::Example;
using ::testing::HasSubstr;
using Examples = std::vector<Example>;

SourceOptions jsonl() {
  SourceOptions options;
  options.format = "jsonl";
  options.labels = {"a", "7", "true", "18446744073709551615"};
  return options;
}

Examples read(std::string_view text, const SourceOptions& options = jsonl(), Schema schema = {}) {
  return testing::read_text(text, options, std::move(schema));
}

std::string bad(std::string_view text, const SourceOptions& options = jsonl(), Schema schema = {}) {
  return error_of([&] { read(text, options, std::move(schema)); });
}

SourceOptions model_jsonl() {
  SourceOptions options;
  options.format = "jsonl";
  return options;
}

Schema index_schema() {
  Schema schema;
  for (const char* label : {"a", "7"}) schema.labels.add(label);
  return schema;
}

TEST(Jsonl, ReadsObjectsOfNumbersTextsAndBooleans) {
  EXPECT_EQ(read(R"({"label":"a","x":{"n":1.5,"c":"red","t":true,"f":false,"z":null}})"),
            (Examples{{"a", {{"n", 1.5}, {"c=red", 1}, {"t", 1}}}}));
}

TEST(Jsonl, ReadsArraysByPosition) {
  EXPECT_EQ(read(R"({"label":"a","x":[5,0,null,"u",2]})"),
            (Examples{{"a", {{"0", 5}, {"3=u", 1}, {"4", 2}}}}));
}

TEST(Jsonl, LabelsAreTextsWholeNumbersAndBooleans) {
  EXPECT_EQ(read(R"({"label":7,"x":{}}
{"label":true,"x":{}}
{"label":18446744073709551615,"x":{}}
)"),
            (Examples{{"7", {}}, {"true", {}}, {"18446744073709551615", {}}}));
  EXPECT_EQ(bad(R"({"x":{}, "label": 7.5})"),
            "test:1:19: expected a text, a whole number or a boolean as the label, found a number");
}

TEST(Jsonl, OtherKeysBlankLinesAndLineEndsDoNotMatter) {
  EXPECT_EQ(read("\xEF\xBB\xBF{\"id\":[1,{}],\"x\":{\"n\":1},\"label\":\"a\"}\r\n\r\n "
                 "\t\n{\"label\":\"a\",\"x\":[]}"),
            (Examples{{"a", {{"n", 1}}}, {"a", {}}}));
}

TEST(Jsonl, FeaturesInAnyOrderComeOutSorted) {
  EXPECT_EQ(read("{\"label\":\"a\",\"x\":{\"p\":1,\"q\":2}}\n{\"label\":\"a\",\"x\":{\"r\":3,\"q\":"
                 "5,\"p\":4}}"),
            (Examples{{"a", {{"p", 1}, {"q", 2}}}, {"a", {{"p", 4}, {"q", 5}, {"r", 3}}}}));
}

TEST(Jsonl, TheLabelMayHaveAnotherKey) {
  SourceOptions options = jsonl();
  options.label = "y";
  EXPECT_EQ(read(R"({"y":"a","x":{"label":1}})", options), (Examples{{"a", {{"label", 1}}}}));
  options.label = "x";
  error_of([&] { read(R"({"x":"a"})", options); }, ErrorKind::kUsage);
}

TEST(Jsonl, AMissingLabelIsBadOnlyWhereLabelsAreNeeded) {
  EXPECT_EQ(bad("{\"label\":\"a\",\"x\":{}}\n{\"x\":{}}"),
            "test:2:1: expected a label under the key \"label\"");
  EXPECT_EQ(bad(R"({"label":null,"x":{}})"), "test:1:1: expected a label under the key \"label\"");
  SourceOptions options = jsonl();
  options.need_labels = false;
  EXPECT_EQ(read(R"({"x":{"n":1}})", options), (Examples{{"?", {{"n", 1}}}}));
}

TEST(Jsonl, SyntaxErrorsAreLocated) {
  const auto starts = [](std::string_view text, const std::string& place) {
    EXPECT_THAT(bad(text), ::testing::StartsWith("test:" + place + ": expected JSON, found "));
  };
  starts("{\"label\":\"a\",\"x\":{}}\n{\"label\":a}", "2:10");
  starts("{\"label\":\"a\",\"x\":{\"n\":01}}", "1:23");
  starts("{\"label\":\"a\",\"x\":{\"n\":1,}}", "1:25");
  starts("{\"label\":\"a\",\"x\":{}", "1:20");
  starts("{\"label\":\"a", "1:10");
  starts("{\"label\":\"a\",\"x\":{}} {}", "1:22");
  starts("{\"label\":\"a\",\"x\":{\"n\":1e999}}", "1:23");
  starts("nonsense", "1:1");
  starts("{\"label\":\"a\\", "1:10");
  starts("{\"label\":\"\xff\",\"x\":{}}", "1:1");
}

TEST(Jsonl, MistakesOfMeaningAreLocated) {
  EXPECT_EQ(bad("[1]"), "test:1:1: expected an object with the key \"x\", found an array");
  EXPECT_EQ(bad(R"({"label":"a"})"), "test:1:1: expected the features under the key \"x\"");
  EXPECT_EQ(bad(R"({"label":"a", "x": 5})"),
            "test:1:20: expected an object or an array of features in \"x\", found a number");
  EXPECT_EQ(bad(R"({"label":"a","x":{"p":1,"q":[2]}})"),
            "test:1:25: expected a number, a text, a boolean or null for \"q\", found an array");
  EXPECT_EQ(bad(R"({"label":"a","x":[1,{}]})"),
            "test:1:21: expected a number, a text, a boolean or null for \"1\", found an object");
  EXPECT_EQ(bad(R"({"label":"a","label":"a","x":[]})"), "test:1:10: key \"label\" appears twice");
  EXPECT_EQ(bad("{\"label\":\"a\",\"x\":{}}\n{\"x\":{}, \"label\":\"q\"}"),
            "test:2:18: label \"q\" is not in the label set (a, 7, true, 18446744073709551615)");
}

TEST(Jsonl, RepeatedKeysAreAnErrorWhateverTheirValues) {
  for (const char* x :
       {R"("p":1,"p":2)", R"("p":"u","p":"v")", R"("p":null,"p":1)", R"("p":1,"\u0070":1)"}) {
    EXPECT_THAT(bad(std::string(R"({"label":"a","x":{)") + x + "}}"),
                HasSubstr("\"p\" appears twice"))
        << x;
  }
  EXPECT_THAT(bad(R"({"label":"a","x":{"p=u":1,"p":"u"}})"), HasSubstr("give the same feature"));
}

TEST(Jsonl, AModelOfIndicesTakesIndicesAsNamesAndArraysByPosition) {
  EXPECT_EQ(read("{\"label\":\"a\",\"x\":{\"3\":1,\"1\":2}}\n{\"label\":\"a\",\"x\":[5,0,6]}",
                 model_jsonl(), index_schema()),
            (Examples{{"a", {{"1", 2}, {"3", 1}}}, {"a", {{"1", 5}, {"3", 6}}}}));
  EXPECT_THAT(bad(R"({"label":"a","x":{"0":1}})", model_jsonl(), index_schema()),
              HasSubstr("expected an index from 1 to 16777216"));
  EXPECT_THAT(bad(R"({"label":"a","x":{"1":"u"}})", model_jsonl(), index_schema()),
              HasSubstr("features are indices"));
  EXPECT_THAT(bad(R"({"label":"a","x":["u"]})", model_jsonl(), index_schema()),
              HasSubstr("features are indices"));
}

TEST(Jsonl, AModelTaughtWithCsvKeepsTheKindsOfItsColumns) {
  Schema schema = index_schema();
  schema.named_features = true;
  schema.columns = {"zip", "age"};
  schema.text_columns = {0};
  schema.features.add("age");
  EXPECT_EQ(read(R"({"label":"a","x":{"zip":123,"age":4}})", model_jsonl(), schema),
            (Examples{{"a", {{"zip=123", 1}, {"age", 4}}}}));
  EXPECT_EQ(
      bad(R"({"label":"a","x":{"age":"old"}})", model_jsonl(), schema),
      "test:1:19: expected a number for \"age\", found the text \"old\"; null or a word for a "
      "missing value would do");
}

// As the header of a CSV file would be; a new value of a column of texts is no new name.
TEST(Jsonl, AModelTaughtWithCsvTakesNoOtherNames) {
  Schema schema = index_schema();
  schema.named_features = true;
  schema.columns = {"zip", "age"};
  schema.text_columns = {0};
  schema.features.add("age");
  EXPECT_EQ(bad(R"({"label":"a","x":{"zip":"1","Age":4}})", model_jsonl(), schema),
            "test:1:29: \"Age\" is not a column of the model; did you mean \"age\"?");
  EXPECT_EQ(read(R"({"label":"a","x":{"zip":"new"}})", model_jsonl(), schema),
            (Examples{{"a", {{"zip=new", 1}}}}));
  schema.columns.clear();
  schema.text_columns.clear();
  EXPECT_EQ(read(R"({"label":"a","x":{"Age":4}})", model_jsonl(), schema),
            (Examples{{"a", {{"Age", 4}}}}));
}

TEST(JsonFeatures, UnknownNamesAreRefusedIgnoredOrLearnt) {
  Schema schema;
  schema.named_features = true;
  schema.features.add("n");
  schema.features.add("c=red");
  simdjson::dom::parser parser;
  Row row;
  const auto x = [&](std::string_view text) {
    return parser.parse(text.data(), text.size()).value();
  };
  JsonFeatures ignoring(schema, Unknown::kIgnore);
  EXPECT_FALSE(ignoring.read(x(R"({"c":"red","n":2,"new":3,"c2":[]})"), row));
  EXPECT_THAT(row.index, ElementsAre(0, 1));
  EXPECT_THAT(row.value, ElementsAre(2, 1));
  EXPECT_EQ(ignoring.ignored(), 2);
  EXPECT_TRUE(ignoring.read(x(R"({"n":1,"n":2})"), row));
  JsonFeatures refusing(schema, Unknown::kRefuse);
  EXPECT_FALSE(refusing.read(x(R"({"c":"red","n":2})"), row));
  EXPECT_EQ(refusing.read(x(R"({"c":"red","N":2})"), row)->message,
            "\"N\" is not a column of the model; did you mean \"n\"?");
  EXPECT_EQ(schema.features.size(), 2);
  JsonFeatures learning(schema);
  EXPECT_FALSE(learning.read(x(R"({"c":"red","n":2,"new":3,"c2":"blue"})"), row));
  EXPECT_THAT(row.index, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(schema.features.names(), ElementsAre("n", "c=red", "new", "c2=blue"));
}

TEST(Jsonl, KeysCanBeDeclared) {
  SourceOptions options;
  options.format = "jsonl";
  options.labels = {"a", "b"};
  options.categorical = {"zip"};
  options.ignore = {"id"};
  options.missing = {"?"};
  EXPECT_EQ(read(R"({"label":"a","x":{"id":[1],"zip":80331,"n":1,"c":"?"}})", options),
            (Examples{{"a", {{"zip=80331", 1}, {"n", 1}}}}));
}

TEST(JsonPlace, FindsKeysWrittenWithEscapes) {
  EXPECT_EQ(json_place(R"({"a":[1,2], "\u0078": {"p": 1, "q": 2}})", "x", std::nullopt), 22U);
  EXPECT_EQ(json_place(R"({"a":[1,2], "\u0078": {"p": 1, "q": 2}})", "x", 1), 31U);
  EXPECT_EQ(json_place(R"({"a":[1, 2]})", "a", 1), 9U);
  EXPECT_EQ(json_place(R"({"a":1})", "b", std::nullopt), 0U);
}

}  // namespace
}  // namespace soba
