// What every learner promises, whatever it does inside.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <sstream>

#include "core/draws.h"
#include "soba/error.h"
#include "soba/play.h"
#include "support/every_learner.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::every_form;
using testing::Form;
using testing::Problem;
using testing::random_problem;

class Contract : public ::testing::TestWithParam<Form> {
 protected:
  static Model fresh(Shape shape, std::uint64_t seed = 1) {
    return new_model(GetParam().learner, GetParam().options, shape, seed);
  }

  // Every round as text, to the last bit.
  static std::string trace(const Block& block, Model& model) {
    std::ostringstream out;
    out << std::hexfloat;
    play(block, model, [&](const Played& row) {
      out << row.round << ' ' << row.label << ' ' << row.greedy << ' ' << row.played << ' '
          << row.probability << ' ' << row.gamma << ' ' << row.correct << ' ' << row.updated << ' '
          << row.margin_sum.value_or(-1) << '\n';
    });
    return out.str();
  }

  static Block part(const Block& block, std::size_t first, std::size_t last) {
    Block out;
    for (std::size_t i = first; i < last; ++i) out.append(block.features(i), block.label[i]);
    return out;
  }

  static std::vector<double> scores(const Model& model, const Features& x) {
    std::vector<double> out = scores_and_workings(model, x);
    out.resize(static_cast<std::size_t>(predictor(model.learner).shape().classes));
    return out;
  }

  static std::vector<double> scores_and_workings(const Model& model, const Features& x) {
    const Predictor& learner = predictor(model.learner);
    std::vector<double> out(static_cast<std::size_t>(learner.shape().classes) + learner.workings());
    learner.scores(x, out);
    return out;
  }
};

INSTANTIATE_TEST_SUITE_P(EveryLearner, Contract, ::testing::ValuesIn(every_form()),
                         [](const auto& form) { return testing::form_name(form.param); });

constexpr Shape kShape{4, 6};

TEST_P(Contract, ScoresArePure) {
  const Problem problem = random_problem(1, kShape, 200, {0.6, 1, false});
  Model model = fresh(kShape);
  trace(problem.block, model);
  const std::string before = write_model(model);
  const std::vector<double> first = scores(model, problem.block.features(0));
  for (std::size_t i = 0; i < 50; ++i) scores(model, problem.block.features(i));
  EXPECT_EQ(scores(model, problem.block.features(0)), first);
  EXPECT_EQ(write_model(model), before);
}

TEST_P(Contract, TheDistributionIsOneAndExploresAsItSays) {
  const Problem problem = random_problem(2, kShape, 200, {0.6, 1, false});
  Model model = fresh(kShape);
  play(problem.block, model, [&](const Played& row) {
    std::vector<double> p(4);
    const std::vector<double> s = scores(model, problem.block.features(0));
    const Exploration exploration =
        predictor(model.learner).exploration({row.round + 1, s, argmax(s)});
    distribution(exploration, s, p);
    ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-15);
    // What disclaims x is explored down to a quarter as much.
    const double least = std::holds_alternative<Unclaimed>(exploration) ? 16 : 4;
    for (const double share : p) ASSERT_GE(share, exploration_rate(exploration) / least);
    ASSERT_GT(row.probability, 0);
    ASSERT_LE(row.probability, 1);
  });
}

TEST_P(Contract, TheSameSeedIsTheSameRun) {
  const Problem problem = random_problem(3, kShape, 500, {0.6, 1, false});
  Model one = fresh(kShape, 7), two = fresh(kShape, 7);
  EXPECT_EQ(trace(problem.block, one), trace(problem.block, two));
  EXPECT_EQ(write_model(one), write_model(two));
}

TEST_P(Contract, AnotherSeedExploresDifferently) {
  const Problem problem = random_problem(3, kShape, 500, {0.6, 1, false});
  Model one = fresh(kShape, 7), two = fresh(kShape, 8);
  bool random = false;
  play(problem.block, one, [&](const Played& row) { random = random || row.probability < 1; });
  play(problem.block, two, [](const Played&) {});
  EXPECT_EQ(write_model(one) != write_model(two) && one.tally.mistakes != two.tally.mistakes,
            random);
}

