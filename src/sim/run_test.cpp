#include "soba/run.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "soba/error.h"
#include "soba/registry.h"

namespace soba {
namespace {

using ::testing::HasSubstr;

std::string write_temporary(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "soba-" + std::to_string(::getpid()) + "-" + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Run, IsThePlayOfEveryBlock) {
  Source source("synnonsep:n=2000,seed=3", {}, Schema{});
  Model model = new_model("sobadiag", {}, source, 5);
  const RunResult result = run(source, model);

  Source again("synnonsep:n=2000,seed=3", {}, Schema{});
  Model plain = new_model("sobadiag", {}, again.shape(), 5);
  const auto stream = again.open();
  while (const Block* block = stream->next()) play(*block, plain, [](const Played&) {});
  plain.schema = again.schema();
  plain.position = DataPosition{.complete = true};
  EXPECT_EQ(result.tally, plain.tally);
  EXPECT_EQ(write_model(model), write_model(plain));
  EXPECT_EQ(result.feedback, "bandit");
  EXPECT_EQ(result.data, "synnonsep:n=2000,seed=3,noise=0.05");
  EXPECT_EQ(result.shape, (Shape{9, 400}));
  EXPECT_EQ(result.curve.front().rounds, 1);
  EXPECT_EQ(result.curve.back(), result.tally);
  EXPECT_TRUE(result.complete);
}

TEST(Run, CountsFromItsOwnStart) {
  Source first("synsep:n=100,seed=3", {}, Schema{});
  Model model = new_model("bpa", {}, first, 5);
  run(first, model);
  Source second("synsep:n=60,seed=4", {}, model.schema);
  const RunResult result = run(second, model);
  EXPECT_EQ(result.tally.rounds, 60);
  EXPECT_EQ(result.lifetime.rounds, 160);
  EXPECT_EQ(result.curve.front().rounds, 1);
  EXPECT_EQ(result.curve.back().rounds, 60);
}

TEST(Run, TellsWhatHappens) {
  Source source("synsep:n=500,seed=3", {}, Schema{});
  Model model = new_model("bpa", {}, source, 5);
  std::int64_t rounds = 0, points = 0, blocks = 0, firsts = 0;
  run(source, model,
      {.first = [&](const Block& block) { firsts += !block.label.empty(); },
       .point = [&](const Tally&) { ++points; },
       .rounds = [&](const Block&, std::span<const Played> rows) { rounds += std::ssize(rows); },
       .block = [&](const Tally& so_far) { blocks = so_far.rounds; }});
  EXPECT_EQ(firsts, 1);
  EXPECT_EQ(rounds, 500);
  EXPECT_EQ(blocks, 500);
  EXPECT_EQ(points, 17);  // 1, 2, 3, 4, 6, …, 362
}

TEST(Run, StopsAfterTheCurrentRound) {
  std::atomic<bool> stop = true;
  Source source("synsep:n=100,seed=3", {}, Schema{});
  Model model = new_model("bpa", {}, source, 5);
  RunResult result = run(source, model, {.stop = &stop});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.tally.rounds, 1);
  EXPECT_FALSE(model.position);  // nobody asked for one

  stop = false;
  Model second = new_model("bpa", {}, source, 5);
  std::vector<std::int64_t> traced;
  result = run(source, second,
               {.point = [&](const Tally& so_far) { stop = so_far.rounds == 23; },
                .rounds =
                    [&](const Block&, std::span<const Played> rows) {
                      for (const Played& row : rows) traced.push_back(row.round);
                    },
                .stop = &stop});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.tally.rounds, 23);
  EXPECT_EQ(traced.size(), 23U);

  // A run that has reached its end is complete, even if it was asked to stop.
  Source small("synsep:n=1,seed=3", {}, Schema{});
  Model other = new_model("bpa", {}, small, 5);
  EXPECT_TRUE(run(small, other, {.stop = &stop}).complete);
}

// A model that is saved on the way knows the names of all features that it has met.
TEST(Run, TheSchemaIsCompleteAtEveryBlock) {
  const std::string path = ::testing::TempDir() + "soba-run-" + std::to_string(::getpid());
  {
    std::ofstream file(path);
    for (int i = 0; i < 20000; ++i) {
      file << R"({"label":")" << (i % 2 == 0 ? "a" : "b") << R"(","x":{"n)" << i / 100
           << R"(":1,"word":"w)" << i / 500 << "\"}}\n";
    }
  }
  SourceOptions options;
  options.labels = {"a", "b"};
  Source source(path, options, Schema{});
  Model model = new_model("bpa", {}, source, 5);
  EXPECT_EQ(model.schema.labels.size(), 2);
  int blocks = 0;
  run(source, model, {.block = [&](const Tally& so_far) {
        ++blocks;
        const auto row = so_far.rounds - 1;  // the latest
        EXPECT_TRUE(model.schema.features.find("n" + std::to_string(row / 100)));
        EXPECT_TRUE(model.schema.features.find("word=w" + std::to_string(row / 500)));
        EXPECT_GE(model.schema.features.size(), predictor(model.learner).shape().features);
        const Model saved = read_model(write_model(model));
        EXPECT_EQ(saved.schema.features.names(), model.schema.features.names());
      }});
  EXPECT_GT(blocks, 1);
  EXPECT_EQ(model.schema.features.names(), source.schema().features.names());
  std::filesystem::remove(path);
}

