#include "learners/epoch_greedy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kOne = {1, 0};
const Features kX{{}, kOne};

// k = 2, r = 1; x = (1, 0).
// A greedy round (p = 1) teaches nothing, right or wrong.
// A uniform draw (p = 1/2) of label 1, wrong: s = 0, V = 1: w_1 = (−1/2, 0).
// A uniform draw of label 0, right: w_0 = (1/2, 0); once more: s = 1/2, V = 1/2, and w_0 moves by
// (1/2)/(3/2)·1/2 = 1/6.
TEST(EpochGreedy, LearnsFromUniformDrawsAlone) {
  const auto learner = make_epoch_greedy({2, 2}, {});
  EXPECT_FALSE(answer(*learner, kX, 0, 1, true).updated);
  EXPECT_FALSE(answer(*learner, kX, 0, 1, false).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 0}));
  EXPECT_TRUE(answer(*learner, kX, 1, 0.5, false).updated);
  EXPECT_TRUE(answer(*learner, kX, 0, 0.5, true).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, -0.5}));
  EXPECT_TRUE(answer(*learner, kX, 0, 0.5, true).updated);
  EXPECT_NEAR(scores_of(*learner, kX)[0], 2.0 / 3, 1e-7);
}

// Each of the last epochs before round 2⁶³ has one beginning, as every other.
TEST(EpochGreedy, CountsToTheLastRoundThereCanBe) {
  const std::int64_t last = std::numeric_limits<std::int64_t>::max();
  const std::int64_t length = std::llround(std::cbrt(1.5 * static_cast<double>(last))) + 1;
  int begins = 0;
  for (std::int64_t i = 0; i < 2 * length; ++i) begins += begins_epoch(last - i);
  EXPECT_GE(begins, 1);
  EXPECT_LE(begins, 3);
}

// What draw() says of a uniform draw, for the greedy label as for the others, is what learn() looks
// for.
TEST(EpochGreedy, KnowsItsUniformDraws) {
  for (const Label k : {2, 3, 7, 10, 49}) {
    const auto learner = make_epoch_greedy({k, 2}, {});
    for (const Label label : {0, k - 1}) {
      const std::vector<double> scores = scores_of(*learner, kX);
      const Draw drawn = draw(testing::exploration_of(*learner, 1, scores), scores, argmax(scores),
                              (label + 0.5) / k);
      ASSERT_EQ(drawn.label, label);
      EXPECT_TRUE(answer(*learner, kX, drawn.label, drawn.probability, false).updated) << k;
    }
    const std::vector<double> scores = scores_of(*learner, kX);
    const Draw drawn =
        draw(testing::exploration_of(*learner, 2, scores), scores, argmax(scores), 0.5);
    EXPECT_EQ(drawn.probability, 1);
  }
}

TEST(EpochGreedy, EpochsAreAsLongAsTheyShouldBe) {
  std::int64_t start = 1;
  for (std::int64_t epoch = 1; epoch <= 3000; ++epoch) {
    ASSERT_TRUE(begins_epoch(start)) << epoch;
    const auto greedy = static_cast<std::int64_t>(std::sqrt(static_cast<double>(epoch)));
    for (std::int64_t i = 1; i <= greedy; ++i) ASSERT_FALSE(begins_epoch(start + i)) << epoch;
    start += 1 + greedy;
  }
  // Far out: epoch m² begins after (m − 1)(4m² + 7m + 6)/6 rounds, and the one before it m rounds
  // earlier.
  const std::int64_t m = 100000, first = (m - 1) * (4 * m * m + 7 * m + 6) / 6 + 1;
  EXPECT_TRUE(begins_epoch(first));
  EXPECT_TRUE(begins_epoch(first - m));
  EXPECT_TRUE(begins_epoch(first + m + 1));
  EXPECT_FALSE(begins_epoch(first + m));
}

}  // namespace
}  // namespace soba
