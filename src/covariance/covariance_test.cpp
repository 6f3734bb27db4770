#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "covariance/block.h"
#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"
#include "covariance/diagonal.h"
#include "covariance/exact.h"
#include "covariance/sketch.h"
#include "linalg/blas.h"
#include "model/file.h"
#include "soba/error.h"
#include "support/random_rounds.h"

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

// A = I + x·xᵀ over the features 0 and 1 of class 0: (1, 2)ᵀA⁻¹(1, 2) = 5/6. Feature 2 adds 3²
// until it is left out.
TEST(FullClasses, TheMetVarianceKnowsWhatAStepHasTouched) {
  FullClasses classes({2, 3}, 1, 1e9);
  const std::vector<double> three = {1, 2, 3};
  const std::vector<Index> beyond = {0, 1, 7};
  EXPECT_EQ(classes.met_variance(0, {{}, three}), 0);
  classes.solve(0, {kTwo, kValues});
  classes.step(0, {kTwo, kValues}, 1, 0);
  EXPECT_NEAR(classes.met_variance(0, {{}, three}), 5.0 / 6, 1e-15);
  EXPECT_NEAR(classes.met_variance(0, {beyond, three}), 5.0 / 6, 1e-15);
  EXPECT_DOUBLE_EQ(classes.variance(0, {{}, three}), 5.0 / 6 + 9);
  EXPECT_EQ(classes.met_variance(1, {{}, three}), 0);
}

// What classes say of x, class after class: scores, variances, those of met features, and
// solutions.
std::vector<double> answers(FullClasses& classes, const Features& x) {
  const auto k = static_cast<std::size_t>(classes.shape().classes);
  std::vector<double> out(k);
  classes.scores(x, out);
  for (Label i = 0; i < classes.shape().classes; ++i) {
    out.push_back(classes.variance(i, x));
    out.push_back(classes.met_variance(i, x));
    out.push_back(classes.solve(i, x));
  }
  return out;
}

template <class State>
std::string written(State& state) {
  FieldWriter writer;
  state.visit(writer);
  return writer.finish();
}

// Over several blocks of waiting updates: against a solve from scratch, and to the bit the same
// where the later features come on the way and where the state is saved and loaded after every
// step.
TEST(FullClasses, AreTheNaiveInversesWhateverWaits) {
  const Shape shape{2, 9};
  constexpr Index kEarly = 4;
  constexpr std::size_t kLate = 45;  // the round from which on all features are there
  FullClasses classes(shape, 0.5, 1e9), grown({2, 0}, 0.5, 1e9), loaded(shape, 0.5, 1e9);
  std::vector<Eigen::MatrixXd> matrix(2, 0.5 * Eigen::MatrixXd::Identity(9, 9));
  std::vector<Eigen::VectorXd> theta(2, Eigen::VectorXd::Zero(9));
  const testing::Problem problem = testing::random_problem(24, shape, 120, {0.7, 100, false});
  for (std::size_t t = 0; t < 120; ++t) {
    const Features all = problem.block.features(t);
    const Features x = t < kLate ? first_features(all, kEarly) : all;
    const auto label = static_cast<Label>(t % 3 == 0);
    Eigen::VectorXd dense = Eigen::VectorXd::Zero(9);
    for (std::size_t i = 0; i < x.size(); ++i) dense[x.feature(i)] = x.value[i];
    Eigen::MatrixXd& a = matrix[static_cast<std::size_t>(label)];
    const double variance = dense.dot(a.ldlt().solve(dense));
    ASSERT_NEAR(classes.variance(label, x), variance, 1e-10 * variance) << t;

    const double w = 1 + static_cast<double>(t % 5), along = t % 2 == 0 ? 0.5 : -1;
    theta[static_cast<std::size_t>(label)] += along * a.ldlt().solve(dense);
    a += w * dense * dense.transpose();
    grown.grow(x.extent());
    for (FullClasses* each : {&classes, &grown, &loaded}) {
      ASSERT_NEAR(each->solve(label, x), variance, 1e-10 * variance) << t;
      each->step(label, x, w, along);
    }
    const std::string bytes = written(loaded);
    loaded = FullClasses(shape, 0.5, 1e9);
    FieldReader reader(bytes);
    loaded.visit(reader);

    const std::vector<double> found = answers(classes, x);
    ASSERT_EQ(found, answers(loaded, x)) << t;
    ASSERT_EQ(found, answers(grown, x)) << t;
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_NEAR(found[i], dense.dot(theta[i]), 1e-10) << t;
      const double after = dense.dot(matrix[i].ldlt().solve(dense));
      ASSERT_NEAR(found[2 + 3 * i], after, 1e-10 * after) << t;
      ASSERT_NEAR(found[2 + 3 * i + 2], after, 1e-10 * after) << t;
    }
  }
  EXPECT_EQ(written(classes), written(loaded));
  EXPECT_EQ(written(classes), written(grown));
}

