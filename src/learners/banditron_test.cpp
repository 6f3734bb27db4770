#include "learners/banditron.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/testing.h"
#include "soba/error.h"

namespace soba {
namespace {

const std::vector<double> kValues = {1, -2};
const Features kX{{}, kValues};

Rate fixed(double gamma) { return {Rate::Rule::kFixed, gamma}; }

std::vector<double> scores(const Learner& learner) { return testing::scores_of(learner, kX); }

Learned answer(Learner& learner, Label played, double p, bool correct) {
  return testing::answer(learner, kX, played, p, correct);
}

// ‖x‖² = 5, so a class that gets c·x scores 5·c.
TEST(Banditron, FourRoundsByHand) {
  const auto learner = make_banditron({3, 2}, {.gamma = fixed(0.3)});
  EXPECT_TRUE(answer(*learner, 2, 0.1, true).updated);  // ŷ = 0: −x; ỹ = 2: +10x
  EXPECT_EQ(scores(*learner), (std::vector<double>{-5, 0, 50}));
  EXPECT_TRUE(answer(*learner, 2, 0.8, true).updated);  // ŷ = ỹ = 2: x(1/0.8 − 1)
  EXPECT_EQ(scores(*learner), (std::vector<double>{-5, 0, 51.25}));
  EXPECT_TRUE(answer(*learner, 2, 0.8, false).updated);  // ŷ = 2: −x
  EXPECT_EQ(scores(*learner), (std::vector<double>{-5, 0, 46.25}));
  EXPECT_TRUE(answer(*learner, 1, 0.1, false).updated);  // ŷ = 2: −x, nothing for ỹ
  EXPECT_EQ(scores(*learner), (std::vector<double>{-5, 0, 41.25}));
}

TEST(Banditron, LearnsNothingWhereItWasCertainAndRight) {
  const auto learner = make_banditron({3, 2}, {.gamma = fixed(0)});
  EXPECT_FALSE(answer(*learner, 0, 1, true).updated);
  EXPECT_EQ(scores(*learner), (std::vector<double>{0, 0, 0}));
}

// Kakade et al., Lemma 4: the expectation of Ũ over the played label is x·(1[r = y] − 1[r = ŷ]).
TEST(Banditron, ItsUpdateIsUnbiased) {
  const double gamma = 0.3;
  for (Label y = 0; y < 3; ++y) {
    std::vector<double> mean(3), p(3);
    const auto fresh = make_banditron({3, 2}, {.gamma = fixed(gamma)});
    distribution(testing::exploration_of(*fresh, 1, scores(*fresh)), scores(*fresh), p);
    for (Label played = 0; played < 3; ++played) {
      const auto learner = make_banditron({3, 2}, {.gamma = fixed(gamma)});
      const double probability = p[static_cast<std::size_t>(played)];
      answer(*learner, played, probability, played == y);
      const std::vector<double> s = scores(*learner);
      for (std::size_t r = 0; r < 3; ++r) mean[r] += probability * s[r];
    }
    for (Label r = 0; r < 3; ++r) {
      EXPECT_NEAR(mean[static_cast<std::size_t>(r)], 5 * ((r == y) - (r == 0)), 1e-12);
    }
  }
}

double rate(const Learner& learner, std::int64_t round) {
  const std::vector<double> scores(static_cast<std::size_t>(learner.shape().classes));
  return std::get<UniformMix>(learner.exploration({round, scores, 0})).gamma;
}

// k = 3. Before any answer min(1, (3/t²)^(1/3)); after seven wrong ones (24/t²)^(1/3).
TEST(Banditron, TheAdaptiveRateFollowsTheMistakes) {
  const auto learner = make_banditron({3, 2}, {.gamma = {Rate::Rule::kAdaptive, 0}});
  EXPECT_EQ(rate(*learner, 1), 1);
  EXPECT_NEAR(rate(*learner, 3), std::cbrt(1.0 / 3), 1e-15);
  for (int i = 0; i < 7; ++i) answer(*learner, 0, 0.5, false);
  answer(*learner, 0, 0.5, true);
  EXPECT_NEAR(rate(*learner, 1000), std::cbrt(24e-6), 1e-15);
}

// Where only exploration errs, M = Σ (1 − 1/k)·γ_s. With γ_t = √(c/t) that is (1 − 1/k)·2√(c·t),
// and the rule says √c³ = 2·(k − 1)·√c: c = 2·(k − 1), which is 4 here.
TEST(Banditron, TheAdaptiveRateIsThatOfSeparableDataWhereOnlyExplorationErrs) {
  const auto learner = make_banditron({3, 2}, {.gamma = {Rate::Rule::kAdaptive, 0}});
  double mistakes = 0;
  std::int64_t told = 0;
  for (std::int64_t t = 1; t <= 100000; ++t) {
    mistakes += rate(*learner, t) * 2 / 3;
    for (; static_cast<double>(told) < mistakes; ++told) answer(*learner, 0, 0.5, false);
  }
  EXPECT_NEAR(rate(*learner, 100000), std::sqrt(4 / 1e5), 0.05 * std::sqrt(4 / 1e5));
}

TEST(Banditron, TheRateOfTheoryNeedsAHorizon) {
  const Rate theory = {Rate::Rule::kTheory, 0};
  EXPECT_NEAR(rate(*make_banditron({3, 0}, {theory, 3000}), 7), 0.1, 1e-15);
  EXPECT_THROW(make_banditron({3, 2}, {theory, 0}), Error);
}

}  // namespace
}  // namespace soba
