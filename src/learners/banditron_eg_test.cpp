#include "learners/banditron_eg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/draws.h"
#include "learners/testing.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kValues = {1, -2};
const Features kX{{}, kValues};

// A class with θ = t·x scores sinh(t) + 2·sinh(2t).
double score(double t) { return std::sinh(t) + 2 * std::sinh(2 * t); }

// k = 3, γ = 0.3, η = 2: the step is 0.2.
TEST(BanditronEg, FourRoundsByHand) {
  const auto learner = make_banditron_eg({3, 2}, {.eta = 2, .gamma = 0.3});
  const auto expect = [&](double a, double b, double c) {
    const std::vector<double> s = scores_of(*learner, kX);
    EXPECT_NEAR(s[0], score(a), 1e-12 * std::cosh(2 * a));
    EXPECT_NEAR(s[1], score(b), 1e-12 * std::cosh(2 * b));
    EXPECT_NEAR(s[2], score(c), 1e-12 * std::cosh(2 * c));
  };
  EXPECT_TRUE(answer(*learner, kX, 2, 0.1, true).updated);  // ŷ = 0: −0.2x; ỹ = 2: +10·0.2x
  expect(-0.2, 0, 2);
  EXPECT_TRUE(answer(*learner, kX, 2, 0.8, true).updated);  // ŷ = ỹ = 2: 0.2x(1/0.8 − 1)
  expect(-0.2, 0, 2.05);
  EXPECT_TRUE(answer(*learner, kX, 2, 0.8, false).updated);  // ŷ = 2: −0.2x
  expect(-0.2, 0, 1.85);
  EXPECT_TRUE(answer(*learner, kX, 1, 0.1, false).updated);  // ŷ = 2: −0.2x, nothing for ỹ
  expect(-0.2, 0, 1.65);
}

// Each side of where the series takes over; one wrong answer moves θ by η·γ/k = −η/10.
TEST(BanditronEg, TheWeightIsTheHyperbolicSine) {
  const std::vector<double> one = {1};
  for (const double theta : {1e-20, 1e-5, 0.9e-3, 0.0011, 0.01, 1.0, 30.0, 299.0}) {
    const auto learner = make_banditron_eg({5, 1}, {.eta = 10 * theta, .gamma = 0.5});
    answer(*learner, {{}, one}, 0, 0.6, false);
    EXPECT_NEAR(scores_of(*learner, {{}, one})[0] / -std::sinh(theta), 1, 1e-12) << theta;
  }
}

TEST(BanditronEg, LargeAnswersStopBeforeTheyOverflow) {
  const auto learner = make_banditron_eg({3, 2}, {.eta = 1e6, .gamma = 0.3});
  for (int i = 0; i < 10; ++i) answer(*learner, kX, 1, 0.1, true);
  EXPECT_TRUE(std::isfinite(scores_of(*learner, kX)[1]));
  EXPECT_GT(scores_of(*learner, kX)[1], 1e100);
}

// Against the framework as it stands: 2kd weights on a simplex, multiplied and normalised in each
// round.
TEST(BanditronEg, DecidesAsExponentiatedGradientOnASimplexDoes) {
  const Shape shape{3, 4};
  const double eta = 0.5, gamma = 0.3, step = eta * gamma / 3;
  const testing::Problem problem = testing::random_problem(5, shape, 500, {1, 1, false});
  const auto learner = make_banditron_eg(shape, {.eta = eta, .gamma = gamma});
  std::vector<double> plus(12, 1.0 / 24), minus(12, 1.0 / 24);  // [class · 4 + feature]
  Draws draws(Rng(6, Purpose::kExploration), 0);
  std::vector<int> played(3);
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const Features x = problem.block.features(t);
    std::vector<double> naive(3);
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t j = 0; j < 4; ++j) {
        naive[c] += (plus[c * 4 + j] - minus[c * 4 + j]) * x.value[j];
      }
    }
    const std::vector<double> scores = scores_of(*learner, x);
    const Label greedy = argmax(scores);
    if (t > 0) {  // every score is 0 before
      ASSERT_EQ(argmax(naive), greedy) << t;
    }
    const Draw drawn =
        draw(testing::exploration_of(*learner, 1, scores), scores, greedy, draws.uniform());
    const bool correct = drawn.label == problem.block.label[t];
    answer(*learner, x, drawn.label, drawn.probability, correct);
    ++played[static_cast<std::size_t>(greedy)];

    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const bool hit = correct && static_cast<Label>(c) == drawn.label;
      const double u =
          (hit ? 1 / drawn.probability : 0) - (static_cast<Label>(c) == greedy ? 1 : 0);
      for (std::size_t j = 0; j < 4; ++j) {
        plus[c * 4 + j] *= std::exp(step * u * x.value[j]);
        minus[c * 4 + j] *= std::exp(-step * u * x.value[j]);
        sum += plus[c * 4 + j] + minus[c * 4 + j];
      }
    }
    for (double& w : plus) w /= sum;
    for (double& w : minus) w /= sum;
  }
  for (const int count : played) EXPECT_GE(count, 20);
}

}  // namespace
}  // namespace soba