TEST_P(Contract, ResumingIsTheSameAsNeverStopping) {
  // Long enough to pass the switch from dual to primal, its blocks and its refreshes; stops fall on
  // either side of each.
  const Problem problem = random_problem(4, kShape, 3000, {0.6, 1, false});
  Model whole = fresh(kShape);
  const std::string expected = trace(problem.block, whole);
  for (const std::size_t stop : {0U, 1U, 10U, 100U, 333U, 2999U, 3000U}) {
    Model first = fresh(kShape);
    std::string found = trace(part(problem.block, 0, stop), first);
    Model second = read_model(write_model(first));
    found += trace(part(problem.block, stop, 3000), second);
    ASSERT_EQ(found, expected) << "stopped after " << stop;
    ASSERT_EQ(write_model(second), write_model(whole)) << "stopped after " << stop;
  }
}

TEST_P(Contract, BatchesDoNotMatter) {
  const Problem problem = random_problem(5, kShape, 300, {0.6, 1, false});
  Model whole = fresh(kShape), parts = fresh(kShape);
  const std::string expected = trace(problem.block, whole);
  std::string found;
  for (std::size_t i = 0; i < 300; i += 7) {
    found += trace(part(problem.block, i, std::min<std::size_t>(300, i + 7)), parts);
  }
  EXPECT_EQ(found, expected);
}

TEST_P(Contract, SparseAndDenseVectorsAreTheSame) {
  const Problem problem = random_problem(6, kShape, 300, {0.6, 1, false});
  Model sparse = fresh(kShape), dense = fresh(kShape);
  trace(problem.block, sparse);
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    std::vector<double> values(6);
    const Features x = problem.block.features(i);
    for (std::size_t j = 0; j < x.size(); ++j) {
      values[static_cast<std::size_t>(x.feature(j))] = x.value[j];
    }
    const Features whole{{}, values};
    ASSERT_EQ(scores(dense, whole), scores(dense, x));
    const std::vector<double> all = scores_and_workings(dense, whole);
    const std::span<const double> s = std::span(all).first(4);
    const Exploration exploration =
        predictor(dense.learner).exploration({++dense.tally.rounds, s, argmax(s)});
    const Draw drawn = draw(exploration, s, argmax(s),
                            Rng(dense.seed, Purpose::kExploration)
                                .uniform(static_cast<std::uint64_t>(dense.tally.rounds)));
    const Label truth = problem.block.label[i];
    predictor(dense.learner).reserve(whole);
    if (auto* bandit = std::get_if<std::unique_ptr<Learner>>(&dense.learner)) {
      (*bandit)->learn(
          {whole, s, std::span(all).subspan(4), argmax(s), drawn.label, drawn.probability},
          drawn.label == truth);
    } else {
      std::get<std::unique_ptr<FullInformationLearner>>(dense.learner)->learn(whole, s, truth);
    }
  }
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    const std::vector<double> a = scores(sparse, problem.block.features(i));
    const std::vector<double> b = scores(dense, problem.block.features(i));
    for (std::size_t c = 0; c < 4; ++c) ASSERT_NEAR(a[c], b[c], 1e-9);
  }
}

TEST_P(Contract, FeaturesMayBeDiscoveredOnTheWay) {
  const Problem problem = random_problem(7, kShape, 300, {0.6, 1, false});
  if (GetParam().options.contains("gamma") && GetParam().options.at("gamma") == "theory") {
    EXPECT_THROW(fresh({4, 0}), Error);  // the rate of the theorem needs d
    return;
  }
  Model known = fresh(kShape), discovering = fresh({4, 0});
  trace(problem.block, known);
  trace(problem.block, discovering);
  EXPECT_EQ(predictor(discovering.learner).shape(), kShape);
  if (known.options != discovering.options) return;  // a choice that depends on what is known
  EXPECT_EQ(known.tally.mistakes, discovering.tally.mistakes);
  for (std::size_t i = 0; i < problem.block.size(); ++i) {
    const std::vector<double> a = scores(known, problem.block.features(i));
    const std::vector<double> b = scores(discovering, problem.block.features(i));
    for (std::size_t c = 0; c < 4; ++c) ASSERT_NEAR(a[c], b[c], 1e-9);
  }
}

