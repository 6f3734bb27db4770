#include <gmock/gmock.h>

#include <functional>

#include "soba/error.h"
#include "soba/lab/plan.h"
#include "support/refusal.h"

namespace soba::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(PlanFile, SaysEverything) {
  const SweepPlan plan = parse_plan(R"({
    "comment": "a small one",
    "data": [{"name": "one", "data": "a.csv", "scale": "maxabs", "bias": true, "limit": 100},
             {"data": "synsep:n=10", "labels": ["a, b", "c"]}],
    "learners": ["sobadiag:a=2",
                 {"name": "tuned", "learner": "soba", "options": {"covariance": "exact"},
                  "grid": {"gamma": "2^-2..2^-1", "a": [1, 2]}, "data": ["one"]}],
    "seeds": "1..3"})",
                                    "plan.json");
  ASSERT_THAT(plan.data, SizeIs(2));
  EXPECT_EQ(plan.data[0].options,
            (OptionValues{{"scale", "maxabs"}, {"bias", "true"}, {"limit", "100"}}));
  EXPECT_EQ(plan.data[1].name, "synsep:n=10");
  EXPECT_EQ(plan.data[1].options, (OptionValues{{"labels", "\"a, b\",c"}}));
  ASSERT_THAT(plan.learners, SizeIs(2));
  EXPECT_EQ(plan.learners[0].learner, "sobadiag");
  EXPECT_EQ(plan.learners[0].options.at("a"), "2");
  EXPECT_THAT(plan.learners[1].axes[0].values, ElementsAre("2^-2", "2^-1"));
  EXPECT_THAT(plan.learners[1].axes[1].values, ElementsAre("1", "2"));
  EXPECT_THAT(plan.learners[1].data, ElementsAre("one"));
  EXPECT_THAT(plan.seeds, ElementsAre(1U, 2U, 3U));
}

TEST(PlanFile, ErrorsNameThePlace) {
  const auto says = [](const std::string& text) {
    return refusal([&] { parse_plan(text, "plan.json"); });
  };
  const std::string learners = R"("learners":["soba"]})";
  EXPECT_THAT(says("{"), HasSubstr("plan.json"));
  EXPECT_THAT(says(R"({"data":[{"data":"a"}]})"), HasSubstr("'learners' is missing"));
  EXPECT_THAT(says(R"({"data":[],)" + learners), HasSubstr("plan.json.data: expected a list"));
  EXPECT_THAT(says(R"({"data":[{"name":"x"}],)" + learners),
              HasSubstr("plan.json.data[0]: 'data' is missing"));
  EXPECT_THAT(says(R"({"data":[{"data":"a","scael":"none"}],)" + learners),
              HasSubstr("did you mean 'scale'?"));
  EXPECT_THAT(says(R"({"data":[{"data":"a","bias":1}],)" + learners),
              HasSubstr("plan.json.data[0].bias: expected true or false"));
  EXPECT_THAT(says(R"({"data":[{"data":"a","passes":0}],)" + learners),
              HasSubstr("plan.json.data[0]: passes: "));
  EXPECT_THAT(says(R"({"data":[{"data":"a"}],"learners":["soba:a"]})"),
              HasSubstr("'a' is not option=value"));
  EXPECT_THAT(refusal([] { read_plan("/nonexistent/plan.json"); }),
              HasSubstr("/nonexistent/plan.json: cannot open"));
}

TEST(PlanWords, AnAxisGoesToTheLearnersThatHaveIt) {
  std::vector<SweepLearner> learners = {parse_learner("soba"), parse_learner("perceptron")};
  add_axis("gamma=0.1,0.2", learners);
  EXPECT_THAT(learners[0].axes, SizeIs(1));
  EXPECT_THAT(learners[1].axes, SizeIs(0));
  EXPECT_THAT(refusal([&] { add_axis("nonsense=1", learners); }), HasSubstr("no learner of the"));
  EXPECT_THAT(refusal([&] { add_axis("gamma", learners); }), HasSubstr("expected option=values"));
}

TEST(PlanEdits, DroppedDataTakesItsLearnersAlong) {
  SweepPlan plan;
  plan.data = {{"a", "a", {}}, {"b", "b", {}}};
  plan.learners = {{"all", "soba", {}, {}, {}}, {"only a", "bpa", {}, {}, {"a"}}};
  rename_data(plan, "a", "c");
  EXPECT_THAT(plan.learners[1].data, ElementsAre("c"));
  drop_data(plan, "c");
  ASSERT_THAT(plan.data, SizeIs(1));
  ASSERT_THAT(plan.learners, SizeIs(1));
  EXPECT_EQ(plan.learners[0].name, "all");
}

}  // namespace
}  // namespace soba::lab
