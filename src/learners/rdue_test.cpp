#include "learners/rdue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/draws.h"
#include "learners/testing.h"
#include "soba/rng.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kOne = {1, 0};
const Features kX{{}, kOne};

// k = 2, d = 2, B = 2·ln 3; the 10⁻⁸ changes the eighth digit.
// At first P = (1/2, 1/2), Z = 1: the scores are P.
// Round 1: x = (1, 0), label 0, p = 1/2, right: G = (−1, 1)·x, Σ‖G‖² = 2, the step B/2 = ln 3:
//   w_0·x = ln 3 = −w_1·x. So P = (9/10, 1/10), Z = 2/10 and the scores are (0.8 + 0.18, 0.02).
// Round 2: the same x, label 1, p = 0.02, right: G = (45, −45)·x, Σ‖G‖² = 2 + 4050, w_0·x −=
//   45·B/√8104, so that the logit of label 0 is 2·(ln 3 − 90·ln 3/√8104) = 2·ln 3·(1 − 0.9997532).
TEST(Rdue, TwoRoundsByHand) {
  const auto learner = make_rdue({2, 2}, {.b = 2 * std::log(3.0), .q = 0});
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, 0.5}));
  EXPECT_FALSE(answer(*learner, kX, 1, 0.5, false).updated);  // a wrong guess teaches nothing
  EXPECT_TRUE(answer(*learner, kX, 0, 0.5, true).updated);
  EXPECT_NEAR(scores_of(*learner, kX)[0], 0.98, 1e-8);
  EXPECT_NEAR(scores_of(*learner, kX)[1], 0.02, 1e-8);
  EXPECT_TRUE(answer(*learner, kX, 1, 0.02, true).updated);
  const double logit = 2 * std::log(3.0) * (1 - 90 / std::sqrt(8104.0));
  const double unsure = 1 / (1 + std::exp(logit));
  EXPECT_NEAR(scores_of(*learner, kX)[1], 2 * unsure * unsure, 1e-7);
}

TEST(Rdue, MixesItsScoresWithTheUniformDistribution) {
  const auto learner = make_rdue({2, 2}, {.b = 2 * std::log(3.0), .q = 0.1});
  answer(*learner, kX, 0, 0.5, true);
  std::vector<double> p(2);
  distribution(testing::exploration_of(*learner, 1, scores_of(*learner, kX)),
               scores_of(*learner, kX), p);
  EXPECT_NEAR(p[0], 0.9 * 0.98 + 0.05, 1e-8);
  EXPECT_NEAR(p[1], 0.9 * 0.02 + 0.05, 1e-8);
}

// What the analysis rests on. One feature for each logit: weights are set by a single right guess
// whose step goes a known way, so random x reach every kind of P.
TEST(Rdue, TheLossIsAtLeastTheChanceOfAMistake) {
  const auto learner = make_rdue({3, 3}, {.b = 2});
  for (Label y = 0; y < 3; ++y) {
    const Index feature = y;
    const double one = 1;
    answer(*learner, {{&feature, 1}, {&one, 1}}, y, 1.0 / 3, true);
  }
  Draws draws(Rng(6, Purpose::kExamples), 0);
  int sure = 0, split = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> x(3), all(6);
    for (double& value : x) value = 6 * draws.uniform() - 3;
    learner->scores({{}, x}, all);
    double sum = 0;
    for (std::size_t y = 0; y < 3; ++y) {
      sum += all[y];
      ASSERT_LE(1 - all[y], -std::log(all[3 + y]) + 1e-12);
    }
    ASSERT_NEAR(sum, 1, 1e-15);
    const double best = *std::max_element(all.begin() + 3, all.end());
    sure += best > 0.9;
    split += best < 0.5;
  }
  EXPECT_GE(sure, 50);
  EXPECT_GE(split, 50);
}

}  // namespace
}  // namespace soba
