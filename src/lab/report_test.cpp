#include "soba/lab/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace soba::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Summary made_summary() {
  std::vector<ResultRow> rows;
  for (const double gamma : {0.25, 0.5}) {
    for (const std::uint64_t seed : {1U, 2U}) {
      ResultRow row;
      row.place = "rows";
      row.version = "9.9";
      row.command = "soba run";
      row.name = "Toy, the <b>first</b>";
      row.contender = "soba | bold";
      row.grid = {{"gamma", gamma}};
      row.rounds_per_second = 1000;
      row.result.data = "toy.csv";
      row.result.fingerprint = 255;
      row.result.learner = "soba";
      row.result.feedback = "bandit";
      row.result.seed = seed;
      row.result.shape = {4, 10};
      row.result.tally = {
          100, 100, static_cast<std::int64_t>(40 * gamma) + 10 * static_cast<std::int64_t>(seed), 5,
          7};
      row.result.curve = {{10, 10, 9, 8, 1}, row.result.tally};
      rows.push_back(row);
    }
  }
  return summarize(rows);
}

TEST(ReportCsv, HasALineForEveryGridPoint) {
  const std::string text = report_csv(made_summary());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_THAT(text, HasSubstr("name,contender,learner,feedback,grid.gamma,best,seeds,error,"));
  EXPECT_THAT(text, HasSubstr("\"Toy, the <b>first</b>\",soba | bold,soba,bandit,0.25,1,2,0.25,"));
  EXPECT_THAT(text, HasSubstr(",0.5,0,2,0.35,"));
}

TEST(ReportMarkdown, TablesSurviveOddNames) {
  const std::string text = report_markdown(made_summary(), "A title");
  EXPECT_THAT(text, HasSubstr("# A title\n"));
  EXPECT_THAT(text, HasSubstr("4 runs"));
  EXPECT_THAT(text, HasSubstr("| soba \\| bold | gamma 0.25 | 25.00 ± "));
  EXPECT_THAT(text, HasSubstr("Played error by gamma:"));
}

// Names come from files of others: nothing of them moves the cursor or makes a line of its own.
TEST(ReportMarkdown, ControlCharactersAreEscaped) {
  Summary summary = made_summary();
  summary.data[0].name = "toy\033[2J\n## mine";
  summary.data[0].contenders[0].name = "soba\r\x7F";
  const std::string text = report_markdown(summary, "A\btitle");
  EXPECT_THAT(text, HasSubstr("# A\\x08title\n"));
  EXPECT_THAT(text, HasSubstr("\n## toy\\x1b[2J ## mine\n"));
  EXPECT_THAT(text, HasSubstr("| soba\\x0d\\x7f | "));
}

TEST(ReportPage, HoldsItsDataAsASafeScript) {
  const std::string page =
      report_page(made_summary(), {.title = "T", .files = {"rows.jsonl"}, .remarks = {}});
  EXPECT_THAT(page, Not(HasSubstr("@REPORT@")));
  EXPECT_THAT(page, HasSubstr("\\u003cb>first"));
  EXPECT_THAT(page, HasSubstr("00000000000000ff"));
}

TEST(Report, TheDefaultTitleNamesTheData) {
  EXPECT_EQ(default_title(made_summary()), "Results on Toy, the <b>first</b>");
}

}  // namespace
}  // namespace soba::lab
