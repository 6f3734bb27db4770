#include "soba/explore.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/draws.h"
#include "soba/rng.h"

namespace soba {
namespace {

TEST(Argmax, TiesGoToTheSmallestLabel) {
  EXPECT_EQ(argmax(std::vector<double>{1, 3, 3}), 1);
  EXPECT_EQ(argmax(std::vector<double>{0, 0}), 0);
  EXPECT_EQ(argmax(std::vector<double>{-1}), 0);
}

TEST(Argmax, ExceptLeavesOneOut) {
  EXPECT_EQ(argmax_except(std::vector<double>{5, 3, 3}, 0), 1);
  EXPECT_EQ(argmax_except(std::vector<double>{5, 3, 4}, 0), 2);
  EXPECT_EQ(argmax_except(std::vector<double>{0, 0, 0}, 1), 0);
  EXPECT_EQ(argmax_except(std::vector<double>{2, 1}, 1), 0);
}

TEST(Argmax, ManyScoresAreTreatedLikeFew) {
  Draws draws(Rng(1, Purpose::kExamples), 0);
  for (std::size_t k = 2; k <= 80; ++k) {
    std::vector<double> scores(k);
    for (double& s : scores) s = draws.below(9);
    for (std::size_t excluded = 0; excluded < k; ++excluded) {
      std::size_t best = k, other = k;
      for (std::size_t i = 0; i < k; ++i) {
        if (best == k || scores[i] > scores[best]) best = i;
        if (i != excluded && (other == k || scores[i] > scores[other])) other = i;
      }
      ASSERT_EQ(argmax(scores), static_cast<Label>(best));
      ASSERT_EQ(argmax_except(scores, static_cast<Label>(excluded)), static_cast<Label>(other));
    }
  }
}

TEST(Argmax, WhatIsNoNumberNeverWins) {
  for (const std::size_t k : {9U, 40U}) {
    std::vector<double> scores(k, 1.0);
    std::fill_n(scores.begin(), 5, std::nan(""));
    EXPECT_EQ(argmax(scores), 5);
    EXPECT_EQ(argmax_except(scores, 5), 6);
  }
}

TEST(Distribution, MixesTheGreedyLabelWithTheUniform) {
  const std::vector<double> scores = {0, 2, 1, 0};
  std::vector<double> p(4);
  distribution(UniformMix{0.2}, scores, p);
  EXPECT_DOUBLE_EQ(p[1], 0.85);
  EXPECT_DOUBLE_EQ(p[0], 0.05);
  EXPECT_DOUBLE_EQ(std::accumulate(p.begin(), p.end(), 0.0), 1);
  distribution(Greedy{}, scores, p);
  EXPECT_EQ(p, (std::vector<double>{0, 1, 0, 0}));
}

// Every kind of exploration, on scores that are a distribution, too.
std::vector<Exploration> every_exploration() {
  return {Greedy{},           UniformMix{0},        UniformMix{1e-3},   UniformMix{1},
          ProportionalMix{0}, ProportionalMix{0.2}, ProportionalMix{1}, InverseGap{0},
          InverseGap{30},     Unclaimed{1},         Unclaimed{0.3}};
}

// Walks through the unit interval in small steps: each label gets its share, and the probability
// that comes with it is the distribution's, to the bit.
TEST(Draw, FollowsTheDistribution) {
  const std::vector<double> scores = {0.0625, 0.5, 0.25, 0.0625, 0.125};
  for (std::size_t e = 0; e < every_exploration().size(); ++e) {
    const Exploration exploration = every_exploration()[e];
    std::vector<double> p(5), share(5);
    distribution(exploration, scores, p);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-15) << e;
    constexpr int kSteps = 200000;
    for (int i = 0; i < kSteps; ++i) {
      const Draw drawn = draw(exploration, scores, 1, (i + 0.5) / kSteps);
      ASSERT_EQ(drawn.probability, p[static_cast<std::size_t>(drawn.label)]) << e;
      ASSERT_EQ(drawn.gamma, exploration_rate(exploration)) << e;
      share[static_cast<std::size_t>(drawn.label)] += 1.0 / kSteps;
    }
    for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(share[c], p[c], 1e-4) << e;
  }
}

TEST(Draw, TheEndsOfTheUnitIntervalAreLabels) {
  const double last = 1 - 0x1p-53;
  for (const std::size_t k : {2U, 3U, 1000U}) {
    const std::vector<double> scores(k, 1 / static_cast<double>(k));
    for (const Exploration& exploration : every_exploration()) {
      for (const double u : {0.0, last}) {
        const Draw drawn = draw(exploration, scores, 0, u);
        EXPECT_GE(drawn.label, 0);
        EXPECT_LT(static_cast<std::size_t>(drawn.label), k);
        EXPECT_GT(drawn.probability, 0);
      }
    }
  }
}

TEST(InverseGap, GivesALabelLessTheFurtherItIsBehind) {
  std::vector<double> p(3);
  distribution(InverseGap{10}, std::vector<double>{1, 0.5, 0.8}, p);
  EXPECT_DOUBLE_EQ(p[1], 1 / (3 + 10 * 0.5));
  EXPECT_DOUBLE_EQ(p[2], 1 / (3 + 10 * (1 - 0.8)));
  EXPECT_DOUBLE_EQ(p[0], 1 - p[1] - p[2]);
}

// φ = (1 − s)² up to 4: labels that disclaim x are explored less, and never less than a quarter.
TEST(Unclaimed, ExploresLessWhatDisclaims) {
  std::vector<double> p(4);
  distribution(Unclaimed{0.8}, std::vector<double>{-0.5, 0, -1, -7}, p);
  EXPECT_DOUBLE_EQ(p[0], 0.8 / (4 * 2.25));
  EXPECT_DOUBLE_EQ(p[2], 0.8 / (4 * 4));
  EXPECT_DOUBLE_EQ(p[3], 0.8 / (4 * 4));
  EXPECT_DOUBLE_EQ(p[1], 1 - p[0] - p[2] - p[3]);
  EXPECT_EQ(claim_share(0.5), 1);
  EXPECT_EQ(claim_share(-2), 4);
}

}  // namespace
}  // namespace soba
