#include "theory/bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace soba::theory {
namespace {

TEST(Bounds, ThePerceptronsIsTheClosedFormAtBothEnds) {
  const double norm = 1.5, x = 2, b = std::sqrt(2.0) * norm * x;
  for (const double loss : {0.0, 0.3, 7.0, 1e6}) {
    // q = 1: M <= L + b√M;  q = 2: √M <= √L + b.
    const double root = b / 2 + std::sqrt(b * b / 4 + loss);
    EXPECT_NEAR(perceptron_bound(1, loss, norm, x).total(), root * root, 1e-9 * (1 + root * root));
    const double two = std::pow(std::sqrt(loss) + b, 2);
    EXPECT_NEAR(perceptron_bound(2, loss, norm, x).total(), two, 1e-9 * (1 + two));
    // The paper's displayed forms are above them.
    EXPECT_LE(root * root, loss + b * b + b * std::sqrt(loss) + 1e-9);
    EXPECT_NEAR(two, loss + b * b + 2 * b * std::sqrt(loss), 1e-9 * (1 + two));
  }
  EXPECT_NEAR(perceptron_bound(1, 5, 0, x).total(), 5, 1e-9);
}

TEST(Bounds, SobasByHand) {
  // k = 2, d = 3, T = 100, X = 2, a = 4, γ = ½, η = ½, ‖U‖ = 1, L = 10, Q = 6.
  const Game game{2, 3, 100, 2};
  EXPECT_NEAR(most_quadratic(game, 4), 6 * std::log(1 + 800.0 / 24), 1e-12);
  const Terms terms = soba_bound(0.5, 10, 1, 4, fixed_noise(game, 0.5, 6));
  EXPECT_DOUBLE_EQ(terms.regulariser, 4 * 0.5 / 1.5);
  EXPECT_DOUBLE_EQ(terms.quadratic, 2 / 0.5 * 6 / 0.75);
  EXPECT_DOUBLE_EQ(terms.exploration, 50);
  EXPECT_DOUBLE_EQ(terms.total(), 10 + 4.0 / 3 + 32 + 50);
  EXPECT_DOUBLE_EQ(eta_limit(0.5, 2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(eta_limit(0.1, 2), 1);
  EXPECT_DOUBLE_EQ(one_vs_rest_eta_limit(1, 2), 2.0 / 3);
}

// The fall-back bound is the least over η of the line that it comes from.
TEST(Bounds, TheFallBackIsTheFixedPointAtTheBestEta) {
  const double norm = 0.7, x = 1.3, a = 1.69;
  for (const double loss : {0.0, 5.0, 300.0}) {
    for (const double variance : {1.0, 50.0}) {
      const double n = fall_back_bound(loss, norm, x, a, {variance, 0}).total();
      double least = 1e300;
      for (double eta = 1e-4; eta < 1e3; eta *= 1.001) {
        least = std::min(least,
                         loss + eta / 2 * (2 * x * x * n + a) * norm * norm + variance / (2 * eta));
      }
      EXPECT_NEAR(n, least, 1e-5 * (1 + n));
    }
  }
}

// From N <= L + √((2X²N + a)‖U‖²·V) with V = (k/γ)(2X²/a)·N: for a = T·X² the root is √(6κN) where
// N = T, κ = kX²‖U‖²/γ. The hidden section's √(4κN) is below it.
TEST(Bounds, ALargeRegulariserNeedsNoDimension) {
  const double k = 3, t = 1000, x = 2, norm = 0.3, gamma = 0.4, a = t * x * x;
  const double kappa = k * x * x * norm * norm / gamma;
  const auto root = [&](double n) {
    return std::sqrt((2 * x * x * n + a) * norm * norm * k / gamma * 2 * x * x / a * n);
  };
  EXPECT_NEAR(root(t), std::sqrt(6 * kappa * t), 1e-9);
  EXPECT_GT(root(t), std::sqrt(4 * kappa * t));
  for (const double loss : {0.0, 400.0, 900.0}) {
    for (const double features : {1, 50}) {
      const Terms terms = large_a_bound({k, features, t, x}, loss, norm, a, gamma);
      const double n = terms.total() - gamma * t;
      EXPECT_NEAR(n, loss + std::sqrt(6 * kappa * n), 1e-9 * (1 + n));
      if (n <= t) {
        EXPECT_GE(n * (1 + 1e-12), loss + root(n));
      }
    }
  }
}

TEST(Bounds, OneVsRestByHand) {
  const Game game{2, 1, 300, 1};
  const double log = std::log(1 + 300.0 / 8);
  EXPECT_NEAR(one_vs_rest_log(game, 4), log, 1e-12);
  const Terms two = one_vs_rest_constant(game, 0.5, 10, 1, 4, 1, 0);
  EXPECT_NEAR(two.quadratic, 4 * 2 * 2 * log / 0.75, 1e-9);
  const double b = 2 * 2 * 0.5 * std::sqrt(log), c = 10 + 2 * 2 * std::sqrt(4 * log);
  EXPECT_NEAR(one_vs_rest_hinge(game, 10, 1, 0.5, 4).total(), c + b * std::sqrt(c) + b * b, 1e-9);
  const double wide = 8 / 0.75 * 2 * std::sqrt(log), least = 4 / 0.75 * 4 * log;
  const double sum = 10 + 4.0 / 3 + least;
  EXPECT_NEAR(one_vs_rest_confident(game, 0.5, 10, 1, 4, 1).total(),
              sum + wide * std::sqrt(sum) + wide * wide, 1e-9);
}

TEST(Bounds, TheOthersByHand) {
  const Game game{3, 2, 1000, 1};
  const Terms banditron = banditron_bound(game, 0.1, 20, 2);  // D = 8, kD/γ = 240
  EXPECT_DOUBLE_EQ(banditron.quadratic, 3 * 240 + std::sqrt(240 * 20));
  EXPECT_DOUBLE_EQ(banditron.exploration, 100);
  EXPECT_NEAR(newtron_bound(game, 10, 1, 7).total(), 7 + 6 * 54 * 100, 1e-9);
  EXPECT_NEAR(newtron_bound(game, 1e-3, 1, 7).total(), 7 + 54 * std::exp(0.004) * std::log(1000),
              1e-9);
  EXPECT_NEAR(exp_concave_bound(game, 0.5, 7, 1, 0.1).quadratic,
              5 * 30 * (64 + 32) * 6 * std::log(1000), 1e-6);
  EXPECT_NEAR(adaptive_noise(game, 0.5, 8).variance, 24 + 4 * std::sqrt(27000), 1e-9);
  EXPECT_NEAR(adaptive_noise(game, 0.5, 8).exploration, std::sqrt(27000), 1e-9);
  EXPECT_NEAR(gap_noise(game, 0.5, 8, 3).variance, 24 + 4 * std::sqrt(9000), 1e-9);
}

}  // namespace
}  // namespace soba::theory
