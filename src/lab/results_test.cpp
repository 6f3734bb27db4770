#include "soba/lab/results.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lab/rows.h"
#include "soba/error.h"
#include "soba/lab/sweep.h"
#include "support/own_folder.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class Results : public OwnFolder {
 protected:
  static SweepPlan plan() {
    SweepPlan plan;
    plan.data = {{"sep", "synsep:n=50", {}}};
    plan.learners = {{"diag", "sobadiag", {}, {{"gamma", {"0.01", "2^-3"}}}},
                     {"told", "perceptron", {}, {}}};
    plan.seeds = {4, 5};
    return plan;
  }

  SweepOutcome play(const SweepPlan& plan, const RunQueue::Watch& watch = {}) const {
    Sweep sweep(plan);
    sweep.read_data([](const std::string&) {});
    ResultsFile file(path_);
    return play_missing(sweep, file, {.workers = 2, .watch = watch});
  }
  std::string refusal(const SweepPlan& plan) const {
    try {
      play(plan);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  const std::string path_ = folder_ + "results.jsonl";
};

TEST_F(Results, ASweepThatWasStoppedContinues) {
  std::atomic<bool> stop = false;
  const SweepOutcome part =
      play(plan(), {.stop = &stop,
                    .progress = [&](std::size_t done, std::size_t) { stop = stop || done >= 2; },
                    .failure = {}});
  EXPECT_LT(part.played, 6U);
  EXPECT_GT(part.missing(), 0U);
  const SweepOutcome rest = play(plan());
  EXPECT_EQ(rest.before, part.played);
  EXPECT_EQ(rest.before + rest.played, 6U);
  EXPECT_EQ(play(plan()).played, 0U);
  EXPECT_THAT(read_rows({path_}).rows, SizeIs(6));
}

TEST_F(Results, ATornLastLineIsCut) {
  play(plan());
  const std::string whole = content();
  std::ofstream(path_, std::ios::binary) << whole.substr(0, whole.size() - 20);
  EXPECT_EQ(play(plan()).played, 1U);
  EXPECT_THAT(read_rows({path_}).rows, SizeIs(6));
}

TEST_F(Results, OtherRunsUnderTheSameNameAreRefused) {
  play(plan());
  SweepPlan other = plan();
  other.learners[0].options = {{"a", "2"}};
  EXPECT_THAT(refusal(other), HasSubstr("holds diag on sep as"));
  other = plan();
  other.data[0].options = {{"limit", "20"}};
  EXPECT_THAT(refusal(other), HasSubstr("holds sep as"));
  other = plan();
  other.data[0].data = "synnonsep:n=50";
  other.seeds = {6};
  EXPECT_THAT(refusal(other), HasSubstr("holds sep as"));
  // More seeds and more learners are welcome.
  other = plan();
  other.seeds.push_back(6);
  EXPECT_EQ(play(other).played, 3U);
}

TEST_F(Results, RowsOfFormatOneAreReportedNotContinued) {
  play(plan());
  std::string text = content();
  for (std::size_t at = 0; (at = text.find("\"format\":2", at)) != std::string::npos;) {
    text.replace(at, 10, "\"format\":1");
  }
  std::ofstream(path_, std::ios::binary) << text;
  EXPECT_THAT(refusal(plan()), HasSubstr("can be reported but not continued"));
  EXPECT_THAT(read_rows({path_}).rows, SizeIs(6));
}

TEST_F(Results, AnotherFileIsNotTouched) {
  std::ofstream(path_) << "my diary";
  EXPECT_THAT(refusal(plan()), HasSubstr("no row of a sweep"));
  EXPECT_EQ(content(), "my diary");
}

TEST_F(Results, TwoSweepsDoNotWriteOneFile) {
  const ResultsFile open(path_);
  EXPECT_THAT(refusal(plan()), HasSubstr("another sweep is writing it"));
}

TEST_F(Results, NothingWrittenLeavesNoFile) {
  { const ResultsFile file(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Results, OtherExamplesUnderTheSamePathAreRefused) {
  const std::string data = folder_ + "data.libsvm";
  std::ofstream(data) << "1 1:1\n2 2:1\n";
  SweepPlan files = plan();
  files.data = {{"file", data, {}}};
  play(files);
  std::ofstream(data) << "1 1:1\n2 2:3\n";
  EXPECT_THAT(refusal(files), HasSubstr("are of other examples than"));
  // Nor may another file take the name.
  const std::string elsewhere = folder_ + "elsewhere.libsvm";
  std::filesystem::rename(data, elsewhere);
  files.data = {{"file", elsewhere, {}}};
  files.seeds = {6};
  EXPECT_THAT(refusal(files), HasSubstr("are of other examples than"));
}

TEST_F(Results, ARowSurvivesItsLine) {
  Sweep sweep(plan());
  sweep.read_data([](const std::string&) {});
  ResultsFile file(path_);
  play_missing(sweep, file, {});
  const std::vector<ResultRow> rows = read_rows({path_}).rows;
  ASSERT_THAT(rows, SizeIs(6));
  for (const ResultRow& row : rows) {
    const ResultRow again = parse_row(row_line(row), row.place);
    EXPECT_EQ(again.key, row.key);
    EXPECT_EQ(again.reading, row.reading);
    EXPECT_EQ(again.result.tally, row.result.tally);
    EXPECT_EQ(again.result.curve, row.result.curve);
    EXPECT_EQ(again.result.options, row.result.options);
    EXPECT_EQ(grid_text(again.grid), grid_text(row.grid));
  }
}

}  // namespace
}  // namespace soba::lab
