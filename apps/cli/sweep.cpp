// soba sweep: a grid of data, learners, parameters and seeds, on all cores.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "soba/parse.h"
#include "sweep_work.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct SweepArguments {
  PlanArguments plan;
  std::optional<std::string> output, workers;
  bool dry_run = false, json = false, quiet = false;
};

constexpr const char* kDescription =
    "Plays every data set with every learner, at every point of its grid, with every seed, and "
    "appends a row of JSON to the results for each run that ends: parameters, errors, error curve, "
    "time and memory. Data is read once and shared by all runs. Runs that already have their row "
    "are not played again: a sweep that was stopped goes on when the same command is given. 'soba "
    "report' draws the results.";

constexpr const char* kExamples =
    "  soba sweep synnonsep:n=1e5 --learner sobadiag --learner banditron \\\n"
    "    --grid gamma=2^-14..2^-1 --seeds 1..5\n"
    "  soba sweep history.csv --label outcome --shuffle 1 --seeds 1..10 \\\n"
    "    --learner auto --learner soba:covariance=exact --output history.jsonl\n"
    "  soba sweep --plan experiments/figure1/quick.json --output figure1.jsonl\n"
    "  mpirun -n 64 soba sweep --plan grid.json --output grid.jsonl\n";

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void print_plan(const WrittenPlan& written) {
  for (const SweepRun& run : list_runs(written.plan)) print(run_command(written, run) + '\n');
}

void print_outcome(const SweepOutcome& outcome, const SweepArguments& arguments,
                   const std::string& output) {
  if (arguments.json) {
    print_json({{"output", output},
                {"runs", outcome.runs},
                {"before", outcome.before},
                {"played", outcome.played},
                {"failed", outcome.failed},
                {"seconds", outcome.seconds}});
    return;
  }
  std::string out =
      fmt::format("{} played in {}", plural(static_cast<std::int64_t>(outcome.played), "run"),
                  duration(outcome.seconds));
  if (outcome.before > 0) {
    out += fmt::format(", {} of {} had been played before",
                       thousands(static_cast<std::int64_t>(outcome.before)),
                       thousands(static_cast<std::int64_t>(outcome.runs)));
  }
  print(out + fmt::format("; the rows are in {}\n", output));
}

int sweep(const SweepArguments& arguments) {
  const int workers = static_cast<int>(parse_integer(
      "--workers", arguments.workers.value_or(Ranks::started() ? "1" : fmt::format("{}", cores())),
      1, 4096));
  Ranks ranks(workers > 1);
  const bool speaks = ranks.rank() == 0;
  const std::string output = arguments.output.value_or("results.jsonl");
  try {
    WrittenPlan written;
    ranks.together([&] { written = plan_of(arguments.plan); });
    if (arguments.dry_run) {
      if (speaks) print_plan(written);
      return kOk;
    }
    const Progress::Style style =
        speaks ? Progress::suitable(arguments.quiet) : Progress::Style::kNone;
    const SweepOutcome outcome =
        carry_out(written, {.output = output, .workers = workers, .style = style}, ranks);
    if (!speaks) return kOk;
    print_outcome(outcome, arguments, output);
    const auto lacking = static_cast<std::int64_t>(outcome.failed + outcome.missing());
    if (lacking == 0) return kOk;
    note(fmt::format("{} failed or stopped; the same command tries again", plural(lacking, "run")));
    return kInternal;
  } catch (const Error&) {
    if (speaks) throw;
    return kOk;  // rank 0 has the same error, says it and gives the code
  }
}

}  // namespace

Action define_sweep(CLI::App& command) {
  auto arguments = std::make_shared<SweepArguments>();
  command.description(kDescription);
  command.footer(kExamples);
  add_plan_arguments(command, arguments->plan);
  add_text_option(command, "--output", arguments->output, "FILE",
                  "The results, JSON Lines; rows that are there stay. Default: results.jsonl.",
                  "Sweep");
  add_text_option(command, "--workers", arguments->workers, "N",
                  fmt::format("Runs at the same time, N >= 1. Default: one for "
                              "each core, {} here; under mpirun 1 in each process.",
                              cores()),
                  "Sweep");
  command.add_flag("--dry-run", arguments->dry_run, "Only print the command of every run.")
      ->group("Sweep");
  command.add_flag("--json", arguments->json, "Print one JSON object in the end.")->group("Sweep");
  command.add_flag("--quiet", arguments->quiet, "No progress on standard error.")->group("Sweep");
  return [arguments] { return sweep(*arguments); };
}

}  // namespace soba::cli
