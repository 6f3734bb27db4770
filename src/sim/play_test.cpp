#include "soba/play.h"

#include <gtest/gtest.h>

#include <cmath>

namespace soba {
namespace {

Block constant_label(std::size_t rounds, Label label) {
  Block block;
  const std::vector<Index> index = {0};
  const std::vector<double> value = {1};
  for (std::size_t i = 0; i < rounds; ++i) block.append({index, value}, label);
  return block;
}

TEST(Play, CountsPlayedAndGreedyMistakesApart) {
  // The Perceptron is right from round 2 on; nothing is explored.
  Model model = new_model("perceptron", {}, {3, 1}, 1);
  play(constant_label(10, 2), model, [](const Played&) {});
  EXPECT_EQ(model.tally.rounds, 10);
  EXPECT_EQ(model.tally.answers, 10);
  EXPECT_EQ(model.tally.mistakes, 1);
  EXPECT_EQ(model.tally.greedy_mistakes, 1);
  EXPECT_EQ(model.tally.updates, 1);
}

TEST(Play, ShowsEveryRoundInOrder) {
  Model model = new_model("banditron", {{"gamma", "0.5"}}, {3, 1}, 1);
  std::int64_t expected = 0;
  std::int64_t mistakes = 0, greedy = 0;
  play(constant_label(500, 2), model, [&](const Played& row) {
    ASSERT_EQ(row.round, ++expected);
    ASSERT_EQ(row.label, 2);
    ASSERT_EQ(row.correct, row.played == row.label);
    ASSERT_EQ(row.gamma, 0.5);
    ASSERT_DOUBLE_EQ(row.probability, row.played == row.greedy ? 0.5 + 0.5 / 3 : 0.5 / 3);
    ASSERT_FALSE(row.margin_sum.has_value());
    mistakes += !row.correct;
    greedy += row.greedy != row.label;
  });
  EXPECT_EQ(model.tally.mistakes, mistakes);
  EXPECT_EQ(model.tally.greedy_mistakes, greedy);
}

TEST(Play, ExploresAtTheRateItReports) {
  Model model = new_model("banditron", {{"gamma", "0.3"}}, {4, 1}, 5);
  std::int64_t off = 0;
  play(constant_label(40000, 2), model,
       [&](const Played& row) { off += row.played != row.greedy; });
  // Off the greedy label with probability 0.3·3/4; five standard deviations.
  EXPECT_NEAR(static_cast<double>(off) / 40000, 0.225, 5 * std::sqrt(0.225 * 0.775 / 40000));
}

}  // namespace
}  // namespace soba
