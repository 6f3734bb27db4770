#include "learners/banditron.h"

#include <gtest/gtest.h>

#include <vector>

#include "learners/testing.h"

namespace soba {
namespace {

const std::vector<double> kValues = {1, -2};
const Features kX{{}, kValues};

std::vector<double> scores(const Learner& learner) { return testing::scores_of(learner, kX); }

Learned answer(Learner& learner, Label played, double p, bool correct) {
  return testing::answer(learner, kX, played, p, correct);
}

// ‖x‖² = 5, so a class that gets c·x scores 5·c.
TEST(Banditron, FourRoundsByHand) {
  const auto learner = make_banditron({3, 2}, {.gamma = 0.3});
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
  const auto learner = make_banditron({3, 2}, {.gamma = 0});
  EXPECT_FALSE(answer(*learner, 0, 1, true).updated);
  EXPECT_EQ(scores(*learner), (std::vector<double>{0, 0, 0}));
}

// Kakade et al., Lemma 4: the expectation of Ũ over the played label is x·(1[r = y] − 1[r = ŷ]).
TEST(Banditron, ItsUpdateIsUnbiased) {
  const double gamma = 0.3;
  for (Label y = 0; y < 3; ++y) {
    std::vector<double> mean(3), p(3);
    const auto fresh = make_banditron({3, 2}, {.gamma = gamma});
    distribution(fresh->exploration(1), scores(*fresh), p);
    for (Label played = 0; played < 3; ++played) {
      const auto learner = make_banditron({3, 2}, {.gamma = gamma});
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

}  // namespace
}  // namespace soba
