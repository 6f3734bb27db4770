// Exact SOBA in its dual form, its primal form and across the switch, and diagonal SOBA, against
// the naive learner, round by round.
#include <gtest/gtest.h>

#include <cmath>

#include "core/draws.h"
#include "covariance/diagonal.h"
#include "covariance/exact.h"
#include "learners/soba.h"
#include "soba/play.h"
#include "support/naive_soba.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::Look;
using testing::NaiveSoba;
using testing::Problem;
using testing::random_problem;

struct Case {
  Shape shape;
  double gamma;
  double a;
  Look look;
  std::size_t rounds;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "k=" << c.shape.classes << " d=" << c.shape.features << " gamma=" << c.gamma
             << " a=" << c.a << " density=" << c.look.density << " condition=" << c.look.condition
             << " dependent=" << c.look.dependent;
}

double relative(double x, double y) {
  return std::fabs(x - y) / std::max({1.0, std::fabs(x), std::fabs(y)});
}

// Plays the problem with the learner and lets the naive one follow: it gets the played label and
// its probability, and must come to the same scores, decision and budget by itself. Where it cannot
// be told which of two decisions is right (the budget is hit to within rounding), the case is not
// comparable any further and ends; `compared` says how far it got.
void follow(const Case& c, const std::string& covariance, std::uint64_t seed, double tolerance,
            std::size_t& compared, std::size_t& updates) {
  const Problem problem = random_problem(seed, c.shape, c.rounds, c.look);
  OptionValues options = {
      {"covariance", covariance}, {"a", to_text(c.a)}, {"gamma", to_text(c.gamma)}};
  Model model = new_model("soba", options, c.shape, seed);
  NaiveSoba naive(c.shape, c.a, covariance == "diagonal");
  compared = updates = 0;
  bool comparable = true;
  std::size_t i = 0;
  std::vector<double> scores;
  play(problem.block, model, [&](const Played& row) {
    const Features x = problem.block.features(i++);
    if (!comparable) return;
    const std::vector<double> expected = naive.scores(x);
    const double best = expected[static_cast<std::size_t>(argmax(expected))];
    ASSERT_LE(relative(expected[static_cast<std::size_t>(row.greedy)], best), tolerance)
        << "round " << row.round;
    if (row.correct) {
      const double before = naive.margin_sum();
      const auto step = naive.learn(x, row.played, row.probability);
      if (step.updated != row.updated) {
        // Only where S + m is 0 to within rounding.
        ASSERT_LE(std::fabs(before + step.m), tolerance * (1 + before + std::fabs(step.m)))
            << "round " << row.round;
        comparable = false;
        return;
      }
      updates += step.updated;
    } else {
      ASSERT_FALSE(row.updated);
    }
    ASSERT_LE(relative(*row.margin_sum, naive.margin_sum()), tolerance) << "round " << row.round;
    ++compared;
  });
  // W = A⁻¹θ at the end, through the scores of each unit vector.
  if (!comparable) return;
  const Eigen::VectorXd w = naive.weights();
  std::vector<double> out(static_cast<std::size_t>(c.shape.classes));
  for (Index j = 0; j < predictor(model.learner).shape().features; ++j) {
    const double one = 1;
    predictor(model.learner).scores({{&j, 1}, {&one, 1}}, out);
    for (Label label = 0; label < c.shape.classes; ++label) {
      ASSERT_LE(relative(out[static_cast<std::size_t>(label)],
                         w[static_cast<Eigen::Index>(label) * c.shape.features + j]),
                tolerance);
    }
  }
}

std::vector<Case> random_cases() {
  std::vector<Case> cases;
  Draws draws(Rng(7, Purpose::kExamples), 1);
  for (int i = 0; i < 24; ++i) {
    const Shape shape{static_cast<Label>(2 + draws.below(5)),
                      static_cast<Index>(1 + draws.below(8))};
    const double gamma = std::pow(10.0, -2 * draws.uniform());
    const double a = std::pow(10.0, 4 * draws.uniform() - 2);
    Look look;
    look.density = i % 2 == 0 ? 1 : 0.4;
    look.condition = i % 3 == 0 ? 1e4 : 1;
    look.dependent = i % 4 == 3;
    cases.push_back({shape, gamma, a, look, 400});
  }
  return cases;
}

// What double precision allows on these problems: the worst of them lose five digits (see
// BadConditioning), the others stay below 1e-9.
constexpr double kTolerance = 1e-7;

TEST(Differential, ExactSobaIsTheNaiveOne) {
  std::size_t total = 0, switched = 0, cases = 0;
  for (const Case& c : random_cases()) {
    SCOPED_TRACE(::testing::PrintToString(cases));
    std::size_t compared = 0, updates = 0;
    follow(c, "exact", 100 + cases, kTolerance, compared, updates);
    if (HasFatalFailure()) {
      std::cerr << c << '\n';
      return;
    }
    total += compared;
    switched += updates > static_cast<std::size_t>(c.shape.classes) *
                              static_cast<std::size_t>(c.shape.features);
    ++cases;
  }
  EXPECT_GE(total, cases * 300);  // not ended early by ties
  EXPECT_GE(switched, 5U);        // dual, the switch and primal all took part
}

