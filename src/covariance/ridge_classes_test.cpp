#include "covariance/ridge_classes.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "core/draws.h"
#include "soba/rng.h"

namespace soba {
namespace {

constexpr double kPlenty = 1e9;

// The regression as its header writes it, solved from scratch: A_i = a·diag(r_i) + Σ w·x·xᵀ and
// θ_i = Σ w·σ·x over (1, x).
class Naive {
 public:
  Naive(Label classes, Index features, std::vector<double> ridges, bool scale_free)
      : size_(features + 1), ridges_(std::move(ridges)), scale_free_(scale_free) {
    largest_.setZero(size_);
    level_.setZero(size_);
    for (Label i = 0; i < classes; ++i) {
      gram_.push_back(Eigen::MatrixXd::Zero(size_, size_));
      theta_.push_back(Eigen::VectorXd::Zero(size_));
      started_.push_back(Eigen::VectorXd::Zero(size_));
    }
  }

  double score(std::size_t ridge, Label label, const Eigen::VectorXd& x) const {
    const auto i = static_cast<std::size_t>(label);
    Eigen::MatrixXd a = gram_[i];
    for (Eigen::Index j = 0; j < size_; ++j) {
      a(j, j) += started_[i][j] > 0 ? ridges_[ridge] * started_[i][j] : 1;
    }
    return x.dot(a.ldlt().solve(theta_[i]));
  }

  void meet(const Eigen::VectorXd& x) {
    ++rounds_;
    Eigen::VectorXd grown = largest_;
    for (Eigen::Index j = 0; j < size_; ++j) {
      if (std::fabs(x[j]) > largest_[j]) {
        grown[j] = std::max(std::fabs(x[j]), 1.5 * largest_[j]);
      }
      if (x[j] != 0) norms_ += x[j] * x[j] / (grown[j] * grown[j]);
    }
    for (Eigen::Index j = 0; j < size_; ++j) {
      if (!scale_free_) level_[j] = 1;
      if (scale_free_ && grown[j] > largest_[j]) {
        level_[j] = std::max(level_[j], norms_ / rounds_ * grown[j] * grown[j]);
      }
    }
    largest_ = grown;
  }

  void step(Label label, const Eigen::VectorXd& x, double sigma, double w) {
    const auto i = static_cast<std::size_t>(label);
    for (Eigen::Index j = 0; j < size_; ++j) {
      if (x[j] != 0) started_[i][j] = std::max(started_[i][j], level_[j]);
    }
    gram_[i] += w * x * x.transpose();
    theta_[i] += w * sigma * x;
  }

