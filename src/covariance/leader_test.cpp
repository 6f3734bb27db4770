#include "covariance/leader.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "core/draws.h"
#include "covariance/memory_limit.h"
#include "model/file.h"
#include "soba/error.h"
#include "soba/rng.h"

namespace soba {
namespace {

constexpr Shape kShape{3, 4};
constexpr Eigen::Index kCells = 12;
constexpr double kA = 0.5, kRadius = 2;

// The weights, cell by cell.
template <class Leader>
Eigen::VectorXd weights(const Leader& leader) {
  Eigen::VectorXd w(kCells);
  for (Index j = 0; j < 4; ++j) {
    const double one = 1;
    std::vector<double> out(3);
    leader.scores({{&j, 1}, {&one, 1}}, out);
    for (Index c = 0; c < 3; ++c) w[j * 3 + c] = out[static_cast<std::size_t>(c)];
  }
  return w;
}

// Π(u) in the norm of A, by bisection in its eigenbasis.
Eigen::VectorXd projected(const Eigen::MatrixXd& a, const Eigen::VectorXd& u, int& projections) {
  if (u.norm() <= kRadius) return u;
  ++projections;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a);
  const Eigen::VectorXd c = eigen.eigenvectors().transpose() * a * u;
  double low = 0, high = (a * u).norm() / kRadius;
  Eigen::VectorXd w;
  for (int i = 0; i < 200; ++i) {
    const double lambda = (low + high) / 2;
    w = c.array() / (eigen.eigenvalues().array() + lambda);
    (w.norm() > kRadius ? low : high) = lambda;
  }
  return eigen.eigenvectors() * w;
}

// Both oracles as their paper writes them: w_{t+1} = Π(w_t − A⁻¹g/β), and Π(A⁻¹b), each from
// scratch.
template <class Leader>
void follow(Leader leader, bool diagonal, bool newton_step) {
  Draws draws(Rng(1, Purpose::kExamples), 0);
  Eigen::MatrixXd a = kA * Eigen::MatrixXd::Identity(kCells, kCells);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(kCells), w = b;
  int projections = 0;
  constexpr int kRounds = 100;
  for (int t = 0; t < kRounds; ++t) {
    std::vector<double> factor(3), value(4);
    for (double& f : factor) f = 2 * draws.uniform() - 1;
    if (t % 3 == 0) factor[1] = 0;
    const double size = t < 10 ? 0.1 : 1;  // inside the ball at first
    for (double& v : value) v = size * (2 * draws.uniform() - 1);
    const double beta = 0.5 + draws.uniform();
    Eigen::VectorXd g(kCells);
    for (Eigen::Index i = 0; i < kCells; ++i) {
      g[i] = factor[static_cast<std::size_t>(i % 3)] * value[static_cast<std::size_t>(i / 3)];
    }
    Eigen::MatrixXd square = g * g.transpose();
    if (diagonal) square = Eigen::MatrixXd(square.diagonal().asDiagonal());
    a += square;
    b += square * w - g / beta;
    const Eigen::VectorXd u =
        newton_step ? Eigen::VectorXd(w - a.ldlt().solve(g) / beta) : a.ldlt().solve(b);
    w = projected(a, u, projections);

    leader.add({{}, value}, factor, 1, 1 / beta);
    if (newton_step) leader.recenter();
    ASSERT_LE((weights(leader) - w).norm(), 1e-8) << "round " << t;
  }
  EXPECT_GT(projections, 5);
  EXPECT_LT(projections, kRounds);
}

TEST(Leader, IsTheOnlineNewtonStep) {
  follow(FullLeader(kShape, kA, kRadius, 1e9), false, true);
  follow(DiagonalLeader(kShape, kA, kRadius), true, true);
}

TEST(Leader, FollowsTheApproximateLeader) {
  follow(FullLeader(kShape, kA, kRadius, 1e9), false, false);
  follow(DiagonalLeader(kShape, kA, kRadius), true, false);
}

// As for the exact covariance: to the bit what a leader gives that is saved and loaded on the way.
TEST(Leader, GrowsFeatureByFeatureWithoutCopyingEachTime) {
  constexpr Index kFeatures = 40;
  FullLeader grown({3, 1}, kA, kRadius, 1e9), loaded({3, 1}, kA, kRadius, 1e9);
  const std::vector<double> factor = {1, -0.5, 0};
  for (Index j = 2; j < kFeatures; ++j) {
    const std::vector<Index> index = {j / 3, j / 2, j};
    const std::vector<double> value = {0.5, 1.0 / j, 1};
    std::string bytes;
    for (FullLeader* each : {&grown, &loaded}) {
      each->reserve({index, value});
      each->grow(j + 1);
      ASSERT_TRUE(each->add({index, value}, factor, 1, 0.5)) << j;
      FieldWriter writer;
      each->visit(writer);
      const std::string own = writer.finish();
      ASSERT_TRUE(each == &grown || own == bytes) << j;
      bytes = own;
    }
    loaded = FullLeader({3, j + 1}, kA, kRadius, 1e9);
    FieldReader reader(bytes);
    loaded.visit(reader);
  }
  constexpr std::size_t kSize = std::size_t{3} * kFeatures;
  EXPECT_GT(grown.moved(), 0U);
  EXPECT_LT(grown.moved(), 2 * kSize * kSize);  // with every feature it were 13 times that square
}

TEST(Leader, RefusesAMatrixBeyondItsMemory) {
  EXPECT_THROW(FullLeader({9, 400}, 1, 1, 1e8), Error);
  FullLeader leader({9, 40}, 1, 1, 1e8);
  const std::vector<double> x(400);
  EXPECT_THROW(leader.reserve({{}, x}), Error);
  EXPECT_EQ(leader.shape(), (Shape{9, 40}));
}

TEST(MemoryLimit, IsToldInAUnitThatFits) {
  EXPECT_EQ(bytes_text(12), "12 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(320 * 0x1p20), "320 MiB");
  EXPECT_EQ(bytes_text(0x1p30), "1.0 GiB");
}

}  // namespace
}  // namespace soba
