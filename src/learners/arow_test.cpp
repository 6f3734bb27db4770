#include "learners/arow.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "learners/testing.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::scores_of;
using testing::teach;

const std::vector<double> kOne = {1, 0}, kBoth = {1, 1};
const Features kX{{}, kOne}, kXY{{}, kBoth};

// k = 3, r = 1.
// Round 1: x = (1, 0), y = 1: ȳ = 0, Δ = 0, V = 2, α = 1/3: w_1 = (1/3, 0) = −w_0; 1/Σ_00 = 2.
// Round 2: the same: ȳ = 2, Δ = 1/3, V = 1/2 + 1 = 3/2, α = (2/3)/(5/2) = 4/15:
//   w_1 += 4/15·(1/2, 0), so that w_1 = (7/15, 0), and w_2 = (−4/15, 0).
TEST(Arow, TwoRoundsByHand) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_arow({3, 2}, {.covariance = covariance});
    EXPECT_TRUE(teach(*learner, kX, 1));
    const std::vector<double> first = scores_of(*learner, kX);
    EXPECT_NEAR(first[0], -1.0 / 3, 1e-7);
    EXPECT_NEAR(first[1], 1.0 / 3, 1e-7);
    EXPECT_EQ(first[2], 0);
    EXPECT_TRUE(teach(*learner, kX, 1));
    const std::vector<double> second = scores_of(*learner, kXY);
    EXPECT_NEAR(second[0], -1.0 / 3, 1e-7);
    EXPECT_NEAR(second[1], 7.0 / 15, 1e-7);
    EXPECT_NEAR(second[2], -4.0 / 15, 1e-7);
  }
}

TEST(Arow, StaysWhereTheMarginIsReached) {
  const std::vector<double> two = {2, 0};
  const auto learner = make_arow({2, 2}, {});
  EXPECT_TRUE(teach(*learner, kX, 1));  // the lead is 2/3
  EXPECT_FALSE(teach(*learner, {{}, two}, 1));
  EXPECT_TRUE(teach(*learner, {{}, two}, 0));
}

// The full form against a kd × kd matrix that is solved from scratch in each round.
TEST(Arow, TheFullFormIsTheMinimiserOverBlocks) {
  const Shape shape{3, 5};
  const double r = 0.3;
  const testing::Problem problem = testing::random_problem(1, shape, 300, {0.6, 1, false});
  const auto learner = make_arow(shape, {.covariance = "full", .r = r});
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(15, 15);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(15);
  int updates = 0;
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(5);
    const Features features = problem.block.features(t);
    for (std::size_t i = 0; i < features.size(); ++i) x[features.feature(i)] = features.value[i];
    const std::vector<double> scores = scores_of(*learner, features);
    for (Eigen::Index c = 0; c < 3; ++c) {
      ASSERT_NEAR(scores[static_cast<std::size_t>(c)], w.segment(5 * c, 5).dot(x), 1e-9) << t;
    }
    const Label y = problem.block.label[t], rival = argmax_except(scores, y);
    if (!teach(*learner, features, y)) continue;
    ++updates;
    Eigen::VectorXd v = Eigen::VectorXd::Zero(15);
    v.segment(Eigen::Index{5} * y, 5) = x;
    v.segment(Eigen::Index{5} * rival, 5) = -x;
    // The minimiser of (w' − w)ᵀA(w' − w) + (1 − w'·v)²/r, then the blocks of A + v·vᵀ/r.
    w = (a + v * v.transpose() / r).ldlt().solve(a * w + v / r).eval();
    for (const Eigen::Index c : {y, rival}) a.block(5 * c, 5 * c, 5, 5) += x * x.transpose() / r;
  }
  EXPECT_GE(updates, 100);
}

}  // namespace
}  // namespace soba
