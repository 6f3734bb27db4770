// Labels that come and go while a model is in use, and decisions among some of them: what every
// learner promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>
#include <sstream>

#include "core/draws.h"
#include "covariance/exact.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/explain.h"
#include "soba/play.h"
#include "support/every_learner.h"
#include "support/own_folder.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using testing::every_form;
using testing::Form;
using ::testing::HasSubstr;
using testing::Problem;
using testing::random_problem;

Model fresh(const Form& form, Label classes, Index features = 6) {
  return new_model(form.learner, form.options, {classes, features}, 3);
}

bool is_bandit(const Model& model) {
  return std::holds_alternative<std::unique_ptr<Learner>>(model.learner);
}

std::string trace(const Block& block, Model& model, Feedback feedback = Feedback::kBandit) {
  std::ostringstream out;
  out << std::hexfloat;
  play(
      block, model,
      [&](const Played& row) {
        out << row.greedy << ' ' << row.played << ' ' << row.probability << ' ' << row.updated
            << '\n';
      },
      feedback);
  return out.str();
}

// One round after the other among these labels, all if there are none: labels and probabilities.
struct Decided {
  std::vector<Label> labels;
  std::vector<double> probabilities;
};
Decided decide_among(const Block& block, Model& model, const std::vector<Label>& allowed) {
  Decided out;
  Learner& learner = *std::get<std::unique_ptr<Learner>>(model.learner);
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> all(k + learner.workings());
  const std::span<const double> scores = std::span(all).first(k);
  const Rng rng(model.seed, Purpose::kExploration);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Features x = block.features(i);
    learner.reserve(x);
    learner.scores(x, all);
    if (!allowed.empty()) learner.restrict_to(allowed, x, all);
    const std::int64_t round = ++model.tally.rounds;
    const Label greedy = argmax(scores);
    const Moment moment{round, scores, greedy, allowed};
    const Exploration exploration = learner.exploration(moment);
    std::vector<double> p(k);
    distribution(exploration, scores, p, allowed);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    for (std::size_t c = 0; c < k; ++c) {
      const bool may = allowed.empty() || std::ranges::count(allowed, static_cast<Label>(c)) > 0;
      EXPECT_TRUE(may ? p[c] >= 0 : p[c] == 0) << "label " << c << " with " << p[c];
    }
    const Draw drawn =
        draw(exploration, scores, greedy, rng.uniform(static_cast<std::uint64_t>(round)), allowed);
    EXPECT_NEAR(drawn.probability, p[static_cast<std::size_t>(drawn.label)], 1e-12);
    out.labels.push_back(drawn.label);
    out.probabilities.push_back(drawn.probability);
    const Learned learned = learner.learn(
        {x, scores, std::span(all).subspan(k), greedy, drawn.label, drawn.probability, allowed},
        drawn.label == block.label[i]);
    EXPECT_FALSE(learned.skipped);
  }
  return out;
}

class Labels : public OwnFolder, public ::testing::WithParamInterface<Form> {};

INSTANTIATE_TEST_SUITE_P(EveryLearner, Labels, ::testing::ValuesIn(every_form()),
                         [](const auto& form) { return testing::form_name(form.param); });

TEST_P(Labels, OneAddedAtTheStartIsAsIfTheModelWereMadeWithIt) {
  const OptionValues& options = GetParam().options;
  if (options.contains("gamma") && options.at("gamma") == "theory") return;  // tuned at the start
  const Problem problem = random_problem(41, {5, 6}, 400, {0.7, 1, false});
  Model grown = fresh(GetParam(), 3), whole = fresh(GetParam(), 5);
  add_label(grown, "3");
  add_label(grown, "4");
  whole.schema.labels = grown.schema.labels;
  EXPECT_EQ(trace(problem.block, grown), trace(problem.block, whole));
  EXPECT_TRUE(write_model(grown) == write_model(whole));
}

TEST_P(Labels, WhatWasLearntOfTheOthersStays) {
  const Problem problem = random_problem(42, {3, 6}, 600, {0.7, 1, false});
  Model model = fresh(GetParam(), 3);
  trace(problem.block, model);
  std::vector<std::vector<double>> before;
  for (std::size_t i = 0; i < 50; ++i) {
    before.emplace_back(3);
    predictor(model.learner).linear_scores(problem.block.features(i), before.back());
  }
  EXPECT_EQ(add_label(model, "new"), 3);
  for (std::size_t i = 0; i < 50; ++i) {
    std::vector<double> after(4);
    predictor(model.learner).linear_scores(problem.block.features(i), after);
    after.pop_back();
    ASSERT_EQ(after, before[i]);
  }
  EXPECT_THAT(model.schema.labels.names(), ElementsAre("0", "1", "2", "new"));
}

