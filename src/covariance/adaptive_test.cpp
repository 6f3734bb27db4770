#include "covariance/adaptive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/file.h"
#include "support/out_of_memory.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

constexpr double kMemory = 1e9;
constexpr double kA = 0.5;

template <class C>
std::vector<double> scores(const C& covariance, const Features& x) {
  std::vector<double> out(static_cast<std::size_t>(covariance.shape().classes));
  covariance.scores(x, out);
  return out;
}

// Steps along (e_2 − e_0) ⊗ x with w = 2 and g = −2, as SOBA's with p = 1/2.
template <class C>
void learn(C& covariance, const Features& x, bool at_once = false) {
  covariance.reserve(x);
  covariance.grow(x.extent());
  const std::vector<double> s = scores(covariance, x);
  const PairVector v{2, 0, x};
  const double inner = s[2] - s[0];
  if (at_once) {
    covariance.quad_step(v, 2, -2, inner);
  } else {
    covariance.quad(v);
    covariance.step(v, 2, -2, inner);
  }
}

const std::vector<double> kX1 = {1, 2}, kX2 = {3, -1}, kX3 = {0, 0, 1};

AdaptiveCovariance small(Index announced = 0) {
  return {Shape{3, announced}, kA, 6, kMemory};  // exact up to two features
}

TEST(AdaptiveCovariance, IsTheExactFormUntilItHandsOver) {
  const testing::Problem problem = testing::random_problem(5, {3, 4}, 200, {0.7, 10, false});
  AdaptiveCovariance adaptive({3, 4}, kA, 12, kMemory);
  ExactCovariance exact({3, 0}, kA, kMemory);
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const Features x = problem.block.features(t);
    learn(adaptive, x, t % 2 == 0);
    learn(exact, x, t % 2 == 0);
    ASSERT_EQ(scores(adaptive, x), scores(exact, x));
  }
  EXPECT_TRUE(adaptive.exact());
  EXPECT_FALSE(exact.dual());
}

TEST(AdaptiveCovariance, HandsOverTheDiagonalOfAAndTheWeights) {
  AdaptiveCovariance covariance = small();
  learn(covariance, {{}, kX1});
  learn(covariance, {{}, kX2}, true);
  ASSERT_TRUE(covariance.exact());
  const std::vector<double> e1 = {1, 0}, e2 = {0, 1};
  const std::vector<double> w1 = scores(covariance, {{}, e1}), w2 = scores(covariance, {{}, e2});
  covariance.reserve({{}, kX3});
  EXPECT_TRUE(covariance.exact());  // reserve() changes nothing
  {
    const testing::OutOfMemory now;
    covariance.grow(3);
  }
  ASSERT_FALSE(covariance.exact());
  EXPECT_EQ(covariance.shape(), (Shape{3, 3}));
  for (std::size_t label = 0; label < 3; ++label) {
    EXPECT_EQ(scores(covariance, {{}, e1})[label], static_cast<float>(w1[label]));
    EXPECT_EQ(scores(covariance, {{}, e2})[label], static_cast<float>(w2[label]));
  }
  // Labels 0 and 2 have had both steps, label 1 neither: A_jj = 0.5 + Σ w·x_j², or 0.5.
  const double first = kA + 2 * 1 + 2 * 9, second = kA + 2 * 4 + 2 * 1;
  EXPECT_NEAR(covariance.quad({2, 0, {{}, e1}}), 2 / first, 1e-12);
  EXPECT_NEAR(covariance.quad({2, 0, {{}, e2}}), 2 / second, 1e-12);
  EXPECT_NEAR(covariance.quad({2, 1, {{}, e1}}), 1 / first + 1 / kA, 1e-12);
  EXPECT_NEAR(covariance.quad({2, 0, {{}, kX3}}), 2 / kA, 1e-12);
}

// From there on it is the diagonal form: A grows and θ = A·w does.
TEST(AdaptiveCovariance, GoesOnFromTheSameWeights) {
  AdaptiveCovariance covariance = small();
  learn(covariance, {{}, kX1});
  const std::vector<double> e2 = {0, 1};
  const double weight = scores(covariance, {{}, e2})[0];
  const double entry = kA + 2 * 4;
  covariance.grow(3);
  covariance.quad({2, 0, {{}, e2}});
  covariance.step({2, 0, {{}, e2}}, 2, -2, 0);
  EXPECT_NEAR(scores(covariance, {{}, e2})[0], (entry * weight + 2) / (entry + 2), 1e-6);
}

TEST(AdaptiveCovariance, DoesNotDependOnFeaturesThatAreOnlyAnnounced) {
  const testing::Problem problem = testing::random_problem(6, {3, 60}, 300, {0.1, 1, false});
  AdaptiveCovariance plain({3, 0}, kA, 180, kMemory);
  AdaptiveCovariance told({3, 60}, kA, 180, kMemory), wide({3, 5000}, kA, 180, kMemory);
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const Features x = problem.block.features(t);
    for (AdaptiveCovariance* each : {&plain, &told, &wide}) learn(*each, x);
    ASSERT_EQ(scores(told, x), scores(plain, x));
    ASSERT_EQ(scores(wide, x), scores(plain, x));
  }
  EXPECT_TRUE(wide.exact());
}

TEST(AdaptiveCovariance, IsSavedInEitherForm) {
  AdaptiveCovariance covariance = small(9);
  for (const Index features : {0, 2, 3}) {
    covariance.grow(features);
    FieldWriter writer;
    covariance.visit(writer);
    const std::string bytes = writer.finish();
    AdaptiveCovariance loaded = small(9);
    FieldReader reader(bytes);
    loaded.visit(reader);
    EXPECT_EQ(loaded.exact(), features < 3);
    EXPECT_EQ(loaded.shape(), covariance.shape());
    for (AdaptiveCovariance* each : {&covariance, &loaded}) learn(*each, {{}, kX1});
    FieldWriter one, two;
    loaded.visit(one);
    covariance.visit(two);
    EXPECT_EQ(one.finish(), two.finish());
  }
}

TEST(AdaptiveCovariance, HandsOverWhereMemoryIsLowered) {
  AdaptiveCovariance covariance = small();
  learn(covariance, {{}, kX1});
  covariance.limit_memory(1);
  EXPECT_TRUE(covariance.exact());
  learn(covariance, {{}, kX2});
  EXPECT_FALSE(covariance.exact());
}

// Weights that no float can hold are cut off, not infinite.
TEST(AdaptiveCovariance, HandsOverFiniteWeights) {
  AdaptiveCovariance covariance({3, 0}, 1e-200, 6, kMemory);
  const std::vector<double> tiny = {1e-120, 0};
  learn(covariance, {{}, tiny});
  covariance.grow(3);
  const std::vector<double> one = {1, 1};
  for (const double score : scores(covariance, {{}, one})) EXPECT_TRUE(std::isfinite(score));
}

}  // namespace
}  // namespace soba
