#include "learners/ova_perceptron.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/draws.h"
#include "learners/testing.h"
#include "soba/rng.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const std::vector<double> kValues = {1, -2}, kOther = {1, 0};
const Features kX{{}, kValues}, kY{{}, kOther};

// ‖x‖² = 5, so a class that gets c·x scores 5·c.
// Round 1: every score is 0: every class claims x; label 1 is right: +x for it, −x for the others.
// Rounds 2, 3: label 1 claims x (0 is a claim) and is wrong: −x each time.
// Round 4: now nobody claims x; label 0, drawn uniformly, is wrong but did not claim it: nothing.
// Round 5: label 2, drawn uniformly, is right: +x.
TEST(OvaPerceptron, FiveRoundsByHand) {
  const auto learner = make_ova_perceptron({3, 2});
  EXPECT_TRUE(answer(*learner, kX, 1, 1, true).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-5, 5, -5}));
  EXPECT_TRUE(answer(*learner, kX, 1, 1, false).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-5, 0, -5}));
  EXPECT_TRUE(answer(*learner, kX, 1, 1, false).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-5, -5, -5}));
  EXPECT_FALSE(answer(*learner, kX, 0, 1.0 / 3, false).updated);
  EXPECT_TRUE(answer(*learner, kX, 2, 1.0 / 3, true).updated);
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{-5, -5, 0}));
  EXPECT_EQ(scores_of(*learner, kY), (std::vector<double>{-1, -1, 0}));
}

TEST(OvaPerceptron, ARightAnswerPushesDownTheOthersThatClaim) {
  const auto learner = make_ova_perceptron({2, 2});
  answer(*learner, kX, 0, 1, true);  // w_0 = x, w_1 = −x
  answer(*learner, kY, 1, 1,
         true);  // w_0·y = 1 is a claim: w_0 = (0, −2); w_1·y = −1: w_1 = (0, 2)
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{4, -4}));
  EXPECT_EQ(scores_of(*learner, kY), (std::vector<double>{0, 0}));
}

TEST(OvaPerceptron, ExploresOnlyWhereNobodyClaims) {
  const auto learner = make_ova_perceptron({2, 2});
  const auto chances = [&] {
    std::vector<double> p(2);
    distribution(testing::exploration_of(*learner, 1, scores_of(*learner, kX)),
                 scores_of(*learner, kX), p);
    return p;
  };
  EXPECT_EQ(chances(), (std::vector<double>{1, 0}));
  answer(*learner, kX, 0, 1, false);
  EXPECT_EQ(chances(), (std::vector<double>{0, 1}));
  answer(*learner, kX, 1, 1, false);
  EXPECT_EQ(chances(), (std::vector<double>{0.5, 0.5}));
}

// The Perceptron's bound for each class: if ±w_i·x >= 1 for some w_i, it moves at most
// ‖w_i‖²·max ‖x‖² times. Here x = e_y + e_3/2, and w_i = 2·e_i − 2·e_3 has w_y·x = 1, w_j·x = −1
// and ‖w_i‖² = 8.
TEST(OvaPerceptron, MovesSeldomOnSeparableData) {
  const auto learner = make_ova_perceptron({3, 4});
  Draws draws(Rng(1, Purpose::kExamples), 0);
  std::vector<double> before(3);
  int moves = 0;
  for (int t = 0; t < 3000; ++t) {
    const auto y = static_cast<Label>(draws.below(3));
    const std::vector<Index> index = {y, 3};
    const std::vector<double> value = {1, 0.5};
    const Features x{index, value};
    before = scores_of(*learner, x);
    const Draw drawn = draw(testing::exploration_of(*learner, t + 1, before), before,
                            argmax(before), draws.uniform());
    answer(*learner, x, drawn.label, drawn.probability, drawn.label == y);
    const std::vector<double> after = scores_of(*learner, x);
    for (std::size_t i = 0; i < 3; ++i) moves += before[i] != after[i];
  }
  EXPECT_GT(moves, 0);
  EXPECT_LE(moves, 3 * 8 * 1.25);
}

}  // namespace
}  // namespace soba
