#include "learners/ova_logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kFirst = {1, 0}, kScaled = {1, -100};
const Features kX{{}, kFirst}, kXY{{}, kScaled};

// k = 2, η = 1.
// Round 1: x = (1, 0), label 0, right: P = 1/2, g = −1/2, G = 1/4, w_00 = (1/2)/(1/2) = 1.
// Round 2: the same x, label 0, wrong: P = 1/(1 + 1/e), g = P, G = 1/4 + P², w_00 = 1 − P/√G.
TEST(OvaLogistic, TwoRoundsByHand) {
  const auto learner = make_ova_logistic({2, 2}, {.eta = 1});
  EXPECT_TRUE(answer(*learner, kX, 0, 1, true).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{1, 0}));
  EXPECT_TRUE(answer(*learner, kX, 0, 1, false).updated);
  const double p = 1 / (1 + std::exp(-1));
  EXPECT_NEAR(scores_of(*learner, kX)[0], 1 - p / std::sqrt(0.25 + p * p), 1e-15);
  EXPECT_EQ(scores_of(*learner, kX)[1], 0);
}

// The first step of each weight is η towards the answer, so that the large feature moves its weight
// no further.
TEST(OvaLogistic, EachFeatureHasItsOwnScale) {
  const auto learner = make_ova_logistic({3, 2}, {.eta = 0.25});
  answer(*learner, kXY, 1, 0.01, false);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0, -0.25, 0}));
  const std::vector<double> second = {0, 1};
  EXPECT_EQ(scores_of(*learner, {{}, second}), (std::vector<double>{0, 0.25, 0}));
}

// Scores far out: exp(-s) overflows or P rounds to 1, and the step stays what it must be.
TEST(OvaLogistic, IsCalmWhereItIsCertain) {
  const auto learner = make_ova_logistic({2, 2}, {.eta = 1000});
  answer(*learner, kX, 0, 1, true);   // w_00 = 1000, P = 1
  answer(*learner, kX, 1, 1, false);  // w_10 = −1000, P = 0
  EXPECT_FALSE(answer(*learner, kX, 0, 1, true).updated);
  EXPECT_FALSE(answer(*learner, kX, 1, 1, false).updated);
  EXPECT_TRUE(answer(*learner, kX, 0, 1, false).updated);  // g = 1, G = 5/4
  EXPECT_NEAR(scores_of(*learner, kX)[0], 1000 - 1000 / std::sqrt(1.25), 1e-9);
}

}  // namespace
}  // namespace soba
