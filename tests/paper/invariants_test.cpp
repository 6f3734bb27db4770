// What the paper proves of SOBA, checked against the code.
#include <gtest/gtest.h>

#include <cmath>

#include "core/draws.h"
#include "learners/soba.h"
#include "model/file.h"
#include "soba/play.h"
#include "support/naive_soba.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::NaiveSoba;
using testing::Problem;
using testing::random_problem;

class Invariants : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Soba, Invariants, ::testing::Values("exact", "diagonal"),
                         [](const auto& covariance) { return covariance.param; });

// Equation (4): Σ n_s m_s >= 0 at all times. Proof of Lemma 1: n_t = 1 whenever ỹ = y ≠ ŷ, and n_t
// = 0 whenever ỹ ≠ y.
TEST_P(Invariants, TheBudgetStaysAndExploratoryHitsAlwaysUpdate) {
  std::int64_t hits = 0, margin_updates = 0, skips = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Shape shape{static_cast<Label>(2 + seed % 4), static_cast<Index>(1 + seed)};
    const Problem problem = random_problem(seed, shape, 2000, {seed % 2 ? 1.0 : 0.5, 1, false});
    Model model = new_model("soba", {{"covariance", GetParam()}, {"gamma", "0.2"}}, shape, seed);
    play(problem.block, model, [&](const Played& row) {
      ASSERT_GE(*row.margin_sum, 0);
      if (!row.correct) {
        ASSERT_FALSE(row.updated);
      } else if (row.played != row.greedy) {
        ASSERT_TRUE(row.updated) << "round " << row.round;
        ++hits;
      } else {
        ++(row.updated ? margin_updates : skips);
      }
    });
  }
  // All three kinds of rounds took part.
  EXPECT_GT(hits, 100);
  EXPECT_GT(margin_updates, 100);
  EXPECT_GT(skips, 100);
}

// θ and A of an exact learner, read off its state.
struct State {
  Eigen::VectorXd theta;
  Eigen::MatrixXd matrix;
};

State state_of(Model& model, Shape shape) {
  const std::string bytes = write_model(model);
  FieldReader reader(bytes);
  std::vector<double> theta, root, value;
  std::vector<Label> up, down;
  std::vector<Index> index;
  std::vector<std::int64_t> begin;
  reader.field("covariance.theta", theta);
  reader.field("covariance.dual.root_weight", root);
  reader.field("covariance.dual.up", up);
  reader.field("covariance.dual.down", down);
  reader.field("covariance.dual.begin", begin);
  reader.field("covariance.dual.index", index);
  reader.field("covariance.dual.value", value);
  const Eigen::Index n = static_cast<Eigen::Index>(shape.classes) * shape.features;
  State state{Eigen::Map<Eigen::VectorXd>(theta.data(), n), Eigen::MatrixXd::Identity(n, n)};
  for (std::size_t i = 0; i < root.size(); ++i) {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (auto e = static_cast<std::size_t>(begin[i]); e < static_cast<std::size_t>(begin[i + 1]);
         ++e) {
      z[index[e] * shape.classes + up[i]] += root[i] * value[e];
      z[index[e] * shape.classes + down[i]] -= root[i] * value[e];
    }
    state.matrix += z * z.transpose();
  }
  return state;
}

