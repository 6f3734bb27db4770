#include "learners/confidit.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "learners/testing.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::random_problem;
using testing::scores_of;

const std::vector<double> kThree = {3, 0}, kBoth = {1, 1}, kOther = {0, 1};
const Features kX{{}, kThree}, kXY{{}, kBoth}, kY{{}, kOther};

// Without the bounds: w_i·x/‖x‖.
std::vector<double> centers(const Learner& learner, const Features& x) {
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings());
  learner.scores(x, out);
  return {out.begin() + static_cast<std::ptrdiff_t>(k),
          out.begin() + static_cast<std::ptrdiff_t>(2 * k)};
}

// k = 2, d = 2, α = 1, so A = 4·I, and η = 4: the bound is 2√V. x = (3, 0) becomes (1, 0). Round 0:
// V = 1/4, so both scores are 1. Round 1: label 0, right: w_0 += 1/(5/4)·(1/4, 0) = (1/5, 0); A_0 =
// diag(5, 4); V = 1/5. Round 2: label 0, wrong: w_0 += (−1 − 1/5)/(6/5)·(1/5, 0), so w_0 = 0; A_0 =
// diag(6, 4). Round 3: x = (1, 1)/√2, label 0, right: V = (1/6 + 1/4)/2 = 5/24, the score moves to
// V/(1 + V) = 5/29 by w_0 =
//   24/29·(1/6, 1/4)/√2.
// So far the two forms agree: A has stayed diagonal.
TEST(Confidit, ThreeRoundsByHand) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_confidit({2, 2}, {.covariance = covariance, .eta = 4});
    EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{1, 1}));
    EXPECT_TRUE(answer(*learner, kX, 0, 1, true).updated);
    EXPECT_NEAR(scores_of(*learner, kX)[0], 0.2 + 2 * std::sqrt(0.2), 1e-7);
    EXPECT_EQ(scores_of(*learner, kX)[1], 1);
    EXPECT_TRUE(answer(*learner, kX, 0, 1, false).updated);
    EXPECT_NEAR(scores_of(*learner, kX)[0], 2 * std::sqrt(1.0 / 6), 1e-7);
    EXPECT_TRUE(answer(*learner, kXY, 0, 1, true).updated);
    EXPECT_NEAR(centers(*learner, kXY)[0], 5.0 / 29, 1e-7);
    EXPECT_NEAR(centers(*learner, kX)[0], 4.0 / 29 / std::sqrt(2), 1e-7);
  }
}

// A hundred times right on each axis: w_0 = (100/104, 100/104), and (1, 1)/√2 scores 1.36. The
// projection brings that to 1, where a right answer leaves it.
TEST(Confidit, ProjectsOntoTheRangeOfTheModel) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_confidit({2, 2}, {.covariance = covariance});
    for (int i = 0; i < 100; ++i) {
      answer(*learner, kX, 0, 1, true);
      answer(*learner, kY, 0, 1, true);
    }
    EXPECT_NEAR(centers(*learner, kXY)[0], std::sqrt(2) * 100 / 104, 1e-6);
    EXPECT_TRUE(answer(*learner, kXY, 0, 1, true).updated);
    EXPECT_NEAR(centers(*learner, kXY)[0], 1, 1e-6);
  }
}

// α = 0: A = I, and a wrong answer counts 0, which is where w·x stands; what shrinks is the bound.
TEST(Confidit, AWrongAnswerCountsMinusAlpha) {
  const auto learner = make_confidit({2, 2}, {.eta = 1, .alpha = 0});
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{1, 1}));
  EXPECT_TRUE(answer(*learner, kX, 1, 1, false).updated);
  EXPECT_NEAR(scores_of(*learner, kX)[1], std::sqrt(0.5), 1e-7);
}

// What nothing is known of widens the bounds as if it had been known all along.
TEST(Confidit, AFeatureNeverSeenIsUncertain) {
  const auto known = make_confidit({2, 2}, {}), discovering = make_confidit({2, 1}, {});
  const Features first{{}, std::span(kThree).first(1)};
  answer(*known, kX, 0, 1, true);
  answer(*discovering, first, 0, 1, true);
  EXPECT_EQ(scores_of(*discovering, kXY), scores_of(*known, kXY));
  EXPECT_EQ(scores_of(*discovering, kY), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(discovering->shape(), (Shape{2, 1}));
}

// Projection and ridge step as the paper writes them, with a solve from scratch for each.
TEST(Confidit, TheFullFormIsTheNaiveOne) {
  const Shape shape{3, 6};
  const Block block = random_problem(3, shape, 600, {0.7, 1, false}).block;
  const auto learner = make_confidit(shape, {.covariance = "full"});
  std::vector<Eigen::MatrixXd> a(3, 4 * Eigen::MatrixXd::Identity(6, 6));
  std::vector<Eigen::VectorXd> w(3, Eigen::VectorXd::Zero(6));
  int projections = 0;
  for (std::size_t t = 0; t < block.size(); ++t) {
    const Features features = block.features(t);
    if (features.size() == 0) continue;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(6);
    for (std::size_t i = 0; i < features.size(); ++i) x[features.feature(i)] = features.value[i];
    x.normalize();
    const std::vector<double> scores = scores_of(*learner, features);
    for (std::size_t c = 0; c < 3; ++c) {
      const double bound = std::sqrt(x.dot(a[c].ldlt().solve(x)));
      ASSERT_NEAR(scores[c], w[c].dot(x) + bound, 1e-9) << "round " << t;
    }
    // Class 0 is told it was right every fifth round, whatever x: so its scores leave the range.
    const auto played = static_cast<std::size_t>(t % 5 == 0 ? 0 : argmax(scores));
    const bool correct = t % 5 == 0 || static_cast<Label>(played) == block.label[t];
    answer(*learner, features, static_cast<Label>(played), 1, correct);
    const Eigen::VectorXd along = a[played].ldlt().solve(x);
    const double s = w[played].dot(x), clipped = std::clamp(s, -1.0, 1.0);
    projections += s != clipped;
    const Eigen::VectorXd projected = w[played] - (s - clipped) / x.dot(along) * along;
    const Eigen::VectorXd theta = a[played] * projected + (correct ? 1 : -1) * x;
    a[played] += x * x.transpose();
    w[played] = a[played].ldlt().solve(theta);
  }
  EXPECT_GT(projections, 0);
}

}  // namespace
}  // namespace soba
