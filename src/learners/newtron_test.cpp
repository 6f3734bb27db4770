#include "learners/newtron.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/draws.h"
#include "learners/testing.h"
#include "soba/error.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::answer;
using testing::random_problem;
using testing::scores_of;

const std::vector<double> kOne = {1};
const Features kX{{}, kOne};

std::vector<double> raw_of(const Learner& learner, const Features& x) {
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(2 * k);
  learner.scores(x, out);
  return {out.begin() + static_cast<std::ptrdiff_t>(k), out.end()};
}

// k = 2, d = 1, x = 1, D = 1, β = 1/2, α = 17/16·ln 3. P = (1/2, 1/2). Round 1: label 0, p = 1/2,
// right: f = (1/2 − 1)/(1/2) = −1, δ = f·(1/2, −1/2) = (−1/2, 1/2), κβ = 1/4,
//   A = 1 + 1/16 each, b = δ, W = −b/A = (8/17, −8/17), whose norm is below 1; P_0 = 1/(1 + 1/3) =
//   3/4.
// Round 2: label 1, p = 1/4, wrong: f = 1, δ = (−1/2, 1/2), κβ = 1/2, ⟨δ, W⟩ = −8/17, A = 19/16
// each, b =
//   δ·(1 + 21/17), w = (16/17, −16/17), whose norm is above 1: W = (1/√2, −1/√2).
TEST(PNewtron, TwoRoundsByHand) {
  const auto learner =
      make_pnewtron({2, 1}, {.alpha = 17.0 / 16 * std::log(3), .beta = 0.5, .gamma = 0});
  EXPECT_EQ(scores_of(*learner, kX), (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(answer(*learner, kX, 0, 0.5, true).updated);
  EXPECT_NEAR(raw_of(*learner, kX)[0], 8.0 / 17, 1e-14);
  EXPECT_NEAR(raw_of(*learner, kX)[1], -8.0 / 17, 1e-14);
  EXPECT_NEAR(scores_of(*learner, kX)[0], 0.75, 1e-14);
  EXPECT_TRUE(answer(*learner, kX, 1, 0.25, false).updated);
  EXPECT_NEAR(raw_of(*learner, kX)[0], std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(raw_of(*learner, kX)[1], -std::sqrt(0.5), 1e-14);
}

// The same with the whole matrix, of which δ is an eigenvector: (I + δδᵀ/4)δ = 9/8·δ, so after
// round 1 W = −8/9·δ = (4/9, −4/9). Round 2, played with p = P_1, so that f = 1: ⟨δ, W⟩ = −4/9, Aδ
// = 11/8·δ, b =
//   δ·(1 + 11/9), −A⁻¹b = (80/99, −80/99), whose norm is above 1: the projection keeps the
//   direction.
TEST(Newtron, TwoRoundsByHand) {
  const auto learner = make_newtron({2, 1}, {.alpha = 1, .beta = 0.5, .D = 1, .gamma = 0});
  EXPECT_TRUE(answer(*learner, kX, 0, 0.5, true).updated);
  EXPECT_NEAR(raw_of(*learner, kX)[0], 4.0 / 9, 1e-14);
  EXPECT_NEAR(raw_of(*learner, kX)[1], -4.0 / 9, 1e-14);
  EXPECT_TRUE(answer(*learner, kX, 1, scores_of(*learner, kX)[1], false).updated);
  EXPECT_NEAR(raw_of(*learner, kX)[0], std::sqrt(0.5), 1e-11);
  EXPECT_NEAR(raw_of(*learner, kX)[1], -std::sqrt(0.5), 1e-11);
}

// From scratch in every round: W out of A and b; the projection by bisection in the eigenbasis.
class Naive {
 public:
  Naive(Shape shape, const NewtronOptions& options, bool diagonal)
      : shape_(shape), options_(options), diagonal_(diagonal) {
    const Eigen::Index n = Eigen::Index{shape.classes} * shape.features;
    a_ = Eigen::MatrixXd::Identity(n, n) / options.D;
    b_ = w_ = Eigen::VectorXd::Zero(n);
  }

  Eigen::VectorXd raw(const Features& x) const {
    Eigen::VectorXd s = Eigen::VectorXd::Zero(shape_.classes);
    for (Label c = 0; c < shape_.classes; ++c) s[c] = w_.dot(unit(c, x));
    return s;
  }

  void learn(const Features& x, Label played, double p, bool correct) {
    const Eigen::VectorXd e = (options_.alpha * raw(x)).array().exp();
    const double share = e[played] / e.sum();
    Eigen::VectorXd delta = unit(played, x);
    for (Label c = 0; c < shape_.classes; ++c) delta -= unit(c, x) / shape_.classes;
    delta *= correct ? -(1 - share) / p : share / p;
    const double weight = (correct ? p : 1) * options_.beta;
    a_ += weight * delta * delta.transpose();
    if (diagonal_) a_ = Eigen::MatrixXd(a_.diagonal().asDiagonal());
    b_ += (1 - weight * delta.dot(w_)) * delta;

    const Eigen::VectorXd inside = -a_.llt().solve(b_);
    if (inside.norm() <= options_.D) {
      w_ = inside;
    } else if (diagonal_) {
      w_ = inside * options_.D / inside.norm();
    } else {
      ++projections;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a_);
      const Eigen::VectorXd c = -(eigen.eigenvectors().transpose() * b_);
      double low = 0, high = b_.norm() / options_.D;
      Eigen::VectorXd w;
      for (int i = 0; i < 200; ++i) {
        const double lambda = (low + high) / 2;
        w = c.array() / (eigen.eigenvalues().array() + lambda);
        (w.norm() > options_.D ? low : high) = lambda;
      }
      w_ = eigen.eigenvectors() * w;
    }
  }

  int projections = 0;

 private:
  Eigen::VectorXd unit(Label label, const Features& x) const {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(w_.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      v[label * shape_.features + x.feature(i)] = x.value[i];
    }
    return v;
  }

  Shape shape_;
  NewtronOptions options_;
  bool diagonal_;
  Eigen::MatrixXd a_;
  Eigen::VectorXd b_, w_;
};

void follow(Learner& learner, Naive& naive, const Block& block, double tolerance) {
  Draws draws(Rng(5, Purpose::kExploration), 0);
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  for (std::size_t t = 0; t < block.size(); ++t) {
    const Features x = block.features(t);
    const Eigen::VectorXd expected = naive.raw(x);
    const std::vector<double> found = raw_of(learner, x);
    for (std::size_t c = 0; c < k; ++c) {
      ASSERT_NEAR(found[c], expected[static_cast<Eigen::Index>(c)], tolerance) << "round " << t;
    }
    const std::vector<double> scores = scores_of(learner, x);
    const Draw drawn = draw(ProportionalMix{0.05}, scores, argmax(scores), draws.uniform());
    const bool correct = drawn.label == block.label[t];
    answer(learner, x, drawn.label, drawn.probability, correct);
    naive.learn(x, drawn.label, drawn.probability, correct);
  }
}

TEST(Newtron, IsTheNaiveOne) {
  const Shape shape{3, 5};
  for (const double radius : {0.3, 1.0, 1e4}) {
    SCOPED_TRACE(radius);
    const NewtronOptions options{.alpha = 3, .beta = 0.1, .D = radius};
    const Block block = random_problem(1, shape, 400, {0.7, 1, false}).block;
    const auto learner = make_newtron(shape, options);
    Naive naive(shape, options, false);
    follow(*learner, naive, block, 1e-8 * std::max(1.0, radius));
    EXPECT_EQ(naive.projections > 100, radius <= 1) << naive.projections;
  }
}

// Above all, the norm that follows each step is the norm.
TEST(PNewtron, IsTheNaiveOne) {
  const Shape shape{3, 12};
  for (const double radius : {0.3, 1.0, 10.0}) {
    SCOPED_TRACE(radius);
    const NewtronOptions options{.alpha = 3, .beta = 0.1, .D = radius};
    const Block block = random_problem(2, shape, 300, {0.3, 1, false}).block;
    const auto learner = make_pnewtron(shape, options);
    Naive naive(shape, options, true);
    follow(*learner, naive, block, 1e-8 * std::max(1.0, radius));
  }
}

// However much is learnt, ‖W‖ <= D holds two logits within √2·αD‖x‖ of each other: what makes the
// defaults fail on unit vectors with many classes.
TEST(PNewtron, TheRadiusKeepsTheSoftmaxSoft) {
  const double softest = 1 / (1 + std::exp(-std::sqrt(2)));  // α = D = ‖x‖ = 1
  for (const double radius : {1.0, 5.0}) {
    const auto learner = make_pnewtron({2, 1}, {.alpha = 1, .beta = 0.01, .D = radius});
    for (int i = 0; i < 200; ++i) answer(*learner, kX, 0, scores_of(*learner, kX)[0], true);
    if (radius == 1) {
      EXPECT_NEAR(scores_of(*learner, kX)[0], softest, 1e-6);
    } else {
      EXPECT_GT(scores_of(*learner, kX)[0], 0.99);
    }
  }
}

TEST(Newtron, RefusesAMatrixBeyondItsMemory) {
  EXPECT_THROW(make_newtron({9, 400}, {.memory = 100}), Error);
  EXPECT_NO_THROW(make_newtron({9, 40}, {.memory = 100}));
}

}  // namespace
}  // namespace soba