TEST(Run, FillsInTheHorizonOfTheTheory) {
  const OptionValues theory = {{"gamma", "theory"}};
  EXPECT_TRUE(needs_size(choose_learner("soba", theory)));
  EXPECT_FALSE(needs_size(choose_learner("soba", {})));
  Source source("synsep:n=1000,seed=3", {}, Schema{});
  EXPECT_EQ(new_model("soba", theory, source, 1).options.at("horizon"), "1000");
}

TEST(CheckAgrees, WhatContradictsALoadedModelIsNamed) {
  const Model model = new_model("sobadiag", {{"gamma", "0.25"}}, {3, 1}, 7);
  const auto says = [&](const std::optional<std::string>& learner, const OptionValues& options,
                        std::optional<std::uint64_t> seed) -> std::string {
    try {
      check_agrees(model, learner, options, seed);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(says({}, {}, {}), "");
  EXPECT_EQ(says("sobadiag", {{"gamma", "2^-2"}}, 7), "");
  EXPECT_EQ(says("soba", {{"covariance", "diagonal"}}, {}), "");
  EXPECT_EQ(says({}, {{"gamma", "0.5"}}, {}),
            "gamma: '0.5' contradicts the loaded model, which has 0.25");
  EXPECT_EQ(says("bpa", {}, {}), "learner: 'bpa' contradicts the loaded model, which has soba");
  EXPECT_EQ(says("soba-block", {}, {}),
            "covariance: 'block' contradicts the loaded model, which has diagonal");
  EXPECT_EQ(says({}, {}, 8), "seed: '8' contradicts the loaded model, which has 7");
}

TEST(ScaleWarning, IsForExamplesOfTheWrongLength) {
  Block block;
  const std::vector<Index> index = {0};
  const std::vector<double> value = {100};
  block.append({index, value}, 0);
  EXPECT_THAT(scale_warning(new_model("gaptron", {}, {3, 1}, 1), block), HasSubstr("at most"));
  EXPECT_EQ(scale_warning(new_model("sobadiag", {}, {3, 1}, 1), block), "");
}

TEST(ScaleWarning, NamesAColumnThatMatricesCannotHold) {
  Block block;
  const std::vector<Index> index = {0, 1};
  const std::vector<double> value = {3, -1.6e9};
  block.append({index, value}, 0);
  Model model = new_model("bandit-arow-full", {}, {3, 2}, 1);
  EXPECT_EQ(scale_warning(model, block),
            "feature 2 has the value -1.6e+09; matrices lose their digits beyond 6.7e+07: option "
            "scale with maxabs brings it down");
  model.schema.named_features = true;
  model.schema.features.add("size");
  model.schema.features.add("time");
  EXPECT_THAT(scale_warning(model, block), HasSubstr("feature 'time' has"));
  EXPECT_EQ(scale_warning(new_model("bandit-arow", {}, {3, 2}, 1), block), "");
  EXPECT_EQ(scale_warning(new_model("auto", {}, {3, 2}, 1), block), "");  // scales by itself
}

TEST(Run, KnownLabelsTeachAndNothingIsPlayed) {
  Source source("synnonsep:n=2000,seed=3", {}, Schema{});
  Model model = new_model("bandit-arow", {}, source, 5);
  const RunResult result = run(source, model, {.feedback = Feedback::kLabelled});
  EXPECT_EQ(result.feedback, "labels");
  EXPECT_EQ(result.tally.mistakes, 0);
  EXPECT_LT(result.greedy_error(), 0.4);
  EXPECT_THAT(result.remarks, HasSubstr("the others wrong"));
  // What is counted by label is what the learner would have played.
  std::int64_t right = 0;
  for (const std::int64_t count : result.by_class.right) right += count;
  EXPECT_EQ(right, 2000 - result.tally.greedy_mistakes);
  Model yardstick = new_model("perceptron", {}, source, 5);
  EXPECT_THROW(run(source, yardstick, {.feedback = Feedback::kLabelled}), Error);
}

TEST(Run, LabelsThatOnlyTheSourceHasAreAdded) {
  const std::string first = write_temporary("labels-1.csv", "f,label\n1,b\n2,a\n");
  const std::string second = write_temporary("labels-2.csv", "f,label\n1,d\n2,a\n3,c\n");
  Source source(first, {}, Schema{});
  Model model = new_model("auto", {}, source, 5);
  run(source, model);
  EXPECT_THROW(
      {
        Source strict(second, {}, model.schema);
        run(strict, model);
      },
      Error);
  Source adding(second, {.add_labels = true}, model.schema);
  const RunResult result = run(adding, model);
  EXPECT_EQ(result.tally.rounds, 3);
  EXPECT_EQ(model.schema.labels.names(), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(predictor(model.learner).shape().classes, 4);
  EXPECT_TRUE(write_model(read_model(write_model(model))) == write_model(model));
}

}  // namespace
}  // namespace soba
