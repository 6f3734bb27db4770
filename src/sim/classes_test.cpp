#include "soba/classes.h"

#include <gtest/gtest.h>

#include "soba/run.h"

namespace soba {
namespace {

Played played(Label label, Label greedy, Label drawn) {
  return {.round = 1,
          .label = label,
          .greedy = greedy,
          .played = drawn,
          .probability = 1,
          .gamma = 0,
          .correct = label == drawn,
          .updated = false,
          .margin_sum = {}};
}

ClassCounts repeated(ClassCounts counts, int times, Label label, Label greedy, Label drawn) {
  for (int i = 0; i < times; ++i) counts.count(played(label, greedy, drawn));
  return counts;
}

TEST(ClassCounts, RecallIsOfTheExamplesPrecisionOfThePlays) {
  ClassCounts counts(3);
  counts = repeated(counts, 6, 0, 0, 0);
  counts = repeated(counts, 2, 0, 0, 1);  // explored
  counts = repeated(counts, 3, 1, 0, 0);
  counts = repeated(counts, 1, 1, 1, 1);
  EXPECT_EQ(counts.rounds(), 12);
  EXPECT_EQ(counts.recall(0), 6. / 8);
  EXPECT_EQ(counts.greedy_recall(0), 1);
  EXPECT_EQ(counts.precision(0), 6. / 9);
  EXPECT_EQ(counts.recall(1), 1. / 4);
  EXPECT_EQ(counts.precision(1), 1. / 3);
  EXPECT_EQ(counts.recall(2), 0);  // never seen, never played
  EXPECT_EQ(counts.precision(2), 0);
  EXPECT_EQ(counts.confusion, (std::vector<std::int64_t>{6, 2, 0, 3, 1, 0, 0, 0, 0}));
  EXPECT_EQ(counts.by_frequency(), (std::vector<Label>{0, 1, 2}));
  EXPECT_EQ(counts.constant_error(), 4. / 12);
  EXPECT_DOUBLE_EQ(counts.guess_error(), 2. / 3);
}

// 990 of one label and 10 of another: 1 % error is nothing.
TEST(ClassCounts, AlwaysTheMostFrequentLabelDoesNotBeatItself) {
  const ClassCounts idle = repeated(repeated(ClassCounts(2), 990, 1, 1, 1), 10, 0, 1, 1);
  EXPECT_EQ(idle.constant(), 1);
  EXPECT_DOUBLE_EQ(idle.constant_error(), 0.01);
  EXPECT_FALSE(idle.beats_constant());
  const ClassCounts good = repeated(repeated(ClassCounts(2), 990, 1, 1, 1), 10, 0, 0, 0);
  EXPECT_TRUE(good.beats_constant());
}

// One more right than wrong in nine rounds in which they differ is chance; seven are not.
TEST(ClassCounts, ChanceIsNotBetter) {
  const ClassCounts often = repeated(ClassCounts(2), 100, 0, 0, 0);
  const ClassCounts chance = repeated(repeated(often, 5, 1, 1, 1), 4, 0, 0, 1);
  EXPECT_FALSE(chance.beats_constant());
  EXPECT_TRUE(chance.greedy_beats_constant());
  const ClassCounts clear = repeated(repeated(often, 8, 1, 1, 1), 1, 0, 0, 1);
  EXPECT_TRUE(clear.beats_constant());
}

TEST(ClassCounts, TheMatrixEndsWhereItWouldBeLarge) {
  EXPECT_EQ(ClassCounts(2000).confusion.size(), 4'000'000U);
  ClassCounts many(2001);
  EXPECT_TRUE(many.confusion.empty());
  many.count(played(2000, 2000, 1999));
  EXPECT_EQ(many.examples[2000], 1);
  EXPECT_EQ(many.greedy_right[2000], 1);
  EXPECT_EQ(many.played[1999], 1);
}

TEST(ClassCounts, ARunCountsItsOwnRounds) {
  Source source("synnonsep:n=3000,seed=3", {}, Schema{});
  Model model = new_model("banditron", {{"gamma", "0.2"}}, source, 5);
  ClassCounts traced(9);
  const RunResult result =
      run(source, model, {.rounds = [&](const Block&, std::span<const Played> rows) {
            for (const Played& row : rows) traced.count(row);
          }});
  const ClassCounts& counts = result.by_class;
  EXPECT_EQ(counts.confusion, traced.confusion);
  EXPECT_EQ(counts.greedy_right, traced.greedy_right);
  EXPECT_EQ(counts.rounds(), 3000);
  std::int64_t right = 0, greedy = 0;
  for (Label y = 0; y < 9; ++y) {
    right += counts.right[static_cast<std::size_t>(y)];
    greedy += counts.greedy_right[static_cast<std::size_t>(y)];
  }
  EXPECT_EQ(3000 - right, result.tally.mistakes);
  EXPECT_EQ(3000 - greedy, result.tally.greedy_mistakes);
  EXPECT_EQ(result.labels.size(), 9U);

  Source more("synnonsep:n=100,seed=4", {}, model.schema);
  EXPECT_EQ(run(more, model).by_class.rounds(), 100);
}

}  // namespace
}  // namespace soba
