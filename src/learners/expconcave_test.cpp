#include "learners/expconcave.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kOne = {1};
const Features kX{{}, kOne};

// γ/k = 1/4 is the probability of a label that is not the greedy one.
ExpConcaveOptions by_hand(const char* oracle, const char* covariance, double radius) {
  return {.oracle = oracle,
          .covariance = covariance,
          .eta = 1,
          .D = radius,
          .beta = 1,
          .eps = 1,
          .gamma = 0.5};
}

// k = 2, d = 1, x = 1, η = β = ε = 1: the loss has the slope 2m − 2 at the margin m.
// Round 1: ŷ = 0, label 1 is right: m = 0, g = −2·(e_1 − e_0) = (2, −2).
//   Diagonal: A = 5 each, W = −g/A = (−2/5, 2/5). Full: Ag = (1 + 8)g, W = −g/9 = (−2/9, 2/9).
// Round 2: ŷ = 1, label 0 is right.
//   Diagonal: m = −4/5, g = (−18/5, 18/5), A = 5 + 324/25 = 449/25, W_0 = −2/5 + 90/449 =
//   −448/2245. Full: m = −4/9, g = (−26/9, 26/9), Ag = (9 + 1352/81)g, W_0 = −2/9 + 234/2081 =
//   −2056/18729.
// Inside the ball the two oracles are the same.
TEST(ExpConcave, TwoRoundsByHand) {
  for (const char* oracle : {"ons", "ftal"}) {
    const auto diagonal = make_expconcave({2, 1}, by_hand(oracle, "diagonal", 10));
    EXPECT_TRUE(answer(*diagonal, kX, 1, 0.25, true).updated);
    EXPECT_NEAR(scores_of(*diagonal, kX)[0], -0.4, 1e-15);
    EXPECT_NEAR(scores_of(*diagonal, kX)[1], 0.4, 1e-15);
    EXPECT_TRUE(answer(*diagonal, kX, 0, 0.25, true).updated);
    EXPECT_NEAR(scores_of(*diagonal, kX)[0], -448.0 / 2245, 1e-15);

    const auto full = make_expconcave({2, 1}, by_hand(oracle, "full", 10));
    EXPECT_TRUE(answer(*full, kX, 1, 0.25, true).updated);
    EXPECT_NEAR(scores_of(*full, kX)[0], -2.0 / 9, 1e-15);
    EXPECT_TRUE(answer(*full, kX, 0, 0.25, true).updated);
    EXPECT_NEAR(scores_of(*full, kX)[0], -2056.0 / 18729, 1e-14);
  }
}

// The same rounds with D = 1/10, so that W = (−w, w) with w = 1/√200 after the first. Round 2: m =
// −2w, g = (−1, 1)·(2 + 4w), A = 5 + (2 + 4w)². The Newton step goes on from W: −w + (2 + 4w)/A >
// w, back to the sphere on the other side. The leader remembers the whole of round 1: it stays at
// (−2 − (2 + 4w)²w + 2 + 4w)/A.
TEST(ExpConcave, TheLeaderRemembersWhatTheBallCutOff) {
  const double w = 1 / std::sqrt(200), slope = 2 + 4 * w, a = 5 + slope * slope;
  for (const char* oracle : {"ons", "ftal"}) {
    const auto learner = make_expconcave({2, 1}, by_hand(oracle, "diagonal", 0.1));
    answer(*learner, kX, 1, 0.25, true);
    EXPECT_NEAR(scores_of(*learner, kX)[0], -w, 1e-12);
    answer(*learner, kX, 0, 0.25, true);
    const double expected = std::string(oracle) == "ons" ? w : (-2 - slope * slope * w + slope) / a;
    EXPECT_NEAR(scores_of(*learner, kX)[0], expected, 1e-12) << oracle;
  }
}

TEST(ExpConcave, LearnsFromCorrectedMistakesOnly) {
  const auto learner = make_expconcave({2, 1}, {});
  EXPECT_FALSE(answer(*learner, kX, 0, 0.99, true).updated);
  EXPECT_FALSE(answer(*learner, kX, 0, 0.99, false).updated);
  EXPECT_FALSE(answer(*learner, kX, 1, 0.01, false).updated);
  EXPECT_TRUE(answer(*learner, kX, 1, 0.01, true).updated);
}

// Label 1 was the greedy one when it was played, with probability 3/4: a third of the weight, so g
// = (2/3, −2/3), A = 1 + 4/9, W = (−6/13, 6/13).
TEST(ExpConcave, ALateAnswerHasTheWeightOfItsDecision) {
  const auto learner = make_expconcave({2, 1}, by_hand("ons", "diagonal", 10));
  answer(*learner, kX, 1, 0.75, true);
  EXPECT_NEAR(scores_of(*learner, kX)[1], 6.0 / 13, 1e-15);
}

// X = 15/2, D = 1: η = 1/15, β = ½·min(1/960, 1/480), ε = (1920/2)².
TEST(ExpConcave, ZeroStandsForTheTheory) {
  const ExpConcaveOptions options = with_theory({.eta = 0, .D = 1, .X = 7.5, .beta = 0, .eps = 0});
  EXPECT_DOUBLE_EQ(options.eta, 1.0 / 15);
  EXPECT_DOUBLE_EQ(options.beta, 1.0 / 1920);
  EXPECT_DOUBLE_EQ(options.eps, 921600);
  EXPECT_DOUBLE_EQ(with_theory({.eta = 0, .D = 0.1, .X = 1}).eta, 1);
}

}  // namespace
}  // namespace soba