TEST(Differential, ExactSobaIsTheNaiveOneWhileDual) {
  // kd = 240 with a few hundred rounds: never enough updates to leave the dual form.
  std::size_t compared = 0, updates = 0;
  follow({{6, 40}, 0.2, 1, {0.3, 1, false}, 300}, "exact", 5, kTolerance, compared, updates);
  EXPECT_GE(compared, 250U);
  EXPECT_GE(updates, 40U);
  EXPECT_LT(updates, 240U);
}

TEST(Differential, ExactSobaOutlivesManyRefreshes) {
  // kd = 4: the primal form flushes every 48 and refreshes every 1024 updates.
  std::size_t compared = 0, updates = 0;
  follow({{2, 2}, 0.5, 1, {1, 1, false}, 60000}, "exact", 6, kTolerance, compared, updates);
  EXPECT_GE(updates, 3000U);
  EXPECT_GE(compared, 50000U);
}

TEST(Differential, DiagonalSobaIsTheNaiveOne) {
  std::size_t total = 0, cases = 0;
  for (const Case& c : random_cases()) {
    std::size_t compared = 0, updates = 0;
    follow(c, "diagonal", 200 + cases, 1e-5, compared, updates);
    if (HasFatalFailure()) {
      std::cerr << c << '\n';
      return;
    }
    total += compared;
    ++cases;
  }
  EXPECT_GE(total, cases * 300);
}

// quad(), step() and W of the two exact forms side by side with a solve from scratch, in small and
// in badly conditioned worlds. The oracle works in long double: in double it would be the least
// exact of the three.
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

void compare_forms(double condition, double a) {
  const Shape shape{4, 10};
  const Problem problem = random_problem(11, shape, 60, {0.7, condition, false});
  // No room for the primal form keeps the first one dual.
  ExactCovariance dual(shape, a, PrimalForm::bytes(shape) - 1), primal(shape, a, 1e9);
  primal.make_primal();
  ASSERT_FALSE(primal.dual());
  Matrix matrix = a * Matrix::Identity(40, 40);
  Vector theta = Vector::Zero(40);
  Draws draws(Rng(3, Purpose::kExamples), 9);
  for (std::size_t t = 0; t < 39; ++t) {
    SCOPED_TRACE(t);
    const PairVector v{static_cast<Label>(t % 4), static_cast<Label>((t + 1 + t / 4 % 3) % 4),
                       problem.block.features(t)};
    Vector dense = Vector::Zero(40);
    for (std::size_t i = 0; i < v.x.size(); ++i) {
      dense[v.x.feature(i) * 4 + v.up] += v.x.value[i];
      dense[v.x.feature(i) * 4 + v.down] -= v.x.value[i];
    }
    const auto expected = static_cast<double>(dense.dot(matrix.ldlt().solve(dense)));
    // A few roundings of the largest value that vᵀA⁻¹v can have, and of the value itself.
    const double allowed = 1e-13 * static_cast<double>(dense.squaredNorm()) / a;
    ASSERT_NEAR(dual.quad(v), expected, allowed);
    ASSERT_NEAR(primal.quad(v), expected, allowed);
    ASSERT_LE(dual.quad(v), dual.quad_bound(v) * (1 + 1e-12));

    const double w = 1 / (0.01 + draws.uniform()), g = 2 * draws.uniform() - 1;
    const auto inner = static_cast<double>(dense.dot(matrix.ldlt().solve(theta)));
    dual.quad(v);
    dual.step(v, w, g, inner);
    primal.quad(v);
    primal.step(v, w, g, inner);
    matrix += w * dense * dense.transpose();
    theta += g * dense;
    const Vector weights = matrix.ldlt().solve(theta);
    const auto scale = static_cast<double>(weights.cwiseAbs().maxCoeff());
    for (Eigen::Index j = 0; j < 40; ++j) {
      const auto cell = static_cast<std::size_t>(j);
      const auto exact = static_cast<double>(weights[j]);
      ASSERT_NEAR(dual.weights()[cell], exact, 1e-8 * scale);
      ASSERT_NEAR(primal.weights()[cell], exact, 1e-8 * scale);
      ASSERT_NEAR(dual.theta()[cell], static_cast<double>(theta[j]), 1e-12);
    }
  }
  EXPECT_TRUE(dual.dual());
}

TEST(Differential, DualAndPrimalAgreeWithASolveFromScratch) {
  for (const double condition : {1.0, 1e3, 1e6}) {
    for (const double a : {1e-4, 1.0, 1e3}) {
      SCOPED_TRACE(::testing::Message() << "condition " << condition << " a " << a);
      compare_forms(condition, a);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace soba
