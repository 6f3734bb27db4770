#include <cmath>
#include <limits>

#include "data/testing.h"

namespace soba {
namespace {

using testing::error_of;
using testing::Example;
using ::testing::HasSubstr;
using testing::read_text;
using Examples = std::vector<Example>;

// Feature 1: absent, 2, 4. Feature 2: −1, absent, 3. Feature 3: 5 everywhere. Feature 4: 2, 6, 10.
constexpr std::string_view kData =
    "a 2:-1 3:5 4:2\n"
    "b 1:2 3:5 4:6\n"
    "a 1:4 2:3 3:5 4:10\n";

SourceOptions with(const std::string& scale) {
  SourceOptions options;
  options.format = "libsvm";
  options.scale = scale;
  return options;
}

Schema loaded(Scale scale, std::vector<double> low, std::vector<double> span) {
  Schema schema;
  schema.labels.add("a");
  schema.labels.add("b");
  schema.scale = scale;
  schema.low = std::move(low);
  schema.span = std::move(span);
  return schema;
}

TEST(Preparation, MaxAbsDividesByTheGreatestMagnitude) {
  EXPECT_EQ(read_text(kData, with("maxabs")),
            (Examples{{"a", {{"2", -1.0 / 3}, {"3", 1}, {"4", 0.2}}},
                      {"b", {{"1", 0.5}, {"3", 1}, {"4", 0.6}}},
                      {"a", {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}}}}));
}

TEST(Preparation, MinMaxMapsToTheUnitIntervalAndFillsInAbsentFeatures) {
  // Feature 1 ranges over [0, 4], 2 over [−1, 3] with absent = 0 -> 0.25, 3 is constant, 4 over [2,
  // 10].
  EXPECT_EQ(read_text(kData, with("minmax")),
            (Examples{{"a", {}},
                      {"b", {{"1", 0.5}, {"2", 0.25}, {"4", 0.5}}},
                      {"a", {{"1", 1}, {"2", 1}, {"4", 1}}}}));
}

TEST(Preparation, MinMaxFillsInBehindTheLastFeatureToo) {
  EXPECT_EQ(read_text("a 9:-2\nb 1:1\n", with("minmax")),
            (Examples{{"a", {}}, {"b", {{"1", 1}, {"9", 1}}}}));
}

TEST(Preparation, AnExplicitZeroOfANumericColumnIsAValue) {
  SourceOptions options = with("minmax");
  options.format = "csv";
  EXPECT_EQ(read_text("v,label\n0,a\n4,b\n1,a\n", options),
            (Examples{{"a", {}}, {"b", {{"v", 1}}}, {"a", {{"v", 0.25}}}}));
}

TEST(Preparation, FeaturesOutsideTheScanPassUnscaled) {
  const Schema schema = loaded(Scale::kMaxAbs, {0, 0}, {2, 1});
  SourceOptions options = with("none");
  EXPECT_EQ(read_text("a 1:3 2:5 7:7\n", options, schema),
            (Examples{{"a", {{"1", 1.5}, {"2", 5}, {"7", 7}}}}));
  // Index 2 lies within the scanned range but never came.
  EXPECT_EQ(read_text("a 3:4\nb 1:2\n", with("maxabs")).at(0), (Example{"a", {{"3", 1}}}));
}

TEST(Preparation, ScaledValuesStayFinite) {
  const Schema schema = loaded(Scale::kMaxAbs, {0}, {1e-300});
  const auto examples = read_text("a 1:1e40\n", with("none"), schema);
  EXPECT_EQ(examples.at(0).x.at("1"), kMaxValue);
}

TEST(Preparation, NormalizesToUnitLengthAndLeavesZeroAlone) {
  SourceOptions options = with("none");
  options.normalize = "l2";
  EXPECT_EQ(read_text("a 1:3 2:4\nb\n", options),
            (Examples{{"a", {{"1", 0.6}, {"2", 0.8}}}, {"b", {}}}));
}

TEST(Preparation, NormalizesVeryLargeAndVerySmallVectors) {
  SourceOptions options = with("none");
  options.normalize = "l2";
  for (const char* text : {"a 1:3e49 2:4e49\nb", "a 1:3e-200 2:4e-200\nb"}) {
    const auto x = read_text(text, options).at(0).x;
    EXPECT_NEAR(x.at("1"), 0.6, 1e-15);
    EXPECT_NEAR(x.at("2"), 0.8, 1e-15);
  }
}

TEST(Preparation, TheBiasIsFeatureZeroAndIsNotNormalized) {
  SourceOptions options = with("none");
  options.normalize = "l2";
  options.bias = true;
  EXPECT_EQ(read_text("a 1:3 2:4\nb\n", options),
            (Examples{{"a", {{"bias", 1}, {"1", 0.6}, {"2", 0.8}}}, {"b", {{"bias", 1}}}}));
}

TEST(Preparation, ScalesBeforeItNormalizes) {
  SourceOptions options = with("maxabs");
  options.normalize = "l2";
  EXPECT_EQ(read_text("a 1:30 2:8\nb 1:10 2:2\n", options).at(0),
            (Example{"a", {{"1", 1 / std::sqrt(2)}, {"2", 1 / std::sqrt(2)}}}));
}

}  // namespace
}  // namespace soba
