#include "learners/auto.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/testing.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/model.h"

namespace soba {
namespace {

std::string members(Shape shape, const OptionValues& options = {}) {
  return settle(choose_learner("auto", options), shape).options.at("members");
}

TEST(Auto, IsLedByOneVsRestSoba) {
  for (const Index features : {0, 54, 400}) {
    EXPECT_EQ(members({7, features}), "soba-ovr,soba-adaptive,bandit-arow-adaptive");
  }
}

TEST(Auto, OfTheFirstRuleTakesWhatTheBudgetAllows) {
  const std::string all = "sobadiag,bandit-arow-adaptive,squarecb-adaptive";
  for (const Index features : {0, 54, 400}) EXPECT_EQ(members({7, features}, {{"rule", "1"}}), all);
  EXPECT_EQ(members({7, 54}, {{"rule", "1"}, {"budget", "2.5"}}), "sobadiag,bandit-arow-adaptive");
  EXPECT_EQ(members({7, 54}, {{"rule", "1"}, {"budget", "1"}}), "sobadiag");
  EXPECT_EQ(settle(choose_learner("auto", {{"rule", "1"}}), {7, 54}).reason,
            "a budget of 6 pays for full matrices up to 79 and 61 features");
}

// The leader leaves everything open at first: its exploration at the rate 1 is the whole mixture.
// After a hit it claims x, with its prior weight of 0.99 beside one other.
TEST(Auto, PlaysWhatItsLeaderWouldExplore) {
  const auto learner = make_auto({4, 1}, {.members = "soba-ovr,bandit-arow"});
  const std::vector<double> one = {1};
  const std::vector<double> open = testing::scores_of(*learner, {{}, one});
  for (const double share : open) EXPECT_DOUBLE_EQ(share, 0.25);
  testing::answer(*learner, {{}, one}, 2, 0.25, true);
  const std::vector<double> claimed = testing::scores_of(*learner, {{}, one});
  EXPECT_DOUBLE_EQ(claimed[2], 1);  // both say so
  EXPECT_EQ(claimed[0], 0);
}

TEST(Auto, NobodyLosesWeightWhereAllAgree) {
  const auto learner = make_auto({4, 2}, {.members = "soba-ovr,bandit-arow"});
  EXPECT_EQ(learner->remarks().find("weights of the members: soba-ovr 0.995"), 0);
  const std::vector<Index> first = {0};
  const std::vector<double> one = {1};
  testing::answer(*learner, {first, one}, 2, 0.25, true);
  // Both advise label 2 for this x, so that nobody loses by it.
  testing::answer(*learner, {first, one}, 2, 1, false);
  EXPECT_EQ(learner->remarks().find("weights of the members: soba-ovr 0.995"), 0);
}

// The forms of the members, once x with so many features has been learnt.
std::string forms(Index features, const AutoOptions& options) {
  const auto learner = make_auto({2, 0}, options);
  const std::vector<double> x(static_cast<std::size_t>(features), 1.0);
  testing::answer(*learner, {{}, x}, 0, 0.5, true);
  return learner->remarks();
}

TEST(Auto, HandsOverToDiagonalsBeforeTheBudgetIsSpent) {
  const AutoOptions options{.rule = 1,
                            .members = "bandit-arow-adaptive,sobadiag,squarecb-adaptive"};
  const std::string start = "weights of the members: bandit-arow-adaptive 0.333 ";
  const std::string middle = ", sobadiag 0.333, squarecb-adaptive 0.333 ";
  EXPECT_EQ(forms(61, options), start + "(full matrices)" + middle + "(full matrices)");
  EXPECT_EQ(forms(79, options), start + "(full matrices)" + middle + "(diagonals)");
  EXPECT_EQ(forms(80, options), start + "(diagonals)" + middle + "(diagonals)");
  AutoOptions little = options;
  little.budget = 1e6;
  little.memory = 1;
  EXPECT_EQ(forms(200, little), start + "(full matrices)" + middle + "(full matrices)");
  EXPECT_EQ(forms(400, little), start + "(diagonals)" + middle + "(diagonals)");
}

// Under rule 2, SOBA is exact up to 100 cells for a unit of the budget.
TEST(Auto, ExactSobaIsAMemberWhileThatIsAffordable) {
  const AutoOptions options{.members = "soba-ovr,soba-adaptive,bandit-arow-adaptive"};
  const auto has = [](const std::string& text, const std::string& form) {
    return text.find("soba-adaptive 0.005 (" + form + ")") != std::string::npos;
  };
  EXPECT_TRUE(has(forms(300, options), "exact"));
  EXPECT_TRUE(has(forms(301, options), "diagonal"));
  AutoOptions little = options;
  little.budget = 1;
  EXPECT_TRUE(has(forms(50, little), "exact"));
  EXPECT_TRUE(has(forms(51, little), "diagonal"));
}

TEST(Auto, MembersMayBeGiven) {
  EXPECT_EQ(members({7, 54}, {{"members", "bpa,soba"}}), "bpa,soba");
  EXPECT_THROW(members({7, 54}, {{"members", "auto"}}), Error);
  EXPECT_THROW(members({7, 54}, {{"members", "perceptron"}}), Error);
}

TEST(Auto, ExploresLessAndLess) {
  for (const std::int64_t rule : {1, 2}) {
    const double scale = rule == 1 ? 0.2 : 0.0025;
    const auto learner = make_auto({4, 3}, {.rule = rule, .members = "sobadiag,bandit-arow"});
    const auto rate = [&](std::int64_t round) {
      const std::vector<double> scores(4);
      return std::get<ProportionalMix>(learner->exploration({round, scores, 0})).gamma;
    };
    EXPECT_DOUBLE_EQ(rate(1), scale * 2);
    EXPECT_DOUBLE_EQ(rate(10000), scale * 0.02);
  }
}

// The two rounds of exp4_test.cpp: SOBA, which ignores wrong guesses, errs and loses weight.
TEST(Auto, SaysHowMuchItsMembersCount) {
  const auto learner = make_auto({2, 2}, {.rule = 1, .members = "sobadiag,bandit-arow"});
  EXPECT_EQ(learner->remarks(), "weights of the members: sobadiag 0.500, bandit-arow 0.500");
  const std::vector<double> x = {1, 0};
  testing::answer(*learner, {{}, x}, 0, 0.5, false);
  testing::answer(*learner, {{}, x}, 0, 0.25, false);
  const double odds = std::exp(-2 * std::sqrt(std::log(2.0) / 3));
  EXPECT_EQ(learner->remarks(),
            fmt::format("weights of the members: bandit-arow {:.3f}, sobadiag {:.3f}",
                        1 / (1 + odds), odds / (1 + odds)));
}

TEST(Auto, ItsMemoryIsThatOfItsMembers) {
  const auto learner = make_auto({9, 400}, {.memory = 1, .members = "sobadiag,squarecb-full"});
  const std::vector<double> x(400, 1.0);
  EXPECT_THROW(learner->reserve({{}, x}), Error);
}

// Members that have met different features, and less memory than the full one would need for all.
TEST(Auto, AModelWhoseMemoryWasLoweredIsLoaded) {
  Model model = new_model("auto", {{"members", "sobadiag,squarecb-full"}}, {4, 0}, 1);
  Decider decider(model);
  const std::vector<double> narrow(10, 1.0);
  decider.decide("narrow", {{}, narrow});
  decider.feedback("narrow", true);
  change_option(model, "memory", "1");
  // SOBA alone knows more features.
  std::string bytes = write_model(model);
  Model wide =
      new_model("auto", {{"members", "sobadiag,squarecb-full"}, {"memory", "1"}}, {4, 400}, 1);
  EXPECT_EQ(predictor(wide.learner).shape().features, 400);
  EXPECT_EQ(write_model(read_model(write_model(wide))), write_model(wide));
  EXPECT_EQ(write_model(read_model(bytes)), bytes);
}

}  // namespace
}  // namespace soba
