#include "learners/bandit_arow.h"

#include <gtest/gtest.h>

#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kOne = {1, 0}, kBoth = {1, 1};
const Features kX{{}, kOne}, kXY{{}, kBoth};

// k = 2, d = 2, r = 1. Round 1: x = (1, 0), label 0 is played and is right: s = 0, V = 1, so w_0 +=
// 1/2·x; 1/Σ_00 = 2. Round 2: the same x, label 0, wrong: s = 1/2, V = 1/2, w_0 +=
// (−3/2)/(3/2)·(1/2, 0): w_0 = (0, 0);
//   1/Σ_00 = 3.
// Round 3: x = (1, 1), label 0, right: s = 0, V = 1/3 + 1 = 4/3, w_0 += 1/(7/3)·(1/3, 1) =
//   (1/7, 3/7).
// So far the two forms agree: Σ has stayed diagonal.
TEST(BanditArow, ThreeRoundsByHand) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_bandit_arow({2, 2}, {.covariance = covariance});
    EXPECT_TRUE(answer(*learner, kX, 0, 1, true).updated);
    EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, 0}));
    EXPECT_TRUE(answer(*learner, kX, 0, 1, false).updated);
    EXPECT_NEAR(scores_of(*learner, kX)[0], 0, 1e-15);
    EXPECT_TRUE(answer(*learner, kXY, 0, 1, true).updated);
    EXPECT_NEAR(scores_of(*learner, kXY)[0], 4.0 / 7, 1e-7);
    EXPECT_NEAR(scores_of(*learner, kX)[0], 1.0 / 7, 1e-7);
    EXPECT_EQ(scores_of(*learner, kXY)[1], 0);
  }
}

// Round 4: x = (1, 0), label 0, right: s = 1/7. Diagonal: 1/Σ = (4, 2), V = 1/4, w_00 +=
// (6/7)/(5/4)·(1/4) = 6/35; w_01 stays 3/7. Full: Σ = diag(1/3, 1) − (1/3, 1)(1/3, 1)ᵀ/(7/3), so Σx
// = (1/3 − 1/21, −1/7) = (2/7, −1/7), V = 2/7,
//   w_0 += (6/7)/(9/7)·(2/7, −1/7) = (4/21, −2/21).
TEST(BanditArow, TheFullMatrixKnowsThatFeaturesComeTogether) {
  const auto diagonal = make_bandit_arow({2, 2}, {});
  const auto full = make_bandit_arow({2, 2}, {.covariance = "full"});
  for (const auto& learner : {diagonal.get(), full.get()}) {
    answer(*learner, kX, 0, 1, true);
    answer(*learner, kX, 0, 1, false);
    answer(*learner, kXY, 0, 1, true);
    answer(*learner, kX, 0, 1, true);
  }
  EXPECT_NEAR(scores_of(*diagonal, kX)[0], 1.0 / 7 + 6.0 / 35, 1e-7);
  EXPECT_NEAR(scores_of(*diagonal, kXY)[0], 4.0 / 7 + 6.0 / 35, 1e-7);
  EXPECT_NEAR(scores_of(*full, kX)[0], 1.0 / 7 + 4.0 / 21, 1e-15);
  EXPECT_NEAR(scores_of(*full, kXY)[0], 4.0 / 7 + 2.0 / 21, 1e-15);
}

TEST(BanditArow, StaysWhereTheMarginIsReached) {
  const std::vector<double> three = {3, 0};
  const auto learner = make_bandit_arow({2, 2}, {});
  EXPECT_TRUE(answer(*learner, kX, 1, 1, false).updated);            // w_1·x = −1/2
  EXPECT_FALSE(answer(*learner, {{}, three}, 1, 1, false).updated);  // −3/2 is beyond −1
  EXPECT_TRUE(answer(*learner, {{}, three}, 1, 1, true).updated);
}

}  // namespace
}  // namespace soba
