#include "soba/predict.h"

#include <gtest/gtest.h>

#include <numeric>

#include "soba/run.h"

namespace soba {
namespace {

Model taught(const std::string& learner, const OptionValues& options) {
  Source source("synnonsep:n=2000,seed=3", {}, Schema{});
  Model model = new_model(learner, options, source, 5);
  run(source, model);
  return model;
}

Block examples() {
  Source source("synnonsep:n=300,seed=4", {}, Schema{});
  return *source.open()->next();
}

// What a run without learning would have played greedily, and the same bytes of a model after.
TEST(Predict, IsTheGreedyLabelAndChangesNothing) {
  for (const std::string name : {"auto", "soba", "banditron", "bandit-arow", "perceptron"}) {
    const Model model = taught(name, {});
    const std::string before = write_model(model);
    const Block block = examples();
    std::size_t i = 0;
    predict(model, block, Forecast::kScores, [&](Label greedy, std::span<const double> scores) {
      const Predictor& learner = predictor(model.learner);
      std::vector<double> expected(9 + learner.workings());
      learner.scores(block.features(i++), expected);
      expected.resize(9);
      EXPECT_EQ(greedy, argmax(expected)) << name;
      EXPECT_EQ(std::vector<double>(scores.begin(), scores.end()), expected) << name;
    });
    EXPECT_EQ(i, block.size());
    predict(model, block, Forecast::kLabel,
            [](Label, std::span<const double> numbers) { ASSERT_TRUE(numbers.empty()); });
    EXPECT_EQ(write_model(model), before) << name;
  }
}

TEST(Predict, ProbabilitiesAreThoseOfADecision) {
  const Model model = taught("banditron", {{"gamma", "0.18"}});
  predict(model, examples(), Forecast::kProbabilities,
          [&](Label greedy, std::span<const double> p) {
            ASSERT_EQ(p.size(), 9U);
            ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.), 1, 1e-12);
            for (std::size_t z = 0; z < 9; ++z) {
              const bool best = z == static_cast<std::size_t>(greedy);
              ASSERT_DOUBLE_EQ(p[z], best ? 0.82 + 0.02 : 0.02);
            }
          });
}

TEST(Predict, NewFeaturesDoNotCount) {
  const Model model = taught("soba", {});
  const std::vector<Index> index = {3, 100'000};
  const std::vector<double> value = {1, 1};
  Block known, beyond;
  known.append({std::span(index).first(1), std::span(value).first(1)}, kNoLabel);
  beyond.append({index, value}, kNoLabel);
  std::vector<double> a, b;
  predict(model, known, Forecast::kScores,
          [&](Label, std::span<const double> s) { a.assign(s.begin(), s.end()); });
  predict(model, beyond, Forecast::kScores,
          [&](Label, std::span<const double> s) { b.assign(s.begin(), s.end()); });
  EXPECT_EQ(a, b);
}

TEST(Predict, ChoosesAmongTheLabelsThatAreGiven) {
  const Model model = taught("soba", {});
  const std::vector<Label> allowed = {2, 5};
  predict(
      model, examples(), Forecast::kProbabilities,
      [&](Label greedy, std::span<const double> p) {
        EXPECT_TRUE(greedy == 2 || greedy == 5);
        EXPECT_NEAR(p[2] + p[5], 1, 1e-12);
        EXPECT_GE(p[static_cast<std::size_t>(greedy)], 0.5);
      },
      allowed);
}

}  // namespace
}  // namespace soba
