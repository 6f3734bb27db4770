// A sweep from a plan to a report, without the command line.
#include <soba/error.h>
#include <soba/lab/report.h>
#include <soba/lab/sweep.h>

#include <cstdio>

int main() try {
  soba::lab::Sweep sweep(soba::lab::parse_plan(
      R"({"data": [{"name": "toy", "data": "synsep:n=500"}], "learners": ["sobadiag", "bpa"],
          "seeds": "1..3"})",
      "plan"));
  sweep.read_data([](const std::string&) {});
  soba::lab::ResultsFile file("results.jsonl");
  const soba::lab::SweepOutcome outcome = soba::lab::play_missing(sweep, file, {.workers = 2});
  const auto summary = soba::lab::summarize(soba::lab::read_rows({"results.jsonl"}).rows);
  std::printf("%zu runs played\n%s", outcome.played, soba::lab::report_csv(summary).c_str());
  return outcome.played == 6 && summary.runs == 6 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