// With a weight of 10¹² each, nothing is left of xᵀA⁻¹x but rounding; and what was never met stays
// at 1/a.
TEST(FullClasses, VariancesAreNeverNegativeAndUnmetFeaturesStayApart) {
  FullClasses classes({2, 3}, 0.1, 1e9);
  const std::vector<double> three = {1, 2, 3}, last = {0, 0, 1};
  for (int t = 0; t < 60; ++t) {
    ASSERT_GE(classes.solve(0, {kTwo, kValues}), 0);
    classes.step(0, {kTwo, kValues}, 1e12, 0);
    ASSERT_GE(classes.variance(0, {kTwo, kValues}), 0);
    ASSERT_EQ(classes.variance(0, {{}, last}), 1 / 0.1);
    ASSERT_EQ(classes.met_variance(0, {{}, last}), 0);
    ASSERT_NEAR(classes.met_variance(0, {{}, three}), 0, 1e-10);
  }
}

template <class Classes>
void refuse_numbers_too_large(Classes classes, const Features& x,
                              const std::vector<double>& along) {
  classes.solve(0, x);
  const std::string before = written(classes);
  for (const double each : along) {
    EXPECT_FALSE(classes.step(0, x, 1, each)) << each;
    EXPECT_EQ(written(classes), before) << each;
  }
}