// Lemma 1 by enumeration: summed over the k labels that may be played, each with its probability,
// the update is h_t·(e_ȳ − e_y) ⊗ x and its square h_t times the square. The paper's lemma has the
// first one's sign turned round, and its proof 1[ŷ ≠ y] for 1[ŷ = y] (docs/theory.md): both would
// fail here. Read off the learner that users run, whose state is copied for each label.
TEST(Lemma1, TheEstimateIsUnbiased) {
  const Shape shape{4, 5};
  const Problem problem = random_problem(21, shape, 40, {1, 1, false});
  Model model = new_model("soba", {{"gamma", "0.4"}}, shape, 3);
  int hits = 0, margins = 0;
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    const Features x = problem.block.features(i);
    const Label y = problem.block.label[i];
    std::vector<double> s(4), p(4);
    predictor(model.learner).scores(x, s);
    distribution(predictor(model.learner).exploration({1, s, argmax(s)}), s, p);
    const Label greedy = argmax(s), rival = argmax_except(s, y);
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(20);
    for (std::size_t e = 0; e < x.size(); ++e) {
      direction[x.feature(e) * 4 + rival] += x.value[e];
      direction[x.feature(e) * 4 + y] -= x.value[e];
    }
    const State before = state_of(model, shape);
    Eigen::VectorXd mean_g = Eigen::VectorXd::Zero(20);
    Eigen::MatrixXd mean_zz = Eigen::MatrixXd::Zero(20, 20);
    double h = greedy != y ? 1 : 0;
    for (Label played = 0; played < 4; ++played) {
      Model copy = read_model(write_model(model));
      const double probability = p[static_cast<std::size_t>(played)];
      const Learned learned = std::get<std::unique_ptr<Learner>>(copy.learner)
                                  ->learn({x, s, {}, greedy, played, probability}, played == y);
      ASSERT_TRUE(played == y || !learned.updated);
      if (played == y && greedy == y) h = learned.updated;
      const State after = state_of(copy, shape);
      mean_g -= probability * (after.theta - before.theta);
      mean_zz += probability * (after.matrix - before.matrix);
    }
    ASSERT_LE((mean_g - h * direction).norm(), 1e-9 * (1 + direction.norm()));
    ASSERT_LE((mean_zz - h * direction * direction.transpose()).norm(),
              1e-9 * (1 + direction.squaredNorm()));
    hits += greedy != y;
    margins += greedy == y && h > 0;
    Block one;
    one.append(x, y);
    play(one, model, [](const Played&) {});
  }
  EXPECT_GT(hits, 5);
  EXPECT_GT(margins, 2);
}

// The same enumeration on the learner that users run: its W after each possible answer is A⁻¹θ of
// the naive one, so what Lemma 1 says of the one holds for the other.
TEST(Lemma1, TheLearnersUpdateIsTheNaiveOne) {
  const Shape shape{4, 5};
  const Problem problem = random_problem(22, shape, 60, {1, 1, false});
  NaiveSoba naive(shape, 1, false);
  Model model = new_model("soba", {{"gamma", "0.4"}}, shape, 3);
  std::size_t i = 0;
  play(problem.block, model, [&](const Played& row) {
    const Features x = problem.block.features(i++);
    if (row.correct) naive.learn(x, row.played, row.probability);
    const Eigen::VectorXd w = naive.weights();
    std::vector<double> out(4);
    for (Index j = 0; j < 5; ++j) {
      const double one = 1;
      predictor(model.learner).scores({{&j, 1}, {&one, 1}}, out);
      for (Label c = 0; c < 4; ++c) {
        ASSERT_NEAR(out[static_cast<std::size_t>(c)], w[c * 5 + j], 1e-10 * (1 + w.norm()));
      }
    }
  });
}

// Lemma 3: Σ n_t z_tᵀA_t⁻¹z_t <= ln(|A_T|/|A_0|).
TEST(Lemma3, TheQuadraticTermsAreBoundedByTheDeterminant) {
  const Shape shape{3, 6};
  const Problem problem = random_problem(23, shape, 1500, {1, 1, false});
  NaiveSoba naive(shape, 1, false);
  double sum = 0;
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const auto step = naive.learn(problem.block.features(t), problem.block.label[t], 0.5);
    if (step.updated) sum += step.q / (1 + step.q);
  }
  const double log_determinant = naive.matrix().ldlt().vectorD().array().log().sum();
  EXPECT_LE(sum, log_determinant);
  EXPECT_GT(sum, 0.1 * log_determinant);
}

// Separable data: the greedy label makes few mistakes, whatever the noise of exploration.
TEST_P(Invariants, SeparableDataIsLearnt) {
  Block block;
  Draws draws(Rng(30, Purpose::kExamples), 0);
  for (int i = 0; i < 3000; ++i) {
    const auto label = static_cast<Label>(draws.below(4));
    std::vector<Index> index = {label, static_cast<Index>(4 + draws.below(6))};
    const std::vector<double> value = {1, 0.3};
    block.append({index, value}, label);
  }
  Model model = new_model("soba", {{"covariance", GetParam()}, {"gamma", "0.1"}}, {4, 10}, 1);
  std::int64_t late = 0;
  play(block, model,
       [&](const Played& row) { late += row.round > 2000 && row.greedy != row.label; });
  EXPECT_LE(late, 2);
}

}  // namespace
}  // namespace soba
