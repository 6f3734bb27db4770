#include "learners/squarecb.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "learners/testing.h"
#include "soba/play.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::Problem;
using testing::random_problem;
using testing::scores_of;

const std::vector<double> kOne = {1, 0}, kBoth = {1, 1};
const Features kX{{}, kOne}, kXY{{}, kBoth};

// k = 2, d = 2, a = 1.
// Round 1: x = (1, 0), label 0 is played and is right: s = 0, V = 1, so w_0 += 1/2·x; A_00 = 2.
// Round 2: the same x, label 0, wrong: s = 1/2, V = 1/2, w_0 += (−1/2)/(3/2)·(1/2, 0): w_0 = (1/3,
//   0); A_00 = 3. One hit in two rounds and a ridge of one: 1/3.
// Round 3: x = (1, 1), label 0, right: s = 1/3, V = 1/3 + 1 = 4/3, w_0 += (2/3)/(7/3)·(1/3, 1) =
//   (2/21, 2/7), so w_0·(1, 1) = 1/3 + 8/21 = 5/7.
// So far the two forms agree: A has stayed diagonal.
TEST(SquareCb, ThreeRoundsByHand) {
  for (const char* covariance : {"diagonal", "full"}) {
    const auto learner = make_squarecb({2, 2}, {.covariance = covariance});
    EXPECT_TRUE(answer(*learner, kX, 0, 1, true).updated);
    EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, 0}));
    EXPECT_TRUE(answer(*learner, kX, 0, 0.1, false).updated);  // p does not matter
    EXPECT_NEAR(scores_of(*learner, kX)[0], 1.0 / 3, 1e-7);
    EXPECT_TRUE(answer(*learner, kXY, 0, 1, true).updated);
    EXPECT_NEAR(scores_of(*learner, kXY)[0], 5.0 / 7, 1e-7);
    EXPECT_NEAR(scores_of(*learner, kX)[0], 3.0 / 7, 1e-7);
    EXPECT_EQ(scores_of(*learner, kXY)[1], 0);
  }
}

// The prediction 1/2 for label 0 and 0 for label 1: p_1 = 1/(2 + γ_t/2), where γ_t = 100·√t.
TEST(SquareCb, ExploresLessAsRoundsGoBy) {
  const auto learner = make_squarecb({2, 2}, {.gamma_scale = 100});
  answer(*learner, kX, 0, 1, true);
  std::vector<double> p(2);
  distribution(testing::exploration_of(*learner, 1, scores_of(*learner, kX)),
               scores_of(*learner, kX), p);
  EXPECT_DOUBLE_EQ(p[1], 1.0 / 52);
  distribution(testing::exploration_of(*learner, 16, scores_of(*learner, kX)),
               scores_of(*learner, kX), p);
  EXPECT_DOUBLE_EQ(p[1], 1.0 / 202);
  EXPECT_DOUBLE_EQ(p[0], 201.0 / 202);
  const auto fourth = make_squarecb({2, 2}, {.gamma_scale = 3, .gamma_exponent = 0.25});
  EXPECT_DOUBLE_EQ(std::get<InverseGap>(fourth->exploration({16, {}, 0})).gamma, 6);
}

// The full form is ridge regression: its weights solve (aI + Σ x·xᵀ)·w_i = Σ c·x over the rounds
// that played i.
TEST(SquareCb, FullIsRidgeRegressionSolvedFromScratch) {
  constexpr Shape kShape{3, 5};
  const Problem problem = random_problem(21, kShape, 400, {0.6, 1, false});
  Model model = new_model("squarecb", {{"covariance", "full"}, {"a", "0.5"}, {"gamma-scale", "1"}},
                          kShape, 3);
  std::vector<Eigen::MatrixXd> matrix(3, 0.5 * Eigen::MatrixXd::Identity(5, 5));
  std::vector<Eigen::VectorXd> right(3, Eigen::VectorXd::Zero(5));
  std::size_t i = 0;
  play(problem.block, model, [&](const Played& row) {
    const Features x = problem.block.features(i++);
    Eigen::VectorXd dense = Eigen::VectorXd::Zero(5);
    for (std::size_t j = 0; j < x.size(); ++j) dense[x.feature(j)] = x.value[j];
    const auto played = static_cast<std::size_t>(row.played);
    matrix[played] += dense * dense.transpose();
    if (row.correct) right[played] += dense;
  });
  for (Index j = 0; j < 5; ++j) {
    const double one = 1;
    const std::vector<double> found = scores_of(predictor(model.learner), {{&j, 1}, {&one, 1}});
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(found[c], matrix[c].ldlt().solve(right[c])[j], 1e-12);
    }
  }
}

}  // namespace
}  // namespace soba
