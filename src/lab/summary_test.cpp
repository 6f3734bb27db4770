#include "soba/lab/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/estimate.h"
#include "soba/error.h"

namespace soba::lab {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

ResultRow made_row(const std::string& contender, Grid grid, std::uint64_t seed,
                   std::int64_t mistakes) {
  ResultRow row;
  row.place = "rows:1";
  row.command = contender + grid_text(grid) + std::to_string(seed);
  row.name = "Toy";
  row.contender = contender;
  row.grid = std::move(grid);
  row.rounds_per_second = static_cast<double>(seed);
  RunResult& result = row.result;
  result.data = "toy";
  result.learner = contender;
  result.feedback = "bandit";
  result.seed = seed;
  result.shape = {4, 0};
  result.tally = {100, 100, mistakes, mistakes / 2, 2};
  result.curve = {{10, 10, 9, 8, 1}, result.tally};
  return row;
}

TEST(Estimate, StudentsTAsInTables) {
  EXPECT_THAT(student_t(1), DoubleNear(12.7062, 1e-4));
  EXPECT_THAT(student_t(2), DoubleNear(4.30265, 1e-5));
  EXPECT_THAT(student_t(3), DoubleNear(3.18245, 1e-5));
  EXPECT_THAT(student_t(4), DoubleNear(2.77645, 1e-5));
  EXPECT_THAT(student_t(9), DoubleNear(2.26216, 1e-5));
  EXPECT_THAT(student_t(30), DoubleNear(2.04227, 1e-5));
  EXPECT_THAT(student_t(10'000), DoubleNear(1.96020, 1e-5));
}

TEST(Estimate, MeanAndHalfWidth) {
  const Estimate error = estimate({1, 2, 3, 4});
  EXPECT_EQ(error.mean, 2.5);
  // The deviation is √(5/3), of the mean half of it.
  EXPECT_THAT(error.half_width.value(), DoubleNear(3.18245 * 0.645497, 1e-5));
  EXPECT_FALSE(estimate({1}).half_width.has_value());
}

TEST(Estimate, MedianOfEvenAndOdd) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 9}), 3);
}

TEST(Summary, BestPointByMeanPlayedErrorAndItsCurve) {
  const Summary summary =
      summarize({made_row("a", {{"gamma", 0.5}}, 1, 40), made_row("a", {{"gamma", 0.5}}, 2, 20),
                 made_row("a", {{"gamma", 0.25}}, 1, 10), made_row("a", {{"gamma", 0.25}}, 2, 30)});
  ASSERT_EQ(summary.data.size(), 1U);
  ASSERT_EQ(summary.data[0].contenders.size(), 1U);
  const ContenderSummary& contender = summary.data[0].contenders[0];
  ASSERT_EQ(contender.points.size(), 2U);
  EXPECT_EQ(contender.best, 0U);  // ascending: 0.25 comes first
  EXPECT_EQ(grid_text(contender.best_point().grid), "gamma 0.25");
  EXPECT_EQ(contender.best_point().seeds, 2);
  EXPECT_EQ(contender.best_point().played.mean, 0.2);
  EXPECT_EQ(contender.best_point().greedy.mean, 0.1);
  EXPECT_EQ(contender.best_point().rounds_per_second, 1.5);
  ASSERT_EQ(contender.curve.size(), 2U);
  EXPECT_EQ(contender.curve[0].round, 10);
  EXPECT_EQ(contender.curve[0].played.mean, 0.9);
  EXPECT_EQ(contender.curve[0].greedy.mean, 0.8);
  EXPECT_EQ(contender.curve[1].played.mean, 0.2);
}

TEST(Summary, AlongAnAxisTheBestOfTheOthersCounts) {
  const Summary summary =
      summarize({made_row("a", {{"gamma", 0.5}, {"eta", 1.0}}, 1, 40),
                 made_row("a", {{"gamma", 0.5}, {"eta", 2.0}}, 1, 30),
                 made_row("a", {{"gamma", "adaptive"}, {"eta", 2.0}}, 1, 50),
                 made_row("b", {{"eta", 2.0}}, 1, 60), made_row("c", {{"kind", "one"}}, 1, 70)});
  const DataSummary& data = summary.data[0];
  ASSERT_EQ(data.axes.size(), 2U);  // kind has one value only
  EXPECT_EQ(data.axes[0].name, "gamma");
  ASSERT_EQ(data.axes[0].lines.size(), 1U);
  EXPECT_THAT(data.axes[0].lines[0].points, ElementsAre(1U, 2U));  // numbers before words
  EXPECT_EQ(data.axes[1].name, "eta");
  ASSERT_EQ(data.axes[1].lines.size(), 2U);
  EXPECT_THAT(data.axes[1].lines[0].points, ElementsAre(0U, 1U));
  EXPECT_EQ(data.axes[1].lines[1].contender, 1U);
}

TEST(Summary, DataSetsAndContendersKeepTheirOrder) {
  std::vector<ResultRow> rows = {made_row("b", {}, 1, 1), made_row("a", {}, 1, 1),
                                 made_row("b", {}, 1, 1)};
  rows[2].name = "Another";
  const Summary summary = summarize(rows);
  ASSERT_EQ(summary.data.size(), 2U);
  EXPECT_EQ(summary.data[0].name, "Toy");
  EXPECT_EQ(summary.data[0].contenders[0].name, "b");
  EXPECT_EQ(summary.data[0].contenders[1].name, "a");
  EXPECT_TRUE(summary.data[0].axes.empty());
}

TEST(Summary, RefusesCurvesOfDifferentRounds) {
  std::vector<ResultRow> rows = {made_row("a", {}, 1, 1), made_row("a", {}, 2, 1)};
  rows[1].result.curve[0].rounds = 20;
  EXPECT_THROW(summarize(rows), Error);
}

TEST(Summary, PaperClaimsNeedTheSameNumberOfRounds) {
  Summary summary = summarize({made_row("a", {}, 1, 1), made_row("b", {}, 1, 1)});
  add_paper_claims(summary, R"({"Toy":{"rounds":99,"error":{"a":1.5}}})");
  EXPECT_FALSE(summary.data[0].contenders[0].paper.percent.has_value());
  add_paper_claims(summary,
                   R"({"Toy":{"rounds":100,"error":{"a":1.5},"statement":{"b":"worse"}}})");
  EXPECT_EQ(summary.data[0].contenders[0].paper.percent, 1.5);
  EXPECT_EQ(summary.data[0].contenders[1].paper.statement, "worse");
}

}  // namespace
}  // namespace soba::lab