TEST_P(Contract, FeaturesNeverSeenCountAsZero) {
  if (GetParam().learner == "confidit") return;  // they widen its bounds: see the next test
  const Problem problem = random_problem(8, kShape, 100, {1, 1, false});
  Model model = fresh(kShape);
  trace(problem.block, model);
  const std::vector<Index> index = {0, 3, 1000000};
  const std::vector<double> value = {1, -1, 5};
  EXPECT_EQ(scores(model, {index, value}),
            scores(model, {std::span(index).first(2), std::span(value).first(2)}));
  EXPECT_EQ(predictor(model.learner).shape(), kShape);
}

TEST_P(Contract, FeaturesNeverSeenAreAsIfKnownAllAlong) {
  if (GetParam().options.contains("gamma") && GetParam().options.at("gamma") == "theory") return;
  const Problem problem = random_problem(8, kShape, 100, {1, 1, false});
  Model model = fresh(kShape), wider = fresh({4, 20});
  trace(problem.block, model);
  trace(problem.block, wider);
  const std::vector<Index> index = {0, 3, 19};
  const std::vector<double> value = {1, -1, 5};
  const std::vector<double> a = scores(model, {index, value}), b = scores(wider, {index, value});
  for (std::size_t c = 0; c < 4; ++c) ASSERT_NEAR(a[c], b[c], 1e-9);
  EXPECT_EQ(predictor(model.learner).shape(), kShape);
}

TEST_P(Contract, TheSmallestShapeWorks) {
  const Problem problem = random_problem(9, {2, 1}, 200, {1, 1, false});
  Model model = fresh({2, 1});
  trace(problem.block, model);
  EXPECT_EQ(model.tally.rounds, 200);
  for (const double s : scores(model, problem.block.features(0))) EXPECT_TRUE(std::isfinite(s));
}

TEST_P(Contract, ManyClassesWork) {
  const Problem problem = random_problem(10, {300, 3}, 200, {1, 1, false});
  Model model = fresh({300, 3});
  trace(problem.block, model);
  for (const double s : scores(model, problem.block.features(0))) EXPECT_TRUE(std::isfinite(s));
}

TEST_P(Contract, TheZeroVectorIsHarmless) {
  Block zeros;
  for (int i = 0; i < 100; ++i) zeros.append({}, 1);
  Model model = fresh(kShape);
  const std::vector<double> before = scores(model, {});
  EXPECT_EQ(before, std::vector<double>(4, before[0]));  // no label is preferred
  trace(zeros, model);
  // A constant feature of its own learns the label that was always right; nothing else is changed.
  const std::vector<double> after = scores(model, {});
  const bool constant = GetParam().learner == "soba-ovr" || GetParam().learner == "auto";
  if (!constant) {
    EXPECT_EQ(after, before);
  }
  EXPECT_TRUE(after == before || argmax(after) == 1);
  const Problem problem = random_problem(11, kShape, 100, {1, 1, false});
  trace(problem.block, model);
  for (const double s : scores(model, problem.block.features(0))) EXPECT_TRUE(std::isfinite(s));
}

// Sums that overflow: nonsense may come out, but no crash, and no file that could not be read
// again.
TEST_P(Contract, HugeValuesDoNoHarm) {
  Block block;
  const std::vector<Index> index = {0, 2};
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> value = {1e300, i % 2 == 0 ? -1e300 : 1e-300};
    block.append({index, value}, i % 4);
  }
  Model model = fresh(kShape);
  trace(block, model);
  try {
    read_model(write_model(model));
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be saved"), std::string::npos);
  }
}

// Columns such as seconds since 1970, identifiers and counts of bytes, as they come.
Block huge_columns(std::uint64_t seed) {
  const std::vector<double> scales = {1, 1e8, 1e12, 1e50, 1};
  const std::vector<Index> index = {0, 1, 2, 3, 4};
  Block block;
  Draws draws(Rng(seed, Purpose::kExamples), 0);
  for (int i = 0; i < 1500; ++i) {
    std::vector<double> value;
    for (const double scale : scales) value.push_back(scale * (0.8 + 0.4 * draws.uniform()));
    const auto label = static_cast<Label>(draws.below(4));
    value[0] = label == 0 ? 1 : -0.5 * label;
    if (i % 7 == 0) value[4] = i % 2 == 0 ? 1e50 : -1e8;  // one that changes its scale
    if (i % 11 == 0) value[3] = 0;
    block.append({index, value}, label);
  }
  return block;
}

