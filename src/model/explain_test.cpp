#include "soba/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "soba/error.h"
#include "soba/play.h"
#include "support/every_learner.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using testing::random_problem;

// Learners whose scores are not linear in x.
const std::set<std::string> kNotLinear = {"confidit", "second-order-perceptron"};

TEST(Explain, EveryLearnerButTheKnownOnesAddsUp) {
  const testing::Problem problem = random_problem(61, {4, 6}, 500, {0.7, 1, false});
  for (const testing::Form& form : testing::every_form()) {
    SCOPED_TRACE(testing::form_name(form));
    Model model = new_model(form.learner, form.options, {4, 6}, 1);
    play(problem.block, model, [](const Played&) {});
    if (kNotLinear.contains(form.learner)) {
      EXPECT_THROW(weights(model, 3), Error);
      continue;
    }
    const Weights all = weights(model, 6);
    for (std::size_t i = 0; i < 30; ++i) {
      const Features x = problem.block.features(i);
      const Explanation found = explain(model, x, 2);
      ASSERT_GE(found.lead, 0);
      ASSERT_LE(found.features.size(), 2U);
      double sum = found.constant + found.rest;
      for (const Contribution& one : found.features) sum += one.amount;
      ASSERT_NEAR(sum, found.lead, 1e-5 * (1 + found.lead));
      // The same by the weights, which were found one feature at a time.
      const auto of = [&](const std::string& label, const std::string& feature) {
        const LabelWeights& its = all.labels[std::stoul(label)];
        EXPECT_EQ(its.label, label);
        const auto named = [&](const NamedWeight& weight) { return weight.feature == feature; };
        const auto weight = std::find_if(its.features.begin(), its.features.end(), named);
        return weight == its.features.end() ? 0.0 : weight->weight;
      };
      for (const Contribution& one : found.features) {
        const double difference = of(found.label, one.feature) - of(found.over, one.feature);
        ASSERT_NEAR(one.amount, one.value * difference, 1e-4 * (1 + std::fabs(one.amount)));
      }
    }
  }
}

TEST(Explain, ScoresThatAreNoSumAreRefused) {
  const testing::Problem problem = random_problem(64, {3, 4}, 300, {1, 1, false});
  Model model = new_model("confidit", {}, {3, 4}, 1);
  play(problem.block, model, [](const Played&) {});
  EXPECT_THROW(explain(model, problem.block.features(0), 3), Error);
}

TEST(Explain, NamesTheFeatureThatDecided) {
  Schema schema = named_schema({"a", "b", "c"});
  schema.bias = true;
  schema.features.add("good");
  schema.features.add("bad");
  Model model = new_model("bandit-arow", {}, std::move(schema), 1);
  Block block;  // "good" means a, "bad" means b; c is never right
  for (int i = 0; i < 50; ++i) {
    const std::vector<Index> index = {0, 1 + i % 2};
    const std::vector<double> value = {1, 2};
    block.append({index, value}, i % 2);
  }
  play(
      block, model, [](const Played&) {}, Feedback::kLabelled);
  const Explanation found = explain(model, block.features(0), 1);
  EXPECT_EQ(found.member, "");
  EXPECT_EQ(found.label, "a");
  ASSERT_EQ(found.features.size(), 1U);
  EXPECT_EQ(found.features[0].feature, "good");
  EXPECT_EQ(found.features[0].value, 2);
  EXPECT_GT(found.features[0].amount, 0);
  const std::vector<Label> allowed = {1, 2};
  const Explanation among = explain(model, block.features(0), 3, allowed);
  EXPECT_TRUE(among.label != "a" && among.over != "a");
  const std::vector<Label> only = {2};
  EXPECT_EQ(explain(model, block.features(0), 1, only).over, "");
  retire_label(model, "a");
  EXPECT_NE(explain(model, block.features(0), 1).label, "a");
  const Weights learnt = weights(model, 3);
  const auto of = [&](std::size_t label, std::string_view feature) {
    for (const NamedWeight& one : learnt.labels[label].features) {
      if (one.feature == feature) return one.weight;
    }
    return 0.0;
  };
  EXPECT_TRUE(of(0, "good") > 0 && of(0, "bad") < 0);
  EXPECT_TRUE(of(1, "good") < 0 && of(1, "bad") > 0);
}

TEST(Explain, AMixtureNamesTheMemberThatWeighsMost) {
  const testing::Problem problem = random_problem(62, {3, 4}, 300, {1, 1, false});
  Model model = new_model("auto", {}, {3, 4}, 1);
  play(problem.block, model, [](const Played&) {});
  EXPECT_EQ(explain(model, problem.block.features(0), 2).member, "soba-ovr");
  EXPECT_EQ(weights(model, 2).member, "soba-ovr");
}

TEST(Explain, OnlyTheLargestAreListedAndInOrder) {
  const testing::Problem problem = random_problem(63, {3, 200}, 400, {0.3, 1, false});
  Model model = new_model("bandit-arow", {}, {3, 200}, 1);
  play(problem.block, model, [](const Played&) {});
  const Weights few = weights(model, 3), all = weights(model, 1000);
  for (std::size_t label = 0; label < 3; ++label) {
    const std::vector<NamedWeight>& list = all.labels[label].features;
    const auto larger = [](const NamedWeight& a, const NamedWeight& b) {
      return std::fabs(a.weight) > std::fabs(b.weight);
    };
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), larger));
    ASSERT_EQ(few.labels[label].features.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(few.labels[label].features[i].feature, list[i].feature);
    }
  }
}

TEST(Explain, AsJson) {
  EXPECT_EQ(explanation_json({"soba-ovr", "a", "b", 3, 0.5, 1, {{"size", 2, 1.5}}}),
            R"({"member":"soba-ovr","label":"a","over":"b","lead":3.0,"constant":0.5,)"
            R"("features":[{"name":"size","value":2.0,"amount":1.5}],"rest":1.0})");
  EXPECT_EQ(explanation_json({"", "a", "", 0, 0, 0, {}}), R"({"label":"a"})");
  EXPECT_EQ(
      weights_json({"", {{"a", 0.5, {{"size", -1}}}}}),
      R"({"labels":[{"label":"a","constant":0.5,"features":[{"name":"size","weight":-1.0}]}]})");
}

}  // namespace
}  // namespace soba
