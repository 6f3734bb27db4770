#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/testing.h"
#include "soba/lab/theory.h"
#include "soba/run.h"

namespace soba {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

Source data() { return Source("synnonsep:n=600,seed=3", SourceOptions{}, Schema{}); }

Model model_for(const std::string& learner, const OptionValues& options, std::uint64_t seed = 1) {
  return new_model(learner, options, data(), seed);
}

const OptionValues kAdaptive = {{"gamma", "adaptive"}, {"gamma-scale", "0.5"}};

TEST(Observe, CountsWhatTheRunShows) {
  Source source = data();
  Model model = model_for("soba", kAdaptive);
  const Observation seen = observe(source, model);
  EXPECT_EQ(seen.rounds, 600);
  EXPECT_EQ(seen.mistakes, static_cast<double>(model.tally.mistakes));
  EXPECT_EQ(seen.greedy_mistakes, static_cast<double>(model.tally.greedy_mistakes));
  EXPECT_GT(seen.rates, 50);
  ASSERT_TRUE(seen.state.contains("soba.variance_sum"));
  EXPECT_GE(seen.state.at("soba.variance_sum"), seen.state.at("soba.quad_sum"));
  EXPECT_EQ(seen.curve.back().rounds, 600);
  EXPECT_EQ(seen.curve.front().rounds, 1);
  EXPECT_EQ(observe(model).state, seen.state);
  EXPECT_TRUE(std::isnan(observe(model).rates));
}

TEST(Observe, RefusesAModelWithRoundsBehindIt) {
  Source source = data();
  Model model = model_for("soba", {});
  observe(source, model);
  EXPECT_THAT(error_of([&] { observe(source, model); }, ErrorKind::kUsage), HasSubstr("600"));
}

TEST(Observe, StopsWhenToldTo) {
  Source source = data();
  Model model = model_for("soba", {});
  const Observation seen = observe(source, model, [](const std::string&, double) { return false; });
  EXPECT_GT(seen.rounds, 0);
}

std::vector<Played> rows_of(const std::string& learner, const OptionValues& options) {
  Source source = data();
  Model model = model_for(learner, options);
  std::vector<Played> rows;
  const auto stream = source.open();
  while (const Block* const block = stream->next()) {
    play(*block, model, [&](const Played& row) { rows.push_back(row); });
  }
  return rows;
}

// A trace gives the sums of its run, whatever seed the model has that it is taught to.
TEST(Replay, TeachesTheStateOfTheRunThatLeftTheTrace) {
  const std::vector<std::pair<std::string, OptionValues>> learners = {
      {"soba", kAdaptive}, {"soba-ovr", {}}, {"perceptron", {}}};
  for (const auto& [learner, options] : learners) {
    SCOPED_TRACE(learner);
    Source source = data();
    Model played = model_for(learner, options), taught = model_for(learner, options, 77);
    const Observation seen = observe(source, played);
    const Observation again = replay(source, taught, rows_of(learner, options));
    EXPECT_EQ(again.state, seen.state);
    EXPECT_EQ(again.mistakes, seen.mistakes);
    EXPECT_EQ(again.rates, seen.rates);
    EXPECT_EQ(again.events, seen.events);
    EXPECT_EQ(again.curve.size(), seen.curve.size());
  }
}

TEST(Replay, RefusesATraceOfOtherDataOrAnotherLearner) {
  const std::vector<Played> rows = rows_of("soba", {});
  const auto refusal = [&](std::vector<Played> changed, const OptionValues& options = {}) {
    Source source = data();
    Model model = model_for("soba", options);
    return error_of([&] { replay(source, model, changed); });
  };
  std::vector<Played> other = rows;
  other[5].label = other[5].played = (other[5].label + 1) % 9;
  EXPECT_THAT(refusal(other), HasSubstr("round 6 of the trace: its label"));
  EXPECT_THAT(refusal(rows, {{"a", "100"}}), HasSubstr("greedy label"));
  other = rows;
  other[5].correct = !other[5].correct;
  EXPECT_THAT(refusal(other), HasSubstr("'correct' contradicts"));
  other = rows;
  other.pop_back();
  EXPECT_THAT(refusal(other), HasSubstr("ends before the data"));
  other = rows;
  other.push_back(rows.back());
  EXPECT_THAT(refusal(other), HasSubstr("ends before the trace"));
}

TEST(Observe, MeansAreOfEveryNumber) {
  Observation one, two;
  one.mistakes = 4;
  two.mistakes = 8;
  one.state = {{"x", 1}, {"only here", 7}};
  two.state = {{"x", 2}};
  one.curve = {Observation{.rounds = 1, .mistakes = 1}};
  two.curve = {Observation{.rounds = 1, .mistakes = 0}};
  const std::vector<Observation> both = {one, two};
  const Observation mean = Observation::mean(both);
  EXPECT_EQ(mean.mistakes, 6);
  EXPECT_EQ(mean.state, (std::map<std::string, double>{{"x", 1.5}}));
  EXPECT_EQ(mean.curve[0].mistakes, 0.5);
}

}  // namespace
}  // namespace soba
