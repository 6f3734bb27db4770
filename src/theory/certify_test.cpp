#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "soba/lab/theory.h"
#include "soba/run.h"
#include "theory/bounds.h"
#include "theory/rules.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> theorems(const std::string& learner, const OptionValues& options,
                                  const Observation& seen) {
  std::vector<std::string> names;
  const LearnerChoice choice = choose_learner(learner, options);
  for (const theory::Rule& rule :
       theory::rules_for(choice.info->name, choice.options, seen, {{3, 4}, 100, 1, {}}).all) {
    names.push_back(rule.theorem);
  }
  return names;
}

TEST(Rules, OnlyWhatIsProvedIsSaid) {
  Observation seen;
  seen.state = {{"soba.gamma", 0.1}, {"soba.variance_sum", 3}, {"ridge.is_full", 1}};
  EXPECT_THAT(theorems("soba", {}, seen),
              ElementsAre("theorem-2", "fall-back-theorem-2", "theorem-2-worst-case",
                          "fall-back-theorem-2-worst-case", "large-a", "own-probabilities",
                          "fall-back-own-probabilities"));
  EXPECT_THAT(theorems("sobadiag", {}, seen), ElementsAre());
  EXPECT_THAT(theorems("soba", {{"explore", "gap"}}, seen),
              ElementsAre("own-probabilities", "fall-back-own-probabilities"));
  EXPECT_THAT(theorems("soba-ovr", {}, seen), ElementsAre());  // no gate
  const OptionValues gated = {{"gate", "on"}, {"covariance", "full"}, {"scale-free", "false"}};
  EXPECT_THAT(theorems("soba-ovr", gated, seen),
              ElementsAre("one-vs-rest", "one-vs-rest-worst-case"));
  OptionValues constant = gated;
  constant["explore"] = "constant";
  EXPECT_THAT(theorems("soba-ovr", constant, seen),
              ElementsAre("one-vs-rest", "one-vs-rest-worst-case", "one-vs-rest-hinge"));
  EXPECT_THAT(theorems("perceptron", {}, seen), ElementsAre("theorem-1"));
  EXPECT_THAT(theorems("banditron", {}, seen), ElementsAre("banditron"));
  EXPECT_THAT(theorems("expconcave", {}, seen), ElementsAre());
  EXPECT_THAT(theorems("expconcave",
                       {{"covariance", "full"}, {"beta", "0"}, {"eps", "0"}, {"eta", "0"}}, seen),
              ElementsAre("algorithm-2"));
  EXPECT_THAT(theorems("bpa", {}, seen), ElementsAre());
  // A model of format version 1 does not know its Σ q'/p.
  seen.state["soba.variance_sum"] = -1;
  EXPECT_EQ(theorems("soba", {}, seen).size(), 5U);
}

// Runs as they are: 4 on the same data.
Certificate certificate_of(const std::string& learner, const OptionValues& options,
                           const std::string& data, int runs) {
  Source source(data, SourceOptions{}, Schema{});
  LearnerChoice choice = choose_learner(learner, options);
  CompetitorSettings settings = settings_for(choice);
  settings.points = 3;
  settings.epochs = 8;
  Competitors found = find_competitors(source, settings, {});
  std::vector<Observation> seen;
  for (int r = 0; r < runs; ++r) {
    Model model = new_model(learner, options, source, static_cast<std::uint64_t>(1 + r));
    seen.push_back(observe(source, model));
    choice = choose_learner(model.learner_name, model.options);
  }
  return certify(choice, std::move(seen), std::move(found));
}

TEST(Certify, ThePerceptronsBoundHoldsOnEveryRun) {
  const Certificate certificate = certificate_of("perceptron", {}, "synsep:n=1500,seed=1", 1);
  ASSERT_EQ(certificate.bounds.size(), 1U);
  const Bound& bound = certificate.bounds.front();
  EXPECT_TRUE(bound.holds && bound.every_run && !bound.vacuous);
  EXPECT_EQ(bound.curve.size(), certificate.mean.curve.size());
  for (std::size_t i = 0; i < bound.curve.size(); ++i) {
    EXPECT_GE(bound.curve[i] * (1 + 1e-9), certificate.mean.curve[i].mistakes);
  }
  EXPECT_NEAR(bound.curve.back(), bound.total, 1e-6 * bound.total);
  EXPECT_THAT(certificate.verdict(), HasSubstr("The guarantee (theorem-1) says at most"));
}

TEST(Certify, AShortRunIsVacuousAndItSaysFromWhenItIsNot) {
  const Certificate certificate =
      certificate_of("soba", {{"gamma", "0.05"}}, "synsep:n=600,seed=1", 2);
  const Bound* worst = nullptr;
  for (const Bound& bound : certificate.bounds) {
    EXPECT_TRUE(bound.holds) << bound.theorem;
    EXPECT_NEAR(bound.total,
                bound.competitor_loss + bound.regulariser + bound.quadratic + bound.exploration,
                1e-6 * bound.total);
    if (bound.theorem == "theorem-2-worst-case") worst = &bound;
  }
  ASSERT_NE(worst, nullptr);
  EXPECT_TRUE(worst->vacuous);
  EXPECT_GT(worst->useful_from, 600);
  EXPECT_LT(worst->useful_from, 1e12);
  EXPECT_EQ(certificate.facts.shape.features, 400);
}

TEST(Certify, TheOneVsRestBoundHolds) {
  const Certificate certificate = certificate_of("soba-ovr",
                                                 {{"gate", "on"},
                                                  {"covariance", "full"},
                                                  {"scale-free", "false"},
                                                  {"constant", "false"},
                                                  {"explore", "constant"}},
                                                 "synsep:n=600,seed=1", 2);
  ASSERT_EQ(certificate.bounds.size(), 3U);
  for (const Bound& bound : certificate.bounds) EXPECT_TRUE(bound.holds) << bound.theorem;
  EXPECT_LE(certificate.mean.mistakes, certificate.mean.events);
  EXPECT_EQ(certificate.competitors.front().loss, "one-vs-rest");
}

TEST(Certify, TheBoundOfAutoIsThatOfItsExactMember) {
  const Certificate wide = certificate_of("auto", {}, "synsep:n=500,seed=1", 1);
  EXPECT_TRUE(wide.bounds.empty());  // kd = 3600
  EXPECT_THAT(wide.verdict(), HasSubstr("No guarantee applies"));
  EXPECT_THAT(wide.remarks.front(), HasSubstr("no longer exact"));
}

TEST(Certify, AFitThatIsGivenUpLeavesValidCompetitors) {
  Source source("synsep:n=500,seed=1", SourceOptions{}, Schema{});
  const Competitors found =
      find_competitors(source, {}, [](const std::string&, double) { return false; });
  ASSERT_EQ(found.all.size(), 2U);  // the first, as far as it came, and U = 0
  EXPECT_EQ(found.all.back().powers[0], 500);
  EXPECT_EQ(found.facts.rounds, 500);
  EXPECT_EQ(found.facts.curve.back(), 500);
}

}  // namespace
}  // namespace soba