// Whatever a is: a step that is not finite, weights beyond a float, and a variance that is not
// finite, where every step along x is refused.
TEST(ClassCovariances, LeaveOutWhatIsNotFinite) {
  const double inf = HUGE_VAL, nan = std::nan("");
  const Features x{kTwo, kValues};
  for (const double a : {1e-250, 1.0, 1e250, 1e290}) {
    refuse_numbers_too_large(DiagonalClasses({2, 2}, a), x, {inf, -inf, nan});
    refuse_numbers_too_large(FullClasses({2, 2}, a, 1e9), x, {inf, -inf, nan});
  }
  refuse_numbers_too_large(DiagonalClasses({2, 2}, 1), x, {1e38, -1e100});
  const std::vector<double> large = {1e50, 1e50};
  const Features far{kTwo, large};
  refuse_numbers_too_large(DiagonalClasses({2, 2}, 1e-250), far, {0, 1, inf, nan});
  refuse_numbers_too_large(FullClasses({2, 2}, 1e-250, 1e9), far, {0, 1, inf, nan});
  // The largest steps that need no second look, and larger ones that hold.
  for (const double along : {1e14, 1e16, 1e36}) {
    DiagonalClasses classes({2, 2}, 1);
    classes.solve(0, x);
    EXPECT_TRUE(classes.step(0, x, 1, along));
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

// Features that come one by one, each with some earlier ones: to the bit what a covariance gives
// that is saved and loaded on the way, whose matrices have no room ahead; and growing copies each
// number a few times, not once for each feature that comes.
TEST(Exact, APrimalFormGrowsFeatureByFeatureWithoutCopyingEachTime) {
  constexpr Index kFeatures = 120;
  ExactCovariance grown({3, 1}, 0.5, 1e9), loaded({3, 1}, 0.5, 1e9);
  grown.make_primal();
  loaded.make_primal();
  for (Index j = 2; j < kFeatures; ++j) {
    const std::vector<Index> index = {j / 3, j / 2, j};
    const std::vector<double> value = {0.5, 1.0 / j, 1};
    const PairVector v{j % 3, (j + 1 + j / 5 % 2) % 3, {index, value}};
    for (ExactCovariance* each : {&grown, &loaded}) {
      each->reserve(v.x);
      each->grow(j + 1);
      each->quad_step(v, 2, -1, 0.25);
      each->quad_step(v, 1, 1, 0.5);
    }
    const std::string bytes = written(loaded);
    ASSERT_EQ(written(grown), bytes) << j;
    loaded = ExactCovariance({3, j + 1}, 0.5, 1e9);
    FieldReader reader(bytes);
    loaded.visit(reader);
  }
  const std::size_t n = PrimalForm::size({3, kFeatures});
  EXPECT_GT(grown.moved(), 0U);
  EXPECT_LT(grown.moved(), 4 * n * n);  // two matrices; with every feature it were 80 n²
}

TEST(Exact, AZeroVectorChangesNothing) {
  ExactCovariance covariance({2, 2}, 1, 1e9);
  EXPECT_EQ(covariance.quad({1, 0, {}}), 0);
  for (int i = 0; i < 10; ++i) covariance.step({1, 0, {}}, 1, 1, 0);
  EXPECT_TRUE(covariance.dual());
  EXPECT_EQ(covariance.weights()[0], 0);
}

// n = 1040, where a second thread helps: over two blocks of waiting updates, against the dual form,
// and to the bit the same where the state moves, and is saved and loaded, on the way.
TEST(Exact, ALargePrimalFormIsTheDualOneAndOutlivesMovingAndLoading) {
  const Shape shape{9, 130};
  ASSERT_GE(PrimalForm::size(shape), linalg::kLarge);
  ExactCovariance dual(shape, 2, PrimalForm::bytes(shape) - 1), primal(shape, 2, 1e9);
  ExactCovariance moved(shape, 2, 1e9);
  const testing::Problem problem = testing::random_problem(25, shape, 220, {0.1, 1, false});
  for (std::size_t t = 0; t < 220; ++t) {
    const PairVector v{static_cast<Label>(t % 9), static_cast<Label>((t + 1 + t / 9 % 8) % 9),
                       problem.block.features(t)};
    std::vector<double> scores(9);
    dual.scores(v.x, scores);
    const double inner =
        scores[static_cast<std::size_t>(v.up)] - scores[static_cast<std::size_t>(v.down)];
    const double quad = dual.quad_step(v, 3, -1, inner);
    ASSERT_NEAR(primal.quad_step(v, 3, -1, inner), quad, 1e-11) << t;
    ASSERT_NEAR(moved.quad_step(v, 3, -1, inner), quad, 1e-11) << t;
    if (t == 5) {
      primal.make_primal();
      moved.make_primal();
    }
    if (t == 130) {
      ExactCovariance away = std::move(moved);
      FieldWriter writer;
      away.visit(writer);
      const std::string bytes = writer.finish();
      moved = ExactCovariance(shape, 2, 1e9);
      FieldReader reader(bytes);
      moved.visit(reader);
    }
  }
  EXPECT_TRUE(dual.dual());
  EXPECT_FALSE(moved.dual());
  for (std::size_t i = 0; i < dual.weights().size(); ++i) {
    ASSERT_EQ(primal.weights()[i], moved.weights()[i]);
    ASSERT_NEAR(primal.weights()[i], dual.weights()[i], 1e-11);
  }
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
      covariance.reserve(v.x);
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

// The sketch as its paper writes it: B as a matrix, A from it, and a singular value decomposition.
struct NaiveSketch {
  Eigen::MatrixXd b;
  Eigen::VectorXd theta;
  double rho;
  Eigen::Index m;

  Eigen::MatrixXd matrix() const {
    return rho * Eigen::MatrixXd::Identity(b.cols(), b.cols()) + b.transpose() * b;
  }
  void step(const Eigen::VectorXd& v, double w, double g) {
    b.conservativeResize(b.rows() + 1, Eigen::NoChange);
    b.row(b.rows() - 1) = std::sqrt(w) * v.transpose();
    theta += g * v;
    if (b.rows() < 2 * m) return;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(b, Eigen::ComputeThinV);
    const Eigen::VectorXd squares = svd.singularValues().array().square();
    const double cut = m < squares.size() ? squares[m] : 0;
    const Eigen::VectorXd kept = (squares.head(m).array() - cut).max(0).sqrt();
    b = (kept.asDiagonal() * svd.matrixV().leftCols(m).transpose()).eval();
    rho += cut / 2;
  }
};

TEST(Sketch, IsTheNaiveSketch) {
  const Shape shape{3, 6};
  SketchCovariance covariance(shape, 0.5, 4, 1e9);
  NaiveSketch naive{Eigen::MatrixXd(0, 18), Eigen::VectorXd::Zero(18), 0.5, 4};
  const testing::Problem problem = testing::random_problem(21, shape, 100, {0.7, 1, false});
  for (std::size_t t = 0; t < 100; ++t) {
    const PairVector v{static_cast<Label>(t % 3), static_cast<Label>((t + 1 + t / 3 % 2) % 3),
                       problem.block.features(t)};
    Eigen::VectorXd dense = Eigen::VectorXd::Zero(18);
    for (std::size_t i = 0; i < v.x.size(); ++i) {
      dense[v.x.feature(i) * 3 + v.up] += v.x.value[i];
      dense[v.x.feature(i) * 3 + v.down] -= v.x.value[i];
    }
    const Eigen::MatrixXd inverse = naive.matrix().inverse();
    ASSERT_NEAR(covariance.quad(v), dense.dot(inverse * dense), 1e-10) << t;
    ASSERT_LE(covariance.quad(v), covariance.quad_bound(v) * (1 + 1e-12));
    const double w = 1 + static_cast<double>(t % 5), g = t % 2 == 0 ? -w : w;
    covariance.step(v, w, g, dense.dot(inverse * naive.theta));
    naive.step(dense, w, g);
    ASSERT_NEAR(covariance.rho(), naive.rho, 1e-10 * naive.rho) << t;
    const Eigen::VectorXd weights = naive.matrix().inverse() * naive.theta;
    for (std::size_t j = 0; j < 18; ++j) {
      ASSERT_NEAR(covariance.weights()[j], weights[static_cast<Eigen::Index>(j)], 1e-10) << t;
    }
  }
  EXPECT_GT(covariance.rho(), 0.5);  // it has shrunk
}

TEST(Sketch, IsExactWhileItHoldsEveryUpdate) {
  const Shape shape{3, 4};
  SketchCovariance sketch(shape, 1, 40, 1e9);
  ExactCovariance exact(shape, 1, 1e9);
  const testing::Problem problem = testing::random_problem(22, shape, 60, {0.7, 1, false});
  for (std::size_t t = 0; t < 60; ++t) {
    const PairVector v{static_cast<Label>(t % 3), static_cast<Label>((t + 1) % 3),
                       problem.block.features(t)};
    ASSERT_NEAR(sketch.quad_step(v, 2, -1, 0.1), exact.quad_step(v, 2, -1, 0.1), 1e-12);
  }
}

// Each block is a ridge regression of its own: W_i = A_i⁻¹θ_i, solved from scratch.
TEST(Block, IsTheNaiveBlocks) {
  const Shape shape{3, 5};
  BlockCovariance covariance(shape, 0.5, 1e9);
  std::vector<Eigen::MatrixXd> matrix(3, 0.5 * Eigen::MatrixXd::Identity(5, 5));
  std::vector<Eigen::VectorXd> theta(3, Eigen::VectorXd::Zero(5));
  const testing::Problem problem = testing::random_problem(23, shape, 300, {0.7, 100, false});
  for (std::size_t t = 0; t < 300; ++t) {
    const PairVector v{static_cast<Label>(t % 3), static_cast<Label>((t + 1 + t / 3 % 2) % 3),
                       problem.block.features(t)};
    const auto up = static_cast<std::size_t>(v.up), down = static_cast<std::size_t>(v.down);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(5);
    for (std::size_t i = 0; i < v.x.size(); ++i) x[v.x.feature(i)] = v.x.value[i];
    const double expected = x.dot(matrix[up].ldlt().solve(x)) + x.dot(matrix[down].ldlt().solve(x));
    const double w = 1 + static_cast<double>(t % 5), g = t % 2 == 0 ? -w : 1;
    ASSERT_NEAR(covariance.quad_step(v, w, g, 0), expected, 1e-10) << t;
    matrix[up] += w * x * x.transpose();
    matrix[down] += w * x * x.transpose();
    theta[up] += g * x;
    theta[down] -= g * x;
    std::vector<double> scores(3);
    covariance.scores(v.x, scores);
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_NEAR(scores[c], x.dot(matrix[c].ldlt().solve(theta[c])), 1e-9) << t;
    }
  }
}

}  // namespace
}  // namespace soba
