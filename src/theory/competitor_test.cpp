#include "theory/competitor.h"

#include <gtest/gtest.h>
#include <linear.h>

#include <cmath>
#include <vector>

#include "support/random_rounds.h"
#include "theory/losses.h"

namespace soba::theory {
namespace {

using testing::Problem;
using testing::random_problem;

constexpr FitLimits kFine = {.gap = 1e-9, .epochs = 20000};

double margin(MarginKind kind, std::span<const double> scores, Label y) {
  return kind == MarginKind::kMulticlass ? multiclass_margin(scores, y).value
                                         : one_vs_rest_margin(scores, y).value;
}

// The objective, written down again.
double objective(const Problem& problem, MarginKind kind, double eta, double weight,
                 const std::vector<double>& u) {
  double sum = 0;
  for (const double value : u) sum += value * value / 2;
  std::vector<double> scores(static_cast<std::size_t>(problem.shape.classes));
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    linear_scores(u, problem.block.features(t), scores);
    sum += weight * eta_loss(eta, margin(kind, scores, problem.block.label[t])).value;
  }
  return sum;
}

// Crammer and Singer's problem as LIBLINEAR solves it.
std::vector<double> liblinear(const Problem& problem, double weight) {
  const auto count = static_cast<int>(problem.block.size());
  std::vector<std::vector<feature_node>> rows;
  std::vector<feature_node*> x;
  std::vector<double> y;
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const Features features = problem.block.features(t);
    std::vector<feature_node> row;
    for (std::size_t e = 0; e < features.size(); ++e) {
      row.push_back({features.feature(e) + 1, features.value[e]});
    }
    row.push_back({-1, 0});
    rows.push_back(std::move(row));
    y.push_back(problem.block.label[t]);
  }
  for (auto& row : rows) x.push_back(row.data());
  ::problem data{count, problem.shape.features, y.data(), x.data(), -1};
  parameter how{};
  how.solver_type = MCSVM_CS;
  how.C = weight;
  how.eps = 1e-9;
  set_print_string_function([](const char*) {});
  ::model* made = train(&data, &how);
  const auto k = static_cast<std::size_t>(problem.shape.classes);
  std::vector<double> u(k * static_cast<std::size_t>(problem.shape.features));
  for (int i = 0; i < made->nr_class; ++i) {
    for (Index j = 0; j < problem.shape.features; ++j) {
      u[static_cast<std::size_t>(j) * k + static_cast<std::size_t>(made->label[i])] =
          made->w[j * made->nr_class + i];
    }
  }
  free_and_destroy_model(&made);
  return u;
}

TEST(Competitor, AgreesWithLiblinear) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const Shape shape{static_cast<Label>(3 + seed % 3), static_cast<Index>(3 + seed)};
    const Problem problem = random_problem(seed, shape, 120, {seed % 2 ? 1.0 : 0.4, 1, false});
    for (const double weight : {0.01, 0.5}) {
      CompetitorSolver solver(problem.block, shape, MarginKind::kMulticlass, 0);
      const Fit fit = solver.fit(weight, kFine);
      const double theirs =
          objective(problem, MarginKind::kMulticlass, 0, weight, liblinear(problem, weight));
      EXPECT_NEAR(fit.primal, theirs, 1e-6 * theirs);
      EXPECT_LE(fit.dual, theirs * (1 + 1e-9));
    }
  }
}

// Every loss: the gap closes, the primal is the objective, and no step away from U improves it.
TEST(Competitor, TheGapClosesAndNothingNearIsBetter) {
  for (const MarginKind kind : {MarginKind::kMulticlass, MarginKind::kOneVsRest}) {
    for (const double eta : {0.0, 0.3, 0.7, 1.0}) {
      SCOPED_TRACE(eta);
      const Shape shape{4, 5};
      const Problem problem = random_problem(7, shape, 80, {0.7, 1, false});
      CompetitorSolver solver(problem.block, shape, kind, eta);
      for (const double weight : {0.02, 0.3, 2.0}) {  // a path
        const Fit fit = solver.fit(weight, kFine);
        ASSERT_LE(fit.gap(), 1e-9) << weight;
        ASSERT_GE(fit.gap(), -1e-12);
        std::vector<double> u = solver.weights();
        const double best = objective(problem, kind, eta, weight, u);
        EXPECT_NEAR(fit.primal, best, 1e-9 * best);
        Draws draws(Rng(3, Purpose::kExamples), 0);
        for (int i = 0; i < 50; ++i) {
          std::vector<double> near = u;
          for (double& value : near) value += 0.01 * (2 * draws.uniform() - 1);
          EXPECT_GE(objective(problem, kind, eta, weight, near), best * (1 - 1e-9));
        }
      }
    }
  }
}

TEST(Competitor, ExamplesWithoutFeaturesCostOne) {
  Block block;
  block.append({}, 0);
  block.append({}, 1);
  const std::vector<Index> index = {0};
  const std::vector<double> value = {1};
  block.append({index, value}, 1);
  CompetitorSolver solver(block, {2, 1}, MarginKind::kMulticlass, 0.5);
  const Fit fit = solver.fit(1000, kFine);
  EXPECT_NEAR(fit.primal, 2000 + 0.25, 1e-3);  // ‖U‖² = ½ for a margin of 1
  EXPECT_NEAR(fit.gap(), 0, 1e-9);
}

TEST(Competitor, MeasuresWhatTheBoundsNeed) {
  Competitor u;
  u.weights = {1, 0, 0, 2};  // u_0 = (1, 0), u_1 = (0, 2)
  measure_norms(2, u);
  EXPECT_DOUBLE_EQ(u.norm, std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(u.longest, 2);
  u.alpha = 1;
  std::vector<double> scores(2);
  const std::vector<double> x = {0.5, 0.5};  // scores ½ and 1
  add_example({{}, x}, 0, scores, u);
  EXPECT_EQ(u.zero_one, 1);
  EXPECT_DOUBLE_EQ(u.powers[0], 1.5);
  EXPECT_DOUBLE_EQ(u.powers[1], std::pow(1.5, 1.25));
  EXPECT_DOUBLE_EQ(u.powers[3], std::pow(1.5, 1.75));
  EXPECT_DOUBLE_EQ(u.powers[4], 2.25);
  EXPECT_DOUBLE_EQ(u.eta_sum(0.5), eta_loss(0.5, -0.5).value);
  EXPECT_DOUBLE_EQ(u.logistic, std::log2(1 + std::exp(0.5)));
  add_example({{}, x}, 1, scores, u);
  EXPECT_EQ(u.zero_one, 1);
  EXPECT_DOUBLE_EQ(u.powers[0], 2);
}

}  // namespace
}  // namespace soba::theory
