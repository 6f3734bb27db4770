#include "learners/second_order_perceptron.h"

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

// k = 3, a = 1.
// Round 1: x = (1, 0), y = 1, ŷ = 0: θ_1 = (1, 0) = −θ_0, A_00 = 2 for both. With x counted again
//   A_00 + 1 = 3, so that the scores of x are ∓1/3.
// Round 2: the same, right: nothing, though the margin is small.
// Round 3: x = (1, 1), y = 2. For class 1 the second feature is new, so that s_1 = 1/3 still and
//   ŷ = 1: θ_2 = (1, 1), θ_1 = (0, −1).
TEST(SecondOrderPerceptron, ThreeRoundsByHand) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_second_order_perceptron({3, 2}, {.covariance = covariance});
    EXPECT_TRUE(teach(*learner, kX, 1));
    const std::vector<double> first = scores_of(*learner, kX);
    EXPECT_NEAR(first[0], -1.0 / 3, 1e-15);
    EXPECT_NEAR(first[1], 1.0 / 3, 1e-15);
    EXPECT_EQ(first[2], 0);
    EXPECT_FALSE(teach(*learner, kX, 1));
    EXPECT_EQ(scores_of(*learner, kXY), first);
    EXPECT_TRUE(teach(*learner, kXY, 2));
    const std::vector<double> third = scores_of(*learner, kXY);
    EXPECT_NEAR(third[0], -1.0 / 3, 1e-15);
    // Diagonal: A_1 = (3, 2), with x (4, 3): s_1 = −1/3; A_2 = (2, 2), with x (3, 3): s_2 = 2/3.
    // Full: A_2 with x is (3 2; 2 3), s_2 = (1, 1)·(1/5, 1/5) = 2/5. A_1 = (3 1; 1 2), with x
    //   (4 2; 2 3), whose inverse is (3 −2; −2 4)/8: s_1 = (0, −1)·(1, 2)/8 = −1/4.
    const bool diagonal = covariance == std::string("diagonal");
    EXPECT_NEAR(third[1], diagonal ? -1.0 / 3 : -1.0 / 4, 1e-15);
    EXPECT_NEAR(third[2], diagonal ? 2.0 / 3 : 2.0 / 5, 1e-15);
  }
}

// Against A_i and θ_i kept as they are, and solved from scratch for each score.
TEST(SecondOrderPerceptron, TheFullFormIsASolveFromScratch) {
  const Shape shape{4, 5};
  const double a = 0.3;
  const testing::Problem problem = testing::random_problem(2, shape, 400, {1, 100, false});
  const auto learner = make_second_order_perceptron(shape, {.covariance = "full", .a = a});
  std::vector<Eigen::MatrixXd> matrix(4, a * Eigen::MatrixXd::Identity(5, 5));
  std::vector<Eigen::VectorXd> theta(4, Eigen::VectorXd::Zero(5));
  int updates = 0;
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(5);
    const Features features = problem.block.features(t);
    for (std::size_t i = 0; i < features.size(); ++i) x[features.feature(i)] = features.value[i];
    const std::vector<double> scores = scores_of(*learner, features);
    for (std::size_t c = 0; c < 4; ++c) {
      const Eigen::MatrixXd with_x = matrix[c] + x * x.transpose();
      ASSERT_NEAR(scores[c], theta[c].dot(with_x.ldlt().solve(x)), 1e-9) << t;
    }
    const auto y = static_cast<std::size_t>(problem.block.label[t]);
    const auto greedy = static_cast<std::size_t>(argmax(scores));
    ASSERT_EQ(teach(*learner, features, problem.block.label[t]), y != greedy);
    if (y == greedy) continue;
    ++updates;
    theta[y] += x;
    theta[greedy] -= x;
    for (const std::size_t c : {y, greedy}) matrix[c] += x * x.transpose();
  }
  EXPECT_GE(updates, 50);
}

}  // namespace
}  // namespace soba
