#include <gmock/gmock.h>

#include "soba/lab/summary.h"

namespace soba::lab {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ResultRow made_row(const std::string& contender, Grid grid, std::uint64_t seed,
                   std::int64_t mistakes) {
  ResultRow row;
  row.place = "rows:1";
  row.command = contender + grid_text(grid) + std::to_string(seed);
  row.name = "Toy";
  row.contender = contender;
  row.grid = std::move(grid);
  row.constant_error = 0.4;
  row.result.data = "toy";
  row.result.learner = contender;
  row.result.feedback = contender == "told" ? "full information" : "bandit";
  row.result.seed = seed;
  row.result.shape = {4, 0};
  row.result.tally = {1000, 1000, mistakes, mistakes, 2};
  row.result.curve = {row.result.tally};
  return row;
}

std::vector<std::string> of(const std::vector<ResultRow>& rows) {
  return findings(summarize(rows).data.at(0));
}

// Two seeds m ± 2 have a half width of 12.7·2: intervals of ±2.54 %.
std::vector<ResultRow> two(const std::string& contender, std::int64_t mistakes, Grid grid = {}) {
  return {made_row(contender, grid, 1, mistakes - 2), made_row(contender, grid, 2, mistakes + 2)};
}

std::vector<ResultRow> together(std::vector<std::vector<ResultRow>> parts) {
  std::vector<ResultRow> all;
  for (auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Findings, OverlappingIntervalsAreTies) {
  const auto close = of(together({two("a", 100), two("b", 130), two("c", 200), two("told", 90)}));
  EXPECT_THAT(close, ElementsAre("Lowest played error with bandit feedback: a, 10.00 ± 2.54 %.",
                                 "a 10.00 ± 2.54 and b 13.00 ± 2.54 cannot be told apart."));
  EXPECT_THAT(of(together({two("a", 100), two("b", 200)})), testing::SizeIs(1));
  // One seed has no interval, and nothing is said.
  EXPECT_THAT(of({made_row("a", {}, 1, 100), made_row("b", {}, 1, 101)}), testing::SizeIs(1));
}

TEST(Findings, NoBetterThanAConstantIsSaid) {
  const auto said = of(together({two("a", 100), two("b", 390), two("c", 360), two("told", 500)}));
  EXPECT_THAT(said, Contains("No better than always playing the most frequent label (40.00 %): b "
                             "39.00 ± 2.54 and told 50.00 ± 2.54."));
  std::vector<ResultRow> old = {made_row("a", {}, 1, 500)};
  old[0].constant_error.reset();
  EXPECT_THAT(of(old), testing::SizeIs(1));
}

TEST(Findings, TheEdgeOfAGridIsSaid) {
  const auto grid = [](std::int64_t low, std::int64_t middle, std::int64_t high) {
    return of({made_row("a", {{"gamma", 0.1}}, 1, low), made_row("a", {{"gamma", 0.2}}, 1, middle),
               made_row("a", {{"gamma", 0.4}}, 1, high)});
  };
  EXPECT_THAT(grid(10, 20, 30), Contains(HasSubstr("edge of the grid")));
  EXPECT_THAT(grid(30, 20, 10),
              Contains(HasSubstr("The best gamma is on the edge of the grid, so a "
                                 "better one may lie beyond it: a.")));
  EXPECT_THAT(grid(30, 10, 20), Not(Contains(HasSubstr("edge"))));
  EXPECT_THAT(of({made_row("a", {{"kind", "x"}}, 1, 1), made_row("a", {{"kind", "y"}}, 1, 2),
                  made_row("a", {{"kind", "z"}}, 1, 3)}),
              Not(Contains(HasSubstr("edge"))));
}

TEST(Findings, FewerSeedsAreSaid) {
  const auto said =
      of(together({two("a", 100, {{"gamma", 0.5}}), {made_row("a", {{"gamma", 0.25}}, 1, 50)}}));
  EXPECT_THAT(said, Contains("The best point of a rests on 1 seed, others on 2."));
}

}  // namespace
}  // namespace soba::lab