 private:
  Eigen::Index size_;
  std::vector<double> ridges_;
  bool scale_free_;
  double rounds_ = 0, norms_ = 0;
  Eigen::VectorXd largest_, level_;
  std::vector<Eigen::MatrixXd> gram_;
  std::vector<Eigen::VectorXd> theta_, started_;
};

struct Scores {
  std::vector<double> mixed, each;
};

Scores scores_of(const RidgeClasses& classes, const Features& x) {
  const auto k = static_cast<std::size_t>(classes.shape().classes);
  Scores scores{std::vector<double>(k), std::vector<double>(k * classes.ridges())};
  classes.scores(x, scores.mixed, scores.each);
  return scores;
}

class AgainstScratch : public ::testing::TestWithParam<bool> {};

// Sparse and dense x, features that turn up later, and where that is no matter, scales that differ
// and grow on the way.
TEST_P(AgainstScratch, TheFullFormIsTheRegressionOfItsHeader) {
  const bool scale_free = GetParam();
  const std::vector<double> ridges = {0.01, 0.5};
  constexpr Label kClasses = 3;
  constexpr Index kFeatures = 6;
  Draws draws(Rng(7, Purpose::kExploration), 1);
  RidgeClasses classes({kClasses, 0}, {.form = RidgeClasses::Form::kFull,
                                       .ridges = ridges,
                                       .scale_free = scale_free,
                                       .memory = kPlenty});
  Naive naive(kClasses, kFeatures, ridges, scale_free);
  for (int t = 0; t < 200; ++t) {
    std::vector<Index> index;
    std::vector<double> value;
    Eigen::VectorXd whole = Eigen::VectorXd::Zero(kFeatures + 1);
    whole[0] = 1;
    for (Index j = 0; j < std::min<Index>(kFeatures, 2 + t / 20); ++j) {
      const double v =
          t % 3 == 0 && draws.uniform() < 0.4
              ? 0
              : (draws.uniform() - 0.4) * (scale_free ? std::pow(10, j - 2) * (1 + t / 50) : 1);
      if (t % 2 == 0 || v != 0) value.push_back(v);
      if (t % 2 == 1 && v != 0) index.push_back(j);
      whole[j + 1] = v;
    }
    const Features x{index, value};
    const Scores now = scores_of(classes, x);
    for (std::size_t e = 0; e < ridges.size(); ++e) {
      for (Label i = 0; i < kClasses; ++i) {
        ASSERT_NEAR(now.each[e * kClasses + static_cast<std::size_t>(i)], naive.score(e, i, whole),
                    1e-8)
            << t;
      }
    }
    classes.reserve(x);
    classes.meet(x);
    naive.meet(whole);
    const auto label = static_cast<Label>(draws.below(kClasses));
    const double sigma = draws.uniform() < 0.5 ? 1 : -1, w = 1 + 3 * draws.uniform();
    ASSERT_TRUE(classes.step(label, now.each, sigma, w).has_value());
    naive.step(label, whole, sigma, w);
  }
}

INSTANTIATE_TEST_SUITE_P(RidgeClasses, AgainstScratch, ::testing::Bool());

// A step returns q' = wV/(1 + wV): by hand, with x = 2 and A = a = 0.5, V = 8.
TEST(RidgeClasses, AStepSaysHowMuchItLearnt) {
  RidgeClasses classes({2, 1}, {.form = RidgeClasses::Form::kFull,
                                .ridges = {0.5},
                                .constant = false,
                                .scale_free = false,
                                .memory = kPlenty});
  const std::vector<double> two = {2};
  const Features x{{}, two};
  const Scores before = scores_of(classes, x);
  EXPECT_EQ(before.mixed, (std::vector<double>{0, 0}));
  classes.reserve(x);
  classes.meet(x);
  const RidgeClasses::Look look = classes.look(1, before.each);
  EXPECT_EQ(look.score, 0);
  EXPECT_DOUBLE_EQ(look.variance, 8);
  EXPECT_DOUBLE_EQ(*classes.step(1, before.each, 1, 3), 24.0 / 25);
  // w_1 = w·x/(a + w·x²) = 6/12.5.
  EXPECT_DOUBLE_EQ(scores_of(classes, x).mixed[1], 0.96);
  EXPECT_EQ(scores_of(classes, x).mixed[0], 0);
}

// Features of any scale, and a change of scale in the middle: the scores are the same to rounding.
TEST(RidgeClasses, NoScaleOfAFeatureChangesWhatIsLearnt) {
  const RidgeClasses::Settings settings{
      .form = RidgeClasses::Form::kFull, .ridges = {0.02, 0.5}, .memory = kPlenty};
  RidgeClasses plain({3, 4}, settings), scaled({3, 4}, settings);
  Draws draws(Rng(3, Purpose::kExploration), 1);
  const std::vector<double> factor = {1000, 1, 1e-3, 1e6};
  for (int t = 0; t < 150; ++t) {
    std::vector<double> a(4), b(4);
    for (std::size_t j = 0; j < 4; ++j) {
      a[j] = draws.uniform() * (1 + t / 40);
      b[j] = a[j] * factor[j];
    }
    const Features x{{}, a}, y{{}, b};
    const Scores one = scores_of(plain, x), other = scores_of(scaled, y);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(one.mixed[i], other.mixed[i], 1e-7) << t;
    const auto label = static_cast<Label>(draws.below(3));
    const double sigma = a[static_cast<std::size_t>(label)] > 0.8 ? 1 : -1;
    for (auto [classes, features, scores] :
         {std::tuple{&plain, &x, &one}, std::tuple{&scaled, &y, &other}}) {
      classes->reserve(*features);
      classes->judge(label, scores->each, sigma);
      classes->meet(*features);
      classes->step(label, scores->each, sigma, 1);
    }
  }
}

// Teaches a class that x is its own; the form that it has then.
bool teach(RidgeClasses& classes, const Features& x, Label label) {
  const Scores scores = scores_of(classes, x);
  classes.reserve(x);
  classes.meet(x);
  classes.step(label, scores.each, 1, 1);
  return classes.full();
}

TEST(RidgeClasses, HandsOverBeforeTheMemoryIsSpentAndKeepsTheScores) {
  const double memory = FullClasses::bytes({4, 11});
  RidgeClasses classes({2, 0}, {.ridges = {0.1, 1}, .cost = 1e9, .memory = memory});
  std::vector<double> value = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_TRUE(teach(classes, {{}, value}, 0));
  const double before = scores_of(classes, {{}, value}).mixed[0];
  EXPECT_GT(before, 0.5);
  const std::vector<Index> far = {10};
  const std::vector<double> one = {1};
  EXPECT_FALSE(teach(classes, {far, one}, 1));
  // Without the constant, which is for dense data.
  const double constant = before - scores_of(classes, {{}, value}).mixed[0];
  EXPECT_GT(constant, 0);
  EXPECT_LT(constant, 0.1);
  EXPECT_EQ(classes.remarks(), "diagonals");
}

TEST(RidgeClasses, HandsOverWhenItHasCostTooMuch) {
  std::vector<double> value(99);
  for (std::size_t j = 0; j < value.size(); ++j) value[j] = std::cos(static_cast<double>(j));
  const Features x{{}, value};
  // 100 rows (with the constant): 2 · 100 · (100 + 100) cells a step.
  RidgeClasses costly({2, 0},
                      {.ridges = {0.1, 1}, .cost = 0, .free_cells = 4e6, .memory = kPlenty});
  const int free_rounds = 100;
  for (int t = 0; t <= free_rounds; ++t) ASSERT_TRUE(teach(costly, x, t % 2)) << t;
  EXPECT_GT(scores_of(costly, x).mixed[0], 0.9);
  EXPECT_FALSE(teach(costly, x, 0));
  EXPECT_GT(scores_of(costly, x).mixed[0], 0.9);  // the constant stays
  RidgeClasses cheap({2, 0},
                     {.ridges = {0.1, 1}, .cost = 40000, .free_cells = 4e6, .memory = kPlenty});
  for (int t = 0; t <= free_rounds + 1; ++t) ASSERT_TRUE(teach(cheap, x, t % 2));
}

// The a that foresees the answers better gets the weight.
TEST(RidgeClasses, WeighsTheRidgesByWhatTheyForesaw) {
  RidgeClasses classes({2, 1}, {.form = RidgeClasses::Form::kFull,
                                .ridges = {0.001, 1000},
                                .constant = false,
                                .memory = kPlenty});
  const std::vector<double> one = {1};
  const Features x{{}, one};
  for (int t = 0; t < 60; ++t) {
    const Scores scores = scores_of(classes, x);
    classes.reserve(x);
    classes.judge(0, scores.each, 1);
    classes.meet(x);
    classes.step(0, scores.each, 1, 1);
  }
  EXPECT_GT(scores_of(classes, x).mixed[0], 0.95);
}

// In the diagonal form an indicator beside a column of large numbers is learnt as well as alone.
TEST(RidgeClasses, LargeColumnsDoNotHideIndicators) {
  const auto weight_of_indicator = [](double large) {
    RidgeClasses classes({2, 2}, {.form = RidgeClasses::Form::kDiagonal, .memory = kPlenty});
    std::vector<double> value = {1, large};
    const Scores scores = scores_of(classes, {{}, value});
    classes.reserve({{}, value});
    classes.meet({{}, value});
    classes.step(0, scores.each, 1, 1);
    const std::vector<double> alone = {1};
    return scores_of(classes, {{}, alone}).mixed[0];
  };
  EXPECT_FLOAT_EQ(static_cast<float>(weight_of_indicator(50000)),
                  static_cast<float>(weight_of_indicator(1)));
}

}  // namespace
}  // namespace soba
