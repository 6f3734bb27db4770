#include "learners/bpa.h"

#include <gtest/gtest.h>

#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kValues = {1, -1}, kOther = {1, 0};
const Features kX{{}, kValues}, kY{{}, kOther};

// k = 2, ‖x‖² = 2, C = 3/2.
// Round 1: label 0, right: ℓ = 1, w_0 += 1/2·x, so that its score is 1: w_0 = (1/2, −1/2).
// Round 2: the same, right: ℓ = 0, nothing moves.
// Round 3: the same, wrong: ℓ = 2, more than C: w_0 −= 3/4·x, w_0 = (−1/4, 1/4).
// Round 4: x = (1, 0), label 0, wrong: ℓ = 3/4, w_0 −= 3/4·x: w_0 = (−1, 1/4).
TEST(Bpa, FourRoundsByHand) {
  const auto learner = make_bpa({2, 2}, {.c = 1.5});
  EXPECT_TRUE(answer(*learner, kX, 0, 1, true).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{1, 0}));
  EXPECT_FALSE(answer(*learner, kX, 0, 1, true).updated);
  EXPECT_TRUE(answer(*learner, kX, 0, 1, false).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-0.5, 0}));
  EXPECT_TRUE(answer(*learner, kY, 0, 1, false).updated);
  EXPECT_EQ(scores_of(*learner, kY), (std::vector<double>{-1, 0}));
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-1.25, 0}));
}

// The probability of the decision plays no part, and only the played class moves.
TEST(Bpa, MovesThePlayedClassAlone) {
  const auto learner = make_bpa({3, 2}, {});
  answer(*learner, kX, 2, 0.01, false);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 0, -1}));
  answer(*learner, kX, 1, 1, true);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, 1, -1}));
}

// Powers of two, so that the scores agree to the last bit.
TEST(Bpa, TheScaleOfTheInputDoesNotMatter) {
  const auto one = make_bpa({2, 2}, {.c = 0.7}), other = make_bpa({2, 2}, {.c = 0.7});
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> x = {1, 0.1 * i}, y = {1024, 102.4 * i};
    const std::vector<double> scores = scores_of(*one, {{}, x});
    ASSERT_EQ(scores, scores_of(*other, {{}, y}));
    answer(*one, {{}, x}, i % 2, 1, i % 3 == 0);
    answer(*other, {{}, y}, i % 2, 1, i % 3 == 0);
  }
}

}  // namespace
}  // namespace soba