TEST_P(Contract, HugeColumnsGiveNumbersAlways) {
  for (const std::uint64_t seed : {15U, 16U}) {
    const Block block = huge_columns(seed);
    const bool theory =
        GetParam().options.contains("gamma") && GetParam().options.at("gamma") == "theory";
    Model model = fresh({4, seed == 15 || theory ? 5 : 0});  // the rate of the theorem needs d
    std::size_t next = 0;
    play(block, model, [&](const Played& row) {
      ASSERT_GT(row.probability, 0) << "round " << row.round;
      ASSERT_LE(row.probability, 1);
      ASSERT_TRUE(row.gamma >= 0 && row.gamma <= 1);
      ASSERT_TRUE(std::isfinite(row.margin_sum.value_or(0)));
      next = (next + 1) % block.size();
      for (const double s : scores(model, block.features(next))) {
        ASSERT_TRUE(std::isfinite(s)) << "round " << row.round;
      }
    });
    const std::string saved = write_model(model);
    EXPECT_EQ(write_model(read_model(saved)), saved);
  }
}

TEST_P(Contract, LearnsAnEasyProblem) {
  // Three classes, each with a feature of its own and a constant beside it.
  Block block;
  Draws draws(Rng(12, Purpose::kExamples), 0);
  for (int i = 0; i < 4000; ++i) {
    const auto label = static_cast<Label>(draws.below(3));
    const std::vector<Index> index = {label, 3};
    const std::vector<double> value = {1, 0.1};
    block.append({index, value}, label);
  }
  Model model = fresh({3, 4});
  if (GetParam().options.contains("gamma") && GetParam().options.at("gamma") == "0") return;
  trace(block, model);
  const std::int64_t early = model.tally.greedy_mistakes;
  trace(block, model);
  EXPECT_LE(model.tally.greedy_mistakes - early, 400);  // chance: 2667
}

TEST_P(Contract, TheInputIsNotKept) {
  const Problem problem = random_problem(13, kShape, 100, {0.6, 1, false});
  Model kept = fresh(kShape), gone = fresh(kShape);
  const std::string expected = trace(problem.block, kept);
  std::string found;
  for (std::size_t i = 0; i < 100; ++i) {
    auto block = std::make_unique<Block>(part(problem.block, i, i + 1));
    found += trace(*block, gone);
    std::fill(block->value.begin(), block->value.end(), 1e300);
  }
  EXPECT_EQ(found, expected);
}

TEST_P(Contract, ImpossibleShapesAreRefused) {
  for (const Label k : {-1, 0, 1, kMaxClasses + 1}) EXPECT_THROW(fresh({k, 5}), Error) << k;
}

TEST_P(Contract, ItsOptionsAreThoseOfItsTable) {
  const LearnerChoice choice = choose_learner(GetParam().learner, GetParam().options);
  EXPECT_EQ(choice.options.size(), choice.info->options.size());
  for (const OptionSpec& spec : choice.info->options) {
    EXPECT_TRUE(choice.options.contains(spec.name));
    EXPECT_FALSE(spec.help.empty());
    OptionValues bad = GetParam().options;
    bad[spec.name] = "nonsense";
    EXPECT_THROW(choose_learner(GetParam().learner, bad), Error) << spec.name;
  }
  OptionValues unknown = GetParam().options;
  unknown["no-such-option"] = "1";
  EXPECT_THROW(choose_learner(GetParam().learner, unknown), Error);
}

TEST(Registry, AnUnknownLearnerSuggestsTheNearest) {
  try {
    choose_learner("bandittron", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'banditron'"), std::string::npos);
  }
}

TEST(Registry, AnAliasRefusesToBeContradicted) {
  EXPECT_THROW(choose_learner("sobadiag", {{"covariance", "exact"}}), Error);
  EXPECT_EQ(choose_learner("sobadiag", {}).options.at("covariance"), "diagonal");
}

}  // namespace
}  // namespace soba
