#include "soba/lab/describe.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "soba/lab/rows.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

TEST(Describe, EveryLearnerHasItsPage) {
  const Json all = Json::parse(learners_json());
  ASSERT_EQ(all.size(), learners().size());
  const std::string document = learners_markdown();
  for (const LearnerInfo& info : learners()) {
    EXPECT_THAT(document, HasSubstr("\n## " + info.name + "\n"));
    EXPECT_EQ(Json::parse(learner_json(info))["options"].size(), info.options.size());
  }
}

TEST(Describe, AModelSaysWhatItIs) {
  Model model = new_model("sobadiag", {{"gamma", "0.25"}}, {3, 5}, 7);
  model.schema.labels.add("a");
  model.tally = {10, 8, 2, 1, 3};
  const Json found = Json::parse(model_json(model, {}));
  EXPECT_EQ(found["learner"], "soba");
  EXPECT_EQ(found["options"]["gamma"], 0.25);
  EXPECT_EQ(found["options"]["covariance"], "diagonal");
  EXPECT_EQ(found["error"], 0.25);
  EXPECT_EQ(found["labels"], Json({"a"}));
  EXPECT_EQ(found["scale"], "none");
  EXPECT_FALSE(found.contains("fields"));
  EXPECT_TRUE(Json::parse(model_json(model, {{"seed", "int64", 1, "7"}})).contains("fields"));
}

TEST(Describe, OptionsThatAreEmptyAreLeftOut) {
  EXPECT_EQ(options_text({{"a", "1"}, {"ridges", ""}, {"slack", "0"}}), "a 1, slack 0");
  EXPECT_EQ(options_text({{"ridges", ""}}), "");
}

TEST(Describe, ResultsHaveMeanAndDeviation) {
  RunResult one, two;
  one.tally = {100, 100, 10, 4, 3};
  two.tally = {100, 100, 20, 4, 3};
  const Json found = Json::parse(results_json({one, two}, false));
  EXPECT_EQ(found["runs"].size(), 2U);
  EXPECT_NEAR(found["mean"]["error"].get<double>(), 0.15, 1e-12);
  EXPECT_NEAR(found["std"]["error"].get<double>(), 0.0707106781, 1e-9);
  EXPECT_FALSE(found["runs"][0].contains("skipped"));
  EXPECT_TRUE(Json::parse(result_json(one, true)).contains("skipped"));
}

}  // namespace
}  // namespace soba::lab
