#include "linalg/ball_projection.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "core/draws.h"
#include "soba/rng.h"

namespace soba::linalg {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vector random_vector(Eigen::Index n, Draws& draws) {
  Vector v(n);
  for (double& entry : v) entry = 2 * draws.uniform() - 1;
  return v;
}

// What makes w the projection of u: A(w − u) + λw = 0 with λ >= 0, and ‖w‖ = R where λ > 0, <= R
// where it is 0. And by brute force: no point of the ball, near or far, is nearer to u.
void expect_projection(const Matrix& a, const Vector& u, double radius, double lambda,
                       const Vector& w, Draws& draws) {
  const double scale = (a * u).norm();
  ASSERT_GE(lambda, 0);
  ASSERT_LE((a * (w - u) + lambda * w).norm(), 1e-9 * scale);
  if (lambda > 0) {
    ASSERT_NEAR(w.norm(), radius, 1e-10 * radius);
  } else {
    ASSERT_LE(w.norm(), radius);
  }
  const double distance = (w - u).dot(a * (w - u));
  for (int i = 0; i < 200; ++i) {
    Vector other = random_vector(w.size(), draws) * radius;
    if (i % 2 == 0) other = w + 1e-3 * other;
    if (other.norm() > radius) other *= radius / other.norm();
    ASSERT_GE((other - u).dot(a * (other - u)), distance - 1e-9 * scale * u.norm());
  }
}

TEST(BallProjection, MeetsTheConditionsOfTheMinimum) {
  Draws draws(Rng(1, Purpose::kExamples), 0);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const Eigen::Index n = 1 + trial % 12;
    const double radius = std::pow(10, 2 * draws.uniform() - 1);
    const Vector u = random_vector(n, draws) * (trial % 3 == 0 ? radius / 10 : 100);
    const auto size = static_cast<std::size_t>(n);

    // Scales of the diagonal that lie up to six powers of ten apart.
    Vector diagonal(n);
    for (double& entry : diagonal) entry = std::pow(10, 6 * draws.uniform() - 3);
    Vector w = u;
    double lambda = project_diagonal({diagonal.data(), size}, radius, {w.data(), size});
    expect_projection(diagonal.asDiagonal(), u, radius, lambda, w, draws);

    Matrix a = diagonal.asDiagonal();
    for (Eigen::Index i = 0; i < n / 2; ++i) {
      const Vector v = random_vector(n, draws);
      a += v * v.transpose();
    }
    const Vector au = a * u;
    // The lower triangle alone is read.
    Matrix lower = a;
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(-99);
    DenseProjection dense;
    for (const double start : {0.0, 1e-3, 1e4}) {
      lambda = start;
      ASSERT_TRUE(
          dense.project(lower.data(), size, {au.data(), size}, radius, lambda, {w.data(), size}));
      expect_projection(a, u, radius, lambda, w, draws);
    }
  }
}

// A = diag(1, 3), u = (4, 4), R = √13: λ = 1 gives w = (4/2, 12/4) = (2, 3). With A = I it is the
// Euclidean projection u·R/‖u‖, here with 1 + λ = ‖u‖ = 5.
TEST(BallProjection, ByHand) {
  const std::vector<double> a = {1, 3};
  std::vector<double> u = {4, 4};
  EXPECT_NEAR(project_diagonal(a, std::sqrt(13), u), 1, 1e-12);
  EXPECT_NEAR(u[0], 2, 1e-12);
  EXPECT_NEAR(u[1], 3, 1e-12);

  const std::vector<double> one = {1, 1};
  u = {3, 4};
  EXPECT_NEAR(project_diagonal(one, 1, u), 4, 1e-11);
  EXPECT_NEAR(u[0], 0.6, 1e-12);
  EXPECT_NEAR(u[1], 0.8, 1e-12);
}

TEST(BallProjection, SaysWhenItCannot) {
  const std::vector<double> indefinite = {1, 2, 2, 1}, au = {1, 1};
  std::vector<double> w = {7, 7};
  double lambda = 0.5;
  EXPECT_FALSE(DenseProjection().project(indefinite.data(), 2, au, 1, lambda, w));
  EXPECT_EQ(w, (std::vector<double>{7, 7}));
  EXPECT_EQ(lambda, 0.5);
}

}  // namespace
}  // namespace soba::linalg
