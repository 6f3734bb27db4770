#include "data/schema.h"

#include <limits>
#include <variant>

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::ElementsAre;

using Value =
    std::variant<double, std::int64_t, std::string, std::vector<double>, std::vector<float>,
                 std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<std::string>>;
using Fields = std::map<std::string, Value, std::less<>>;

// Writes fields into a map, or reads them from it and notes what does not hold.
class MapVisitor : public StateVisitor {
 public:
  MapVisitor(Fields& fields, bool reading) : fields_(fields), reading_(reading) {}

  bool loading() const override { return reading_; }
  std::uint32_t version() const override { return 1; }
  void field(std::string_view n, double& v) override { any(n, v); }
  void field(std::string_view n, std::int64_t& v) override { any(n, v); }
  void field(std::string_view n, std::string& v) override { any(n, v); }
  void field(std::string_view n, std::vector<double>& v) override { any(n, v); }
  void field(std::string_view n, std::vector<float>& v) override { any(n, v); }
  void field(std::string_view n, std::vector<std::int32_t>& v) override { any(n, v); }
  void field(std::string_view n, std::vector<std::int64_t>& v) override { any(n, v); }
  void field(std::string_view n, std::vector<std::string>& v) override { any(n, v); }
  void require(bool holds, std::string_view what) override {
    if (!holds) broken.emplace_back(what);
  }

  std::vector<std::string> broken;

 private:
  template <class T>
  void any(std::string_view name, T& value) {
    if (reading_) {
      value = std::get<T>(fields_.find(name)->second);
    } else {
      fields_[std::string(name)] = value;
    }
  }
  Fields& fields_;
  bool reading_;
};

Schema full_schema() {
  Schema schema;
  for (const char* label : {"a", "b"}) schema.labels.add(label);
  for (const char* feature : {"n", "c=x", "c=y"}) schema.features.add(feature);
  schema.named_features = true;
  schema.columns = {"c", "n"};
  schema.text_columns = {0};
  schema.scale = Scale::kMinMax;
  schema.low = {-1, 0, 0};
  schema.span = {3, 1, 0};
  schema.normalize = Normalize::kL2;
  schema.bias = true;
  return schema;
}

Fields fields_of(Schema schema) {
  Fields fields;
  MapVisitor writer(fields, false);
  schema.visit(writer);
  EXPECT_TRUE(writer.broken.empty());
  return fields;
}

std::vector<std::string> read_back(Fields fields, Schema& schema) {
  MapVisitor reader(fields, true);
  schema.visit(reader);
  return reader.broken;
}

TEST(Schema, ComesBackFromItsFields) {
  Schema schema;
  EXPECT_THAT(read_back(fields_of(full_schema()), schema), ElementsAre());
  EXPECT_EQ(schema.labels.find("b"), 1);
  EXPECT_EQ(schema.features.find("c=y"), 2);
  EXPECT_EQ(schema.features.add("new"), 3);
  EXPECT_EQ(schema.scale, Scale::kMinMax);
  EXPECT_EQ(schema.normalize, Normalize::kL2);
  EXPECT_TRUE(schema.bias);
  EXPECT_TRUE(schema.named_features);
  EXPECT_FALSE(schema.zero_based);
  EXPECT_THAT(schema.columns, ElementsAre("c", "n"));
  EXPECT_THAT(schema.low, ElementsAre(-1, 0, 0));
}

TEST(Schema, RequiresWhatLaterCodeReliesOn) {
  const std::vector<std::pair<const char*, Value>> changes = {
      {"schema.labels", std::vector<std::string>{"a", "a"}},
      {"schema.features", std::vector<std::string>{"n", "n"}},
      {"schema.named_features", std::int64_t{0}},
      {"schema.named_features", std::int64_t{2}},
      {"schema.zero_based", std::int64_t{-1}},
      {"schema.columns", std::vector<std::string>{"c", "c"}},
      {"schema.text_columns", std::vector<std::int32_t>{2}},
      {"schema.text_columns", std::vector<std::int32_t>{-1}},
      {"schema.text_columns", std::vector<std::int32_t>{1, 1}},
      {"schema.scale", std::int64_t{3}},
      {"schema.scale", std::int64_t{0}},
      {"schema.low", std::vector<double>{0}},
      {"schema.low", std::vector<double>{0, 0, std::numeric_limits<double>::quiet_NaN()}},
      {"schema.span", std::vector<double>{1, 1, -1}},
      {"schema.span", std::vector<double>{1, 1, std::numeric_limits<double>::infinity()}},
      {"schema.normalize", std::int64_t{2}},
      {"schema.bias", std::int64_t{7}},
  };
  for (const auto& [name, value] : changes) {
    Fields fields = fields_of(full_schema());
    fields[name] = value;
    Schema schema;
    EXPECT_FALSE(read_back(fields, schema).empty()) << name;
  }
}

TEST(Schema, NamesFeatures) {
  Schema schema;
  EXPECT_EQ(schema.feature_name(0), "1");
  schema.zero_based = true;
  EXPECT_EQ(schema.feature_name(0), "0");
  schema.bias = true;
  EXPECT_EQ(schema.feature_name(0), "bias");
  EXPECT_EQ(schema.feature_name(5), "4");
  EXPECT_EQ(full_schema().feature_name(0), "bias");
  EXPECT_EQ(full_schema().feature_name(2), "c=x");
}

TEST(Schema, FindsFeaturesByName) {
  Schema schema;
  EXPECT_EQ(find_feature(schema, "1"), 0);
  EXPECT_EQ(find_feature(schema, "16777216"), kMaxFeatures - 1);
  for (const char* name : {"0", "16777217", "-1", "x", "", "1x", "99999999999"}) {
    EXPECT_FALSE(find_feature(schema, name)) << name;
    EXPECT_FALSE(add_feature(schema, name)) << name;
  }
  schema.bias = true;
  EXPECT_FALSE(find_feature(schema, "16777216"));
  Schema named = full_schema();
  EXPECT_EQ(find_feature(named, "c=x"), 1);
  EXPECT_FALSE(find_feature(named, "1"));
  EXPECT_EQ(add_feature(named, "1"), 3);
}

TEST(NameMap, NumbersNamesInTheOrderOfAddition) {
  NameMap map;
  EXPECT_EQ(map.add("x"), 0);
  EXPECT_EQ(map.add("y"), 1);
  EXPECT_EQ(map.add("x"), 0);
  EXPECT_EQ(map.size(), 2);
  EXPECT_EQ(map.name(1), "y");
  EXPECT_FALSE(map.find("z"));
}

TEST(Block, AppendsAndClears) {
  Block block;
  const std::vector<Index> index = {1, 4};
  const std::vector<double> value = {2, 3};
  block.append({index, value}, 5);
  block.append({}, kNoLabel);
  EXPECT_EQ(block.size(), 2U);
  EXPECT_EQ(block.features(0).index[1], 4);
  EXPECT_EQ(block.features(1).size(), 0U);
  block.clear();
  EXPECT_EQ(block.size(), 0U);
  EXPECT_THAT(block.begin, ElementsAre(0));
}

}  // namespace
}  // namespace soba
