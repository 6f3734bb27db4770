#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "covariance/diagonal.h"
#include "covariance/exact.h"
#include "soba/error.h"

namespace soba {
namespace {

const std::vector<Index> kTwo = {0, 1};
const std::vector<double> kValues = {1, 2};
const PairVector kPair{1, 0, {kTwo, kValues}};  // v = (e_1 − e_0) ⊗ (1, 2)

// By hand: A = I. vᵀA⁻¹v = 2·(1 + 4) = 10. With w = 2, g = −2: A_jc = 1 + 2·x_j², θ = ∓2·x_j.
TEST(Diagonal, OneStepByHand) {
  DiagonalCovariance covariance({2, 2}, 1);
  EXPECT_EQ(covariance.quad(kPair), 10);
  EXPECT_EQ(covariance.quad_bound(kPair), 10);
  covariance.step(kPair, 2, -2, 0);
  EXPECT_EQ(covariance.diagonal(0, 0), 3);
  EXPECT_EQ(covariance.diagonal(1, 1), 9);
  EXPECT_EQ(covariance.theta(1, 1), -4);
  EXPECT_EQ(covariance.theta(1, 0), 4);
  std::vector<double> scores(2);
  covariance.scores({{}, kValues}, scores);
  EXPECT_FLOAT_EQ(static_cast<float>(scores[0]), 2.0F / 3 + 2 * 4.0F / 9);
  EXPECT_EQ(scores[0], -scores[1]);
}

// In float, 2²⁴ + 1 = 2²⁴: the diagonal of A would stop there, and with it all learning.
TEST(Diagonal, DoesNotStallAfterSixteenMillionIncrements) {
  DiagonalCovariance covariance({2, 1}, 1);
  const double one = 1;
  const Index zero = 0;
  const PairVector v{1, 0, {{&zero, 1}, {&one, 1}}};
  constexpr std::int64_t kSteps = (std::int64_t{1} << 24) + 1000;
  for (std::int64_t i = 0; i < kSteps; ++i) covariance.step(v, 1, 1, 0);
  EXPECT_EQ(covariance.diagonal(0, 0), static_cast<double>(1 + kSteps));
  EXPECT_EQ(covariance.theta(0, 1), static_cast<double>(kSteps));
}

// By hand: A = I + 2·v·vᵀ, θ = −2·v, so W = A⁻¹θ = −2/(1 + 2·10)·v.
TEST(Exact, OneStepByHandInBothForms) {
  for (const bool primal : {false, true}) {
    ExactCovariance covariance({2, 2}, 1, 1e9);
    if (primal) covariance.make_primal();
    EXPECT_NEAR(covariance.quad(kPair), 10, 1e-14);
    covariance.step(kPair, 2, -2, 0);
    EXPECT_NEAR(covariance.weights()[1], -2.0 / 21 * 1, 1e-15);  // feature 0, class 1
    EXPECT_NEAR(covariance.weights()[2], 2.0 / 21 * 2, 1e-15);   // feature 1, class 0
    EXPECT_NEAR(covariance.quad(kPair), 10.0 / 21, 1e-14);
    EXPECT_EQ(covariance.dual(), !primal);
  }
}

TEST(Exact, SwitchesWhenTheDualFormHasCostAsMuchAsTheSwitch) {
  ExactCovariance covariance({2, 2}, 1, 1e9);
  int updates = 0;
  for (; covariance.dual() && updates < 100; ++updates) {
    covariance.quad(kPair);
    covariance.step(kPair, 1, -1, 0);
  }
  EXPECT_GE(updates, 5);
  EXPECT_LE(updates, 50);
}

TEST(Exact, StaysDualWhereThePrimalFormWouldNotFit) {
  ExactCovariance tight({3, 20}, 1, PrimalForm::bytes({3, 20}) - 1);
  for (int i = 0; i < 60; ++i) {
    tight.quad(kPair);
    tight.step(kPair, 1, -1, 0);
  }
  EXPECT_TRUE(tight.dual());
}

TEST(Exact, GrowsInBothForms) {
  const std::vector<Index> far = {0, 5};
  const PairVector v{1, 2, {far, kValues}};
  std::vector<double> expected;
  for (const bool primal : {false, true}) {
    ExactCovariance covariance({3, 2}, 0.5, 1e9);
    covariance.quad(kPair);
    covariance.step(kPair, 3, 1, 0);
    if (primal) covariance.make_primal();
    covariance.grow(6);
    EXPECT_EQ(covariance.shape(), (Shape{3, 6}));
    const double quad = covariance.quad(v);
    covariance.step(v, 2, -1, 0.25);
    std::vector<double> all(covariance.weights().begin(), covariance.weights().end());
    all.push_back(quad);
    if (!primal) expected = all;
    ASSERT_EQ(all.size(), expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], expected[i], 1e-14);
  }
}

TEST(Exact, AZeroVectorChangesNothing) {
  ExactCovariance covariance({2, 2}, 1, 1e9);
  EXPECT_EQ(covariance.quad({1, 0, {}}), 0);
  for (int i = 0; i < 10; ++i) covariance.step({1, 0, {}}, 1, 1, 0);
  EXPECT_TRUE(covariance.dual());
  EXPECT_EQ(covariance.weights()[0], 0);
}

// Room for neither form: an error that says what to do, and the state stays as it was.
TEST(Exact, RefusesToOutgrowTheMemoryAllowed) {
  ExactCovariance covariance({2, 1000}, 1, 4000);
  const std::vector<double> before(covariance.weights().begin(), covariance.weights().end());
  bool refused = false;
  for (Index j = 0; j < 1000 && !refused; ++j) {
    const double one = 1;
    const PairVector v{1, 0, {{&j, 1}, {&one, 1}}};
    const double quad = covariance.quad(v);
    try {
      covariance.step(v, 1, -1, 0);
    } catch (const Error& error) {
      refused = true;
      EXPECT_EQ(error.kind(), ErrorKind::kResource);
      EXPECT_EQ(covariance.quad(v), quad);
      EXPECT_GT(j, 10);
    }
  }
  EXPECT_TRUE(refused);
}

// Features that are nearly multiples of each other, scales from 1 to 10⁸ and a tiny a: A has no
// Cholesky factor in double precision, and the way to the primal form goes one update after the
// other.
TEST(Exact, ComesToThePrimalFormWithoutACholeskyFactor) {
  ExactCovariance covariance({2, 3}, 1e-12, 1e9);
  const std::vector<Index> all = {0, 1, 2};
  for (int i = 0; i < 8; ++i) {
    const double tilt = 1e-7 * i;
    const std::vector<double> x = {1e4, 1e4 + tilt, 1e4 - tilt};
    const PairVector v{1, 0, {all, x}};
    covariance.quad(v);
    covariance.step(v, 100, -1, 0);
  }
  for (const double w : covariance.weights()) EXPECT_TRUE(std::isfinite(w));
  covariance.make_primal();
  EXPECT_FALSE(covariance.dual());
  for (const double w : covariance.weights()) EXPECT_TRUE(std::isfinite(w));
}

}  // namespace
}  // namespace soba
