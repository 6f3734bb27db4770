#include "soba/explore.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

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

// Walks through the unit interval in small steps: each label gets its share, and the probability
// that comes with it is the distribution's, to the bit.
TEST(Draw, FollowsTheDistribution) {
  const std::vector<double> scores = {0, 2, 1, 0, -1};
  for (const double gamma : {0.0, 1e-3, 0.3, 1.0}) {
    std::vector<double> p(5), share(5);
    distribution(UniformMix{gamma}, scores, p);
    constexpr int kSteps = 200000;
    for (int i = 0; i < kSteps; ++i) {
      const Draw drawn = draw(UniformMix{gamma}, 5, 1, (i + 0.5) / kSteps);
      ASSERT_EQ(drawn.probability, p[static_cast<std::size_t>(drawn.label)]);
      share[static_cast<std::size_t>(drawn.label)] += 1.0 / kSteps;
    }
    for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(share[c], p[c], 1e-4) << gamma;
  }
}

TEST(Draw, TheEndsOfTheUnitIntervalAreLabels) {
  const double last = 1 - 0x1p-53;
  for (const Label k : {2, 3, 1000}) {
    for (const double u : {0.0, last}) {
      const Draw drawn = draw(UniformMix{1.0}, k, 0, u);
      EXPECT_GE(drawn.label, 0);
      EXPECT_LT(drawn.label, k);
    }
  }
}

}  // namespace
}  // namespace soba
