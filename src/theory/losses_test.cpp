#include "theory/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/draws.h"

namespace soba::theory {
namespace {

// The slope against differences of the value, away from the kink at 1.
void check_slope(const std::function<LossValue(double)>& loss) {
  constexpr double kStep = 1e-6;
  for (double m = -3.05; m < 3; m += 0.1) {
    const double difference = (loss(m + kStep).value - loss(m - kStep).value) / (2 * kStep);
    EXPECT_NEAR(loss(m).slope, difference, 1e-7 * (1 + std::fabs(difference))) << m;
  }
}

TEST(Losses, SlopesAreThoseOfTheValues) {
  for (const double eta : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    check_slope([&](double m) { return eta_loss(eta, m); });
    check_slope([&](double m) { return parabola(eta, m); });
  }
  for (const double q : {1.0, 1.25, 1.5, 2.0}) {
    check_slope([&](double m) { return power_loss(q, m); });
  }
}

TEST(Losses, TheFamilyRunsFromTheHingeToTheSquaredHinge) {
  for (double m = -4; m <= 4; m += 0.01) {
    const double hinge = std::max(0.0, 1 - m);
    EXPECT_NEAR(eta_loss(0, m).value, hinge, 1e-12);
    EXPECT_NEAR(eta_loss(1, m).value, hinge * hinge, 1e-12);
    EXPECT_NEAR(power_loss(1, m).value, hinge, 1e-12);
    EXPECT_NEAR(power_loss(2, m).value, hinge * hinge, 1e-12);
    for (double eta = 0; eta <= 1; eta += 0.05) {
      const double value = eta_loss(eta, m).value, c = squared_share(eta);
      EXPECT_NEAR(value, (1 - c) * hinge + c * hinge * hinge, 1e-12);
      EXPECT_GE(value, m < 0 ? 1 : 0);  // above 1[m < 0]
      EXPECT_LE(value, std::max(hinge, hinge * hinge) + 1e-12);
      EXPECT_LE(eta_loss(eta, m + 0.01).value, value + 1e-12);
    }
  }
}

// f <= ℓ_η up to (2 − η)/η, and not beyond: where the range of η comes from.
TEST(Losses, TheParabolaIsBelowTheLossUpToItsSecondRoot) {
  for (const double eta : {0.1, 0.3, 0.7, 1.0}) {
    const double root = (2 - eta) / eta;
    for (double m = -3; m <= root; m += 0.01) {
      EXPECT_LE(parabola(eta, m).value, eta_loss(eta, m).value + 1e-12);
    }
    EXPECT_NEAR(parabola(eta, root).value, 0, 1e-12);
    EXPECT_GT(parabola(eta, root + 0.1).value, eta_loss(eta, root + 0.1).value);
  }
}

using ScoreLoss = std::function<double(std::span<const double>, Label, std::span<double>)>;

// Gradients by the scores against differences, at random scores.
void check_gradient(const ScoreLoss& loss) {
  constexpr double kStep = 1e-6;
  Draws draws(Rng(1, Purpose::kExamples), 0);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> scores(4), gradient(4), unused(4);
    for (double& s : scores) s = 4 * draws.uniform() - 2;
    const auto label = static_cast<Label>(draws.below(4));
    loss(scores, label, gradient);
    for (std::size_t c = 0; c < 4; ++c) {
      std::vector<double> up = scores, down = scores;
      up[c] += kStep;
      down[c] -= kStep;
      const double difference = (loss(up, label, unused) - loss(down, label, unused)) / (2 * kStep);
      EXPECT_NEAR(gradient[c], difference, 1e-6 * (1 + std::fabs(difference)));
    }
  }
}

TEST(Losses, GradientsByTheScoresAreThoseOfTheValues) {
  check_gradient([](std::span<const double> s, Label y, std::span<double> gradient) {
    const Margin margin = multiclass_margin(s, y);
    const LossValue loss = eta_loss(0.6, margin.value);
    multiclass_gradient(loss.slope, y, margin.rival, gradient);
    return loss.value;
  });
  check_gradient([](std::span<const double> s, Label y, std::span<double> gradient) {
    const Margin margin = one_vs_rest_margin(s, y);
    const LossValue loss = eta_loss(0.6, margin.value);
    one_vs_rest_gradient(loss.slope, y, margin.rival, gradient);
    return loss.value;
  });
  check_gradient([](std::span<const double> s, Label y, std::span<double> gradient) {
    return logistic_loss(3, s, y, gradient);
  });
}

TEST(Losses, TheLogisticLossDoesNotOverflow) {
  const std::vector<double> scores = {1e6, 0, -1e6};
  EXPECT_NEAR(logistic_loss(10, scores, 0), 0, 1e-12);
  EXPECT_NEAR(logistic_loss(10, scores, 1) * std::log(2), 1e7, 1);
}

TEST(Losses, MarginsNameTheClassTheyHangOn) {
  const std::vector<double> scores = {0.5, -0.2, 0.1};
  EXPECT_EQ(multiclass_margin(scores, 0).rival, 2);
  EXPECT_DOUBLE_EQ(multiclass_margin(scores, 0).value, 0.4);
  EXPECT_EQ(one_vs_rest_margin(scores, 0).rival, 2);
  EXPECT_DOUBLE_EQ(one_vs_rest_margin(scores, 0).value, -0.1);
  EXPECT_EQ(one_vs_rest_margin(scores, 1).rival, 0);
  EXPECT_DOUBLE_EQ(one_vs_rest_margin(scores, 1).value, -0.5);
  const std::vector<double> clear = {0.3, -2, -1};
  EXPECT_EQ(one_vs_rest_margin(clear, 0).rival, 0);
  EXPECT_DOUBLE_EQ(one_vs_rest_margin(clear, 0).value, 0.3);
}

}  // namespace
}  // namespace soba::theory
