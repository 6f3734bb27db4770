#include "learners/soba_ovr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "learners/testing.h"
#include "soba/error.h"

namespace soba {
namespace {

using testing::answer;
using testing::scores_of;

const SobaOvrOptions kProved{.covariance = "full",
                             .ridges = {"1"},
                             .gate = "on",
                             .explore = "constant",
                             .constant = false,
                             .scale_free = false};

// Two classes, x = 1, worked by hand. V = 1/A.
TEST(SobaOvr, GatedRoundsByHand) {
  const auto learner = make_soba_ovr({2, 1}, kProved);
  const std::vector<double> one = {1};
  const Features x{{}, one};
  EXPECT_EQ(scores_of(*learner, x), (std::vector<double>{0, 0}));
  EXPECT_EQ(std::get<Unclaimed>(testing::exploration_of(*learner, 1, scores_of(*learner, x))).rate,
            1);

  // (c): w = 1/p = 2, q' = 2/3; S receives (2·1 − 2)/3 = 0; A_1 = 3, w_1 = 2/3.
  Learned learned = answer(*learner, x, 1, 0.5, true);
  EXPECT_TRUE(learned.updated);
  EXPECT_EQ(*learned.margin_sum, 0);
  EXPECT_DOUBLE_EQ(scores_of(*learner, x)[1], 2.0 / 3);
  EXPECT_TRUE(
      std::holds_alternative<Greedy>(testing::exploration_of(*learner, 2, scores_of(*learner, x))));

  // (b): m = (4/9 − 4/3)·3/4 = −2/3 overdraws S = 0.
  learned = answer(*learner, x, 1, 1, true);
  EXPECT_FALSE(learned.updated);
  EXPECT_DOUBLE_EQ(scores_of(*learner, x)[1], 2.0 / 3);

  // (a): S receives (4/9 + 4/3)·3/4 = 4/3; A_1 = 4, w_1 = 2/3 − 5/12.
  learned = answer(*learner, x, 1, 1, false);
  EXPECT_TRUE(learned.updated);
  EXPECT_DOUBLE_EQ(*learned.margin_sum, 4.0 / 3);
  EXPECT_DOUBLE_EQ(scores_of(*learner, x)[1], 0.25);

  // (b): m = (1/16 − 1/2)·4/5 = −7/20 is within S; w_1 = 1/4 + (3/4)/(5/4)/4.
  learned = answer(*learner, x, 1, 1, true);
  EXPECT_TRUE(learned.updated);
  EXPECT_NEAR(*learned.margin_sum, 4.0 / 3 - 0.35, 1e-14);
  EXPECT_DOUBLE_EQ(scores_of(*learner, x)[1], 0.4);
}

TEST(SobaOvr, AWrongGuessThatNobodyClaimedTeachesNothing) {
  const auto learner = make_soba_ovr({3, 1}, {});
  const std::vector<double> one = {1};
  const Learned learned = answer(*learner, {{}, one}, 2, 0.3, false);
  EXPECT_FALSE(learned.updated);
  EXPECT_FALSE(learned.margin_sum.has_value());
  EXPECT_EQ(scores_of(*learner, {{}, one}), (std::vector<double>{0, 0, 0}));
}

// e = c·√(k(1 + Q_B)/T_B), T_B with the round to come; after the hit above Q_B = 2/3.
TEST(SobaOvr, ExploresLessTheMoreItHasLearnt) {
  SobaOvrOptions options = kProved;
  options.explore = "confident";
  options.explore_scale = 0.5;
  const auto learner = make_soba_ovr({2, 1}, options);
  const std::vector<double> one = {1}, none = {0};
  const auto rate = [&] {
    const std::vector<double> open = {0, 0};
    return std::get<Unclaimed>(testing::exploration_of(*learner, 1, open)).rate;
  };
  EXPECT_DOUBLE_EQ(rate(), 0.5 * std::sqrt(2.0));
  answer(*learner, {{}, one}, 1, 0.5, true);
  EXPECT_DOUBLE_EQ(rate(), 0.5 * std::sqrt(2 * (5.0 / 3) / 2));
  answer(*learner, {{}, none}, 1, 0.5, false);
  EXPECT_DOUBLE_EQ(rate(), 0.5 * std::sqrt(2 * (5.0 / 3) / 3));
}

// Class 1 claims feature 0, class 0 claims features 1 and 2 together. Where both do and 0 was
// right, 1 is demoted: with diagonals, not with full matrices.
TEST(SobaOvr, DiagonalsDemoteOtherClaimants) {
  for (const bool diagonal : {true, false}) {
    SobaOvrOptions options{.covariance = diagonal ? "diagonal" : "full"};
    options.constant = false;
    const auto learner = make_soba_ovr({2, 3}, options);
    const std::vector<double> a = {1, 0, 0}, b = {0, 1, 1}, both = {1, 1, 1};
    answer(*learner, {{}, a}, 1, 0.5, true);
    answer(*learner, {{}, b}, 0, 0.5, true);
    const double before = scores_of(*learner, {{}, a})[1];
    ASSERT_GT(before, 0);
    answer(*learner, {{}, both}, 0, 1, true);
    EXPECT_EQ(scores_of(*learner, {{}, a})[1] < before, diagonal);
  }
}

TEST(SobaOvr, TheGateWorksWithOneRidge) {
  EXPECT_THROW(make_soba_ovr({2, 1}, {.ridges = {"1", "2"}, .gate = "on"}), Error);
  EXPECT_THROW(choose_learner("soba-ovr", {{"ridges", "1,-2"}}), Error);
  EXPECT_THROW(choose_learner("soba-ovr", {{"ridges", "1,,2"}}), Error);
}

TEST(SobaOvr, SaysItsForm) {
  const auto learner = make_soba_ovr({2, 1}, {});
  EXPECT_EQ(learner->remarks(),
            "full matrices; weights of the ridges: 0.0005 0.333, 0.02 0.333, 0.5 0.333");
}

}  // namespace
}  // namespace soba