TEST_P(Labels, AddingOneAndResumingIsTheSameAsNeverStopping) {
  const Problem first = random_problem(43, {3, 6}, 1500, {0.6, 1, false});
  const Problem second = random_problem(44, {4, 6}, 1500, {0.6, 1, false});
  Model whole = fresh(GetParam(), 3);
  trace(first.block, whole);
  add_label(whole, "new");
  const std::string expected = trace(second.block, whole);
  Model parts = fresh(GetParam(), 3);
  trace(first.block, parts);
  parts = read_model(write_model(parts));
  add_label(parts, "new");
  parts = read_model(write_model(parts));
  EXPECT_EQ(trace(second.block, parts), expected);
  EXPECT_TRUE(write_model(parts) == write_model(whole));
}

TEST_P(Labels, TheNewOneIsLearnt) {
  const Problem problem = random_problem(45, {4, 6}, 3000, {0.9, 1, false});
  Model model = fresh(GetParam(), 3);
  Block first, rest;
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    const bool early = i < 1000;
    if (early && problem.block.label[i] == 3) continue;
    (early ? first : rest).append(problem.block.features(i), problem.block.label[i]);
  }
  trace(first, model);
  add_label(model, "new");
  int played = 0;
  play(rest, model, [&](const Played& row) {
    played += row.played == 3;
    EXPECT_TRUE(row.probability > 0 && row.probability <= 1);
  });
  const bool explores = GetParam().options != OptionValues{{"gamma", "0"}};
  EXPECT_TRUE(played > 0 || !explores);
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<double> scores(4);
    predictor(model.learner).linear_scores(rest.features(i), scores);
    for (const double score : scores) ASSERT_TRUE(std::isfinite(score));
  }
}

// As learners of three classes have it, to rounding: the fourth might as well not be there.
TEST_P(Labels, AmongSomeOfThemADecisionIsThatOfAProblemWithoutTheOthers) {
  if (!is_bandit(fresh(GetParam(), 3))) return;
  const OptionValues& options = GetParam().options;
  if (options.contains("gamma") && options.at("gamma") == "theory") return;  // of all labels
  if (GetParam().learner == "banditron-eg") return;  // its step is γ/k for k of all labels
  const Problem problem = random_problem(46, {3, 6}, 700, {0.7, 1, false});
  Model three = fresh(GetParam(), 3), four = fresh(GetParam(), 4);
  const Decided alone = decide_among(problem.block, three, {});
  const Decided among = decide_among(problem.block, four, {0, 1, 2});
  EXPECT_EQ(among.labels, alone.labels);
  for (std::size_t i = 0; i < alone.labels.size(); ++i) {
    ASSERT_NEAR(among.probabilities[i], alone.probabilities[i], 1e-6) << "round " << i;
  }
}

TEST_P(Labels, AnySubsetMayBeAllowed) {
  if (!is_bandit(fresh(GetParam(), 4))) return;
  const Problem problem = random_problem(47, {4, 6}, 400, {0.7, 1, false});
  Model model = fresh(GetParam(), 4);
  trace(problem.block, model);
  for (const std::vector<Label>& allowed :
       std::vector<std::vector<Label>>{{1}, {3}, {0, 3}, {1, 2}, {1, 2, 3}, {0, 1, 2, 3}}) {
    Block inside;
    for (std::size_t i = 0; i < problem.block.size(); ++i) {
      if (std::ranges::count(allowed, problem.block.label[i]) == 0) continue;
      inside.append(problem.block.features(i), problem.block.label[i]);
    }
    const Decided decided = decide_among(inside, model, allowed);
    for (std::size_t i = 0; i < decided.labels.size(); ++i) {
      ASSERT_EQ(std::ranges::count(allowed, decided.labels[i]), 1);
      ASSERT_NEAR(decided.probabilities[i], allowed.size() == 1 ? 1 : decided.probabilities[i],
                  1e-12);
    }
  }
}

TEST_P(Labels, ARetiredOneIsNeverPlayedAgain) {
  const Problem problem = random_problem(48, {4, 6}, 800, {0.7, 1, false});
  Model model = fresh(GetParam(), 4);
  trace(problem.block, model);
  retire_label(model, "1");
  model = read_model(write_model(model));
  Block rest, wrong;
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    Block& part = problem.block.label[i] == 1 ? wrong : rest;
    part.append(problem.block.features(i), problem.block.label[i]);
  }
  play(rest, model, [](const Played& row) {
    ASSERT_NE(row.played, 1);
    ASSERT_NE(row.greedy, 1);
  });
  const std::string before = write_model(model);
  EXPECT_THROW(trace(wrong, model), Error);
  EXPECT_TRUE(write_model(model) == before);
}

