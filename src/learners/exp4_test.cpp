#include "learners/exp4.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/mixture.h"
#include "learners/testing.h"
#include "soba/error.h"
#include "soba/model.h"
#include "soba/play.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::Problem;
using testing::random_problem;
using testing::scores_of;

const std::vector<double> kOne = {1, 0};
const Features kX{{}, kOne};

std::vector<double> weights_of(const Learner& learner) {
  std::vector<double> weights;
  for (const auto& [name, q] : dynamic_cast<const Mixture&>(learner).weights())
    weights.push_back(q);
  return weights;
}

// k = 3, d = 2, Banditron and Bandit-AROW, η adaptive.
// Round 1: all scores tie, so the advice of both is (1/3, 1/3, 1/3). Label 0 is played with p = 1/3
//   and is wrong: ℓ = (1, 1), nothing to choose between them. Banditron: w_0 = −x. Bandit-AROW: w_0
//   = −x/2.
// Round 2: both advise (0, 1/2, 1/2). Label 1, p = 1/2, right: no loss. Banditron: its greedy label
//   is 1, w_1 += (2 − 1)·x. Bandit-AROW: w_1 = x/2. Both advise label 1.
// Round 3: label 1, p = 1, wrong: ℓ = (1, 1) again. Banditron: w_1 = 0, which ties with w_2.
//   Bandit-AROW: V = 1/2, w_1·x = 1/2 − (3/2)/(3/2)/2 = 0, the same.
// Round 4: both advise (0, 1/2, 1/2). Label 2, p = 1/2, right. Banditron: greedy label 1, w_1 = −x,
//   w_2 = 2x. Bandit-AROW: w_2 = x/2.
TEST(Exp4, FourRoundsByHand) {
  const auto learner = make_exp4({3, 2}, {.members = "banditron,bandit-arow"});
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}));
  answer(*learner, kX, 0, 1.0 / 3, false);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 0.5, 0.5}));
  answer(*learner, kX, 1, 0.5, true);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 1, 0}));
  answer(*learner, kX, 1, 1, false);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 0.5, 0.5}));
  answer(*learner, kX, 2, 0.5, true);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(weights_of(*learner), (std::vector<double>{0.5, 0.5}));  // they never disagreed
}

// k = 2: SOBA ignores wrong guesses, Bandit-AROW does not.
// Round 1: both advise (1/2, 1/2). Label 0, p = 1/2, wrong: ℓ = (1, 1). SOBA stays, Bandit-AROW has
//   w_0 = −x/2 and advises label 1: the scores are 1/2·(1/2, 1/2) + 1/2·(0, 1).
// Round 2: label 0 again, p = 1/4, wrong: ℓ = (1/2, 0)/(1/4) = (2, 0), V = 1 + ½·2² = 3, η =
//   √(ln 2 / 3).
TEST(Exp4, TheMemberThatErrsLosesWeight) {
  const auto learner = make_exp4({2, 2}, {.members = "sobadiag,bandit-arow"});
  answer(*learner, kX, 0, 0.5, false);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.25, 0.75}));
  answer(*learner, kX, 0, 0.25, false);
  const double odds = std::exp(-2 * std::sqrt(std::log(2.0) / 3));
  EXPECT_NEAR(weights_of(*learner)[0], odds / (1 + odds), 1e-15);
  const auto fixed = make_exp4({2, 2}, {.members = "sobadiag,bandit-arow", .eta = 0.5});
  answer(*fixed, kX, 0, 0.5, false);
  answer(*fixed, kX, 0, 0.25, false);
  EXPECT_NEAR(weights_of(*fixed)[0], std::exp(-1.0) / (1 + std::exp(-1.0)), 1e-15);
}

// SOBA explores at its rate of 0.02, half of it on either label; where labels tie it has no
// preference.
TEST(Exp4, AdviceMayBeWhatAMemberWouldPlay) {
  const auto learner = make_exp4({2, 2}, {.members = "sobadiag", .advice = "distribution"});
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, 0.5}));
  answer(*learner, kX, 1, 0.5, true);
  EXPECT_NEAR(scores_of(*learner, kX)[1], 0.99, 1e-15);
  const auto square = make_exp4({2, 2}, {.members = "squarecb", .advice = "distribution"});
  answer(*square, kX, 0, 1, true);  // its prediction for label 0 is 1/2, and round 2 has γ = 100·√2
  EXPECT_NEAR(scores_of(*square, kX)[1], 1 / (2 + 50 * std::sqrt(2.0)), 1e-15);
}

// A mixture of one that does not explore is that learner.
TEST(Exp4, AMemberAloneLearnsAsByItself) {
  constexpr Shape kShape{4, 6};
  const Problem problem = random_problem(41, kShape, 500, {0.6, 1, false});
  Model alone = new_model("squarecb", {}, kShape, 3);
  Model mixed = new_model(
      "exp4", {{"members", "squarecb"}, {"advice", "distribution"}, {"gamma", "0"}}, kShape, 3);
  // The draws go through the labels in another order, so the answers of one are given to the other.
  std::size_t i = 0;
  Learner& learner = *std::get<std::unique_ptr<Learner>>(mixed.learner);
  play(problem.block, alone, [&](const Played& row) {
    answer(learner, problem.block.features(i++), row.played, row.probability, row.correct);
  });
  for (std::size_t t = 0; t < 500; ++t) {
    const Features x = problem.block.features(t);
    std::vector<double> p(4);
    const std::vector<double> s = scores_of(predictor(alone.learner), x);
    distribution(testing::exploration_of(predictor(alone.learner), 501, s), s, p);
    const std::vector<double> found = scores_of(learner, x);
    for (std::size_t c = 0; c < 4; ++c) ASSERT_DOUBLE_EQ(found[c], p[c]);
  }
}

TEST(Exp4, MembersMustBePossible) {
  for (const char* members : {"", "sobadiag,", "sobadiag,sobadiag", "perceptron", "exp4", "auto",
                              "soba,exp4", "no-such-learner", "soba, banditron"}) {
    EXPECT_THROW(choose_learner("exp4", {{"members", members}}), Error) << members;
  }
}

// A member that met fewer features than the others is restored at its own size.
TEST(Exp4, MembersOfDifferentSizesAreKept) {
  Model model = new_model("exp4", {{"members", "sobadiag,bandit-arow"}}, {3, 0}, 1);
  Learner& learner = *std::get<std::unique_ptr<Learner>>(model.learner);
  answer(learner, kX, 0, 0.5, false);  // SOBA learns nothing from it, and stays empty
  Model again = read_model(write_model(model));
  EXPECT_EQ(write_model(again), write_model(model));
  EXPECT_EQ(scores_of(predictor(again.learner), kX), scores_of(learner, kX));
}

}  // namespace
}  // namespace soba
