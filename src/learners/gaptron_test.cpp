#include "learners/gaptron.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/draws.h"
#include "learners/testing.h"
#include "soba/rng.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::Problem;
using testing::random_problem;
using testing::scores_of;

const std::vector<double> kOne = {1, 0}, kBoth = {0.6, 0.8};
const Features kX{{}, kOne}, kXY{{}, kBoth};

// k = 2, d = 2, B = 1, smooth hinge; the 10⁻⁸ changes the ninth digit.
// Round 1: x = (1, 0), label 1 is played with p = 1/2 and is right. The tie goes to label 0, so the
//   slope is 2, ĝ = ±4·x, Σ‖ĝ‖² = 32, the step 1/√64 = 1/8: w_1 = (1/2, 0) = −w_0. Now Δ = 1.
// Round 2: x = (0.6, 0.8), label 1, p = 1, right: Δ = 0.6, slope 0.8, Σ‖ĝ‖² = 32 + 2·0.64 = 33.28,
//   the step 0.8/√66.56: w_1 += 0.0980581·x = (0.5588348, 0.0784465).
TEST(Gaptron, TwoRoundsByHand) {
  const auto learner = make_gaptron({2, 2}, {.b = 1});
  EXPECT_FALSE(answer(*learner, kX, 0, 0.5, false).updated);  // a wrong guess teaches nothing
  EXPECT_TRUE(answer(*learner, kX, 1, 0.5, true).updated);
  EXPECT_NEAR(scores_of(*learner, kX)[0], -0.5, 1e-9);
  EXPECT_NEAR(scores_of(*learner, kX)[1], 0.5, 1e-9);
  EXPECT_TRUE(answer(*learner, kXY, 1, 1, true).updated);
  EXPECT_NEAR(scores_of(*learner, kX)[1], 0.5588348, 1e-7);
  EXPECT_NEAR(scores_of(*learner, kXY)[1], 0.6 * 0.5588348 + 0.8 * 0.0784465, 1e-7);
  EXPECT_FALSE(answer(*learner, kX, 1, 1, true).updated);  // Δ = 1.12 is beyond 1
}

// From a tie: hinge ±x/p has half the slope and Σ‖ĝ‖² = 8, step 1/4: the same weights. Logistic: P
// = 1/2 each, ĝ = ±x, Σ‖ĝ‖² = 2, the step 1/2: w_1 = (1/2, 0).
TEST(Gaptron, TheScaleOfTheLossDoesNotMatter) {
  for (const char* loss : {"hinge", "logistic"}) {
    const auto learner = make_gaptron({2, 2}, {.loss = loss, .b = 1});
    EXPECT_TRUE(answer(*learner, kX, 1, 0.5, true).updated);
    EXPECT_NEAR(scores_of(*learner, kX)[0], -0.5, 1e-8);
    EXPECT_NEAR(scores_of(*learner, kX)[1], 0.5, 1e-8);
  }
}

double lead_of(std::span<const double> s, Label y) {
  return s[static_cast<std::size_t>(y)] - s[static_cast<std::size_t>(argmax_except(s, y))];
}

// The table of gaptron.h, written down as it is there.
double loss_of(const std::string& loss, std::span<const double> s, Label y) {
  const double lead = lead_of(s, y);
  const bool leads = argmax(s) == y;
  if (loss == "hinge") return leads && lead > 0.5 ? 0 : 1 - lead;
  if (loss == "smooth-hinge") return !leads ? 1 - 2 * lead : lead < 1 ? (1 - lead) * (1 - lead) : 0;
  double sum = 0;
  for (const double score : s) sum += std::exp(score);
  return (std::log(sum) - s[static_cast<std::size_t>(y)]) / std::log(2.0);
}

constexpr Shape kShape{3, 4};

// Every step against a gradient that is taken by differences of the loss. The first hit starts from
// a tie of all labels, where there are many gradients; that of the code has the norm below.
TEST(Gaptron, DescendsOnItsLoss) {
  for (const std::string loss : {"smooth-hinge", "hinge", "logistic"}) {
    const Problem problem = random_problem(31, kShape, 300, {1, 1, false});
    const auto learner = make_gaptron(kShape, {.loss = loss, .b = 2, .gamma = 0.1});
    double squares = 0;
    int hits = 0;
    Draws draws(Rng(5, Purpose::kExploration), 0);
    for (std::size_t t = 0; t < 300; ++t) {
      const Features x = problem.block.features(t);
      const std::vector<double> s = scores_of(*learner, x);
      const Draw drawn =
          draw(testing::exploration_of(*learner, 1, s), s, argmax(s), draws.uniform());
      const bool correct = drawn.label == problem.block.label[t];
      answer(*learner, x, drawn.label, drawn.probability, correct);
      if (!correct) continue;
      const double weight = squared_norm(x) / (drawn.probability * drawn.probability);
      if (++hits == 1) {
        squares = weight * (loss == "logistic" ? 2.0 / 3 : loss == "hinge" ? 2 : 8);
        continue;
      }
      std::vector<double> slope(3);
      for (std::size_t c = 0; c < 3; ++c) {
        std::vector<double> up = s, down = s;
        up[c] += 1e-6;
        down[c] -= 1e-6;
        slope[c] = (loss_of(loss, up, drawn.label) - loss_of(loss, down, drawn.label)) / 2e-6;
        if (loss == "logistic") slope[c] *= std::log(2.0);
        squares += weight * slope[c] * slope[c];
      }
      const double step = 2 / std::sqrt(2 * (1e-8 + squares)) * squared_norm(x) / drawn.probability;
      const std::vector<double> moved = scores_of(*learner, x);
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_NEAR(moved[c], s[c] - step * slope[c], 1e-6) << loss << ", round " << t;
      }
    }
    EXPECT_GE(hits, 100);
  }
}

// What the analysis rests on: in every round, whatever the label, a mistake is at most as likely as
// the loss is large.
TEST(Gaptron, TheLossIsAtLeastTheChanceOfAMistake) {
  Draws draws(Rng(6, Purpose::kExamples), 0);
  for (const std::string loss : {"smooth-hinge", "hinge", "logistic"}) {
    const auto learner = make_gaptron(kShape, {.loss = loss});
    for (int i = 0; i < 1000; ++i) {
      std::vector<double> s(3), p(3);
      for (double& score : s) score = 2 * draws.uniform() - 1;
      distribution(testing::exploration_of(*learner, 1, s), s, p);
      for (Label y = 0; y < 3; ++y) {
        ASSERT_LE(1 - p[static_cast<std::size_t>(y)], loss_of(loss, s, y) + 1e-12) << loss;
      }
    }
  }
}

}  // namespace
}  // namespace soba