TEST_P(Labels, TheJournalHasEveryChange) {
  if (!is_bandit(fresh(GetParam(), 3, 4))) return;
  const std::string path = folder_ + "m";
  Journal file(path, Durability::kRelaxed);
  Model model = new_model(GetParam().learner, GetParam().options, {3, 4}, 5);
  model.schema = named_schema({"a", "b", "c"});
  file.begin(model);
  Decider decider(model, {}, &file);
  const Problem problem = random_problem(49, {3, 4}, 160, {0.8, 1, false});
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    const std::string id = std::to_string(i);
    const std::vector<Label> allowed = {0, 2};
    decider.decide(id, problem.block.features(i), std::span(allowed).first(i % 5 == 4 ? 2 : 0));
    // Answers are late, so that decisions wait while labels come and go.
    if (i >= 7) decider.feedback(std::to_string(i - 7), i % 3 == 0);
    if (i == 40) decider.add_label("d");
    if (i == 60) file.save();
    if (i == 80) decider.rename_label("a", "anew");
    if (i == 100) decider.retire_label("b");
    if (i == 120) decider.add_label("e");
    if (i % 20 != 3) continue;
    file.commit();
    ASSERT_TRUE(write_model(load_model(path)) == write_model(model)) << i;
  }
  file.commit();
  const Model again = load_model(path);
  EXPECT_TRUE(write_model(again) == write_model(model));
  EXPECT_THAT(again.schema.labels.names(), ElementsAre("anew", "b", "c", "d", "e"));
  EXPECT_THAT(again.retired, ElementsAre(1));
}

TEST_P(Labels, KnownLabelsTeach) {
  Model model = fresh(GetParam(), 4);
  if (!is_bandit(model)) return;
  const Problem problem = random_problem(50, {4, 6}, 3000, {0.9, 1, false});
  int late = 0, mistakes = 0;
  play(
      problem.block, model,
      [&](const Played& row) {
        EXPECT_TRUE(row.correct && row.probability == 1 && row.played == row.label);
        late += row.round > 2000;
        mistakes += row.round > 2000 && row.greedy != row.label;
      },
      Feedback::kLabelled);
  const Model again = read_model(write_model(model));
  EXPECT_EQ(write_model(again), write_model(model));
  EXPECT_LT(mistakes, late / 2) << "of " << late;  // guessing has three quarters
  EXPECT_EQ(model.tally.mistakes, 0);
}

// The exact covariance in both forms, with classes added on the way, against A written out over all
// classes from the start.
TEST(ExactLabels, BothFormsAgreeWithANaiveSolveAfterAddedClasses) {
  constexpr Index kFeatures = 3;
  constexpr double kA = 0.7;
  for (const int rounds : {4, 40, 1500}) {  // 1500: past a refresh of the primal form
    ExactCovariance dual({3, kFeatures}, kA, 1e9), primal({3, kFeatures}, kA, 1e9);
    primal.make_primal();
    constexpr int kSize = 6 * kFeatures;  // six classes in the end
    Eigen::MatrixXd matrix = kA * Eigen::MatrixXd::Identity(kSize, kSize);
    Eigen::VectorXd theta = Eigen::VectorXd::Zero(kSize);
    Draws draws(Rng(9, Purpose::kExamples), static_cast<std::uint64_t>(rounds));
    Label classes = 3;
    for (int i = 0; i < 3 * rounds; ++i) {
      if (i == rounds || i == 2 * rounds) {
        classes = i == rounds ? 4 : 6;
        dual = ExactCovariance(dual);
        dual.add_classes(classes);
        primal = ExactCovariance(primal);
        primal.add_classes(classes);
      }
      std::vector<double> value;
      for (Index j = 0; j < kFeatures; ++j) value.push_back(2 * draws.uniform() - 1);
      const auto up = static_cast<Label>(draws.below(static_cast<std::uint32_t>(classes)));
      const auto down = static_cast<Label>(
          (up + 1 + static_cast<Label>(draws.below(static_cast<std::uint32_t>(classes - 1)))) %
          classes);
      const Features x{{}, value};
      const PairVector v{up, down, x};
      Eigen::VectorXd written = Eigen::VectorXd::Zero(kSize);
      for (Index j = 0; j < kFeatures; ++j) {
        written[up * kFeatures + j] = value[static_cast<std::size_t>(j)];
        written[down * kFeatures + j] = -value[static_cast<std::size_t>(j)];
      }
      const Eigen::VectorXd weights = matrix.ldlt().solve(theta);
      const double quad = written.dot(matrix.ldlt().solve(written));
      const double inner = weights.dot(written), w = 1 + draws.uniform();
      for (ExactCovariance* form : {&dual, &primal}) {
        std::vector<double> scores(static_cast<std::size_t>(classes));
        form->scores(x, scores);
        for (Label c = 0; c < classes; ++c) {
          double score = 0;
          for (Index j = 0; j < kFeatures; ++j) {
            score += weights[c * kFeatures + j] * value[static_cast<std::size_t>(j)];
          }
          ASSERT_NEAR(scores[static_cast<std::size_t>(c)], score, 1e-9) << "round " << i;
        }
        form->reserve(x);
        ASSERT_NEAR(form->quad(v), quad, 1e-9) << "round " << i;
        ASSERT_TRUE(form->step(v, w, -w, inner));
      }
      matrix += w * written * written.transpose();
      theta += -w * written;
    }
    EXPECT_FALSE(primal.dual());
  }
}

