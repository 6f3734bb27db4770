#include "learners/passive_aggressive.h"

#include <gtest/gtest.h>

#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::scores_of;
using testing::teach;

const std::vector<double> kValues = {2, 0}, kOther = {1, 1};
const Features kX{{}, kValues}, kY{{}, kOther};

// k = 3, x = (2, 0) with ‖x‖² = 4, then (1, 1) with ‖x‖² = 2.
// Round 1: x, y = 2: all scores are 0, ȳ = 0, ℓ = 1, τ = 1/8: w_2 = (1/4, 0), w_0 = −(1/4, 0).
// Round 2: the same: ȳ = 1 at score 0, Δ = 1/2, ℓ = 1/2, τ = 1/16: w_2 = (3/8, 0), w_1 = −(1/8, 0).
// Round 3: the same: s = (−1/2, −1/4, 3/4), Δ = 1, nothing.
// Round 4: (1, 1), y = 0: s = (−1/4, −1/8, 3/8), ȳ = 2, Δ = −5/8, ℓ = 13/8, τ = 13/32.
TEST(PassiveAggressive, FourRoundsByHand) {
  const auto learner = make_passive_aggressive({3, 2}, {.variant = "pa"});
  EXPECT_TRUE(teach(*learner, kX, 2));
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-0.5, 0, 0.5}));
  EXPECT_TRUE(teach(*learner, kX, 2));
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-0.5, -0.25, 0.75}));
  EXPECT_FALSE(teach(*learner, kX, 2));
  EXPECT_TRUE(teach(*learner, kY, 0));
  EXPECT_EQ(scores_of(*learner, kY),
            (std::vector<double>{-0.25 + 13.0 / 16, -0.125, 0.375 - 13.0 / 16}));
}

// Round 1 above with C = 1/8: pa1 takes τ‖x‖² = min(1/8, 1/2), pa2 takes 1/(2 + 4).
TEST(PassiveAggressive, CHoldsTheStepBack) {
  const auto first = make_passive_aggressive({3, 2}, {.variant = "pa1", .c = 0.125});
  const auto second = make_passive_aggressive({3, 2}, {.variant = "pa2", .c = 0.125});
  teach(*first, kX, 2);
  EXPECT_EQ(scores_of(*first, kX), (std::vector<double>{-0.125, 0, 0.125}));
  teach(*second, kX, 2);
  EXPECT_NEAR(scores_of(*second, kX)[2], 1.0 / 6, 1e-15);
  EXPECT_NEAR(scores_of(*second, kX)[0], -1.0 / 6, 1e-15);
}

// What "just enough" means: after a step of pa the lead over that rival is 1.
TEST(PassiveAggressive, ReachesTheMarginAndNoMore) {
  const auto learner = make_passive_aggressive({2, 2}, {.variant = "pa"});
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> x = {1, 0.3 * i - 2};
    const Label y = i % 3 == 0;
    if (!teach(*learner, {{}, x}, y)) continue;
    const std::vector<double> s = scores_of(*learner, {{}, x});
    ASSERT_NEAR(y == 0 ? s[0] - s[1] : s[1] - s[0], 1, 1e-12);
  }
}

}  // namespace
}  // namespace soba