TEST(LabelsOfAModel, MistakesAreRefusedAndChangeNothing) {
  Model model = new_model("auto", {}, named_schema({"a", "b", "c"}), 1);
  const std::string before = write_model(model);
  const auto refusal = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal([&] { add_label(model, "b"); }), HasSubstr("already has a label 'b'"));
  EXPECT_THAT(refusal([&] { add_label(model, ""); }), HasSubstr("must have a name"));
  EXPECT_THAT(refusal([&] { rename_label(model, "x", "y"); }), HasSubstr("no label 'x'"));
  EXPECT_THAT(refusal([&] { rename_label(model, "a", "b"); }), HasSubstr("already has"));
  EXPECT_THAT(refusal([&] { retire_label(model, "x"); }), HasSubstr("no label 'x'"));
  EXPECT_TRUE(write_model(model) == before);
  retire_label(model, "a");
  EXPECT_THAT(refusal([&] { add_label(model, "a"); }), HasSubstr("which is retired"));
  const std::vector<std::string> retired = {"a", "b"}, twice = {"c", "c"}, good = {"c", "b"};
  EXPECT_THAT(refusal([&] { allowed_labels(model, retired); }), HasSubstr("'a' is retired"));
  EXPECT_THAT(refusal([&] { allowed_labels(model, twice); }), HasSubstr("allowed twice"));
  EXPECT_THAT(allowed_labels(model, good), ElementsAre(1, 2));
  EXPECT_THAT(allowed_labels(model), ElementsAre(1, 2));
  retire_label(model, "c");
  EXPECT_THAT(refusal([&] { retire_label(model, "b"); }), HasSubstr("last label in use"));
}

TEST(LabelsOfAModel, OneThatNeedsTooMuchMemoryIsRefusedWhole) {
  const Problem problem = random_problem(51, {16, 40}, 300, {1, 1, false});
  Model model = new_model("confidit", {{"covariance", "full"}, {"memory", "1"}}, {16, 0}, 1);
  Model large = new_model("confidit", {{"covariance", "full"}, {"memory", "1"}}, {16, 40}, 1);
  trace(problem.block, large);
  Label added = 0;
  const auto add_many = [&](Model& to) {
    while (added < 200) {
      add_label(to, "n" + std::to_string(added));
      ++added;
    }
  };
  EXPECT_THROW(add_many(large), Error);
  EXPECT_EQ(predictor(large.learner).shape().classes, 16 + added);
  EXPECT_EQ(large.schema.labels.size(), 16 + added);
  const std::string text = write_model(large);
  EXPECT_TRUE(write_model(read_model(text)) == text);
  added = 0;
  add_many(model);  // without features it needs next to nothing
  EXPECT_EQ(added, 200);
}

TEST(LabelsOfAModel, ADecisionThatWaitsKeepsTheLabelsThatItHad) {
  // Epoch-greedy learns from rounds that were played with 1/k alone: k is that of the decision.
  Model model = new_model("epoch-greedy", {}, named_schema({"a", "b"}), 1);
  Decider decider(model);
  const Decision decision = decider.decide("1", {{"size", 1}});
  ASSERT_EQ(decision.probability, 0.5);
  decider.add_label("c");
  decider.feedback("1", true);
  EXPECT_EQ(model.tally.updates, 1);
  EXPECT_EQ(decider.decide("2", {{"size", 1}}).greedy, decision.label);
}

}  // namespace
}  // namespace soba
