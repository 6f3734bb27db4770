// soba sweep: a grid of data, learners, parameters and seeds, on all cores.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "data_options.h"
#include "output.h"
#include "soba/parse.h"
#include "sweep_work.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct SweepArguments {
  std::vector<std::string> data, learners, grid;
  OptionValues data_options;
  std::optional<std::string> seeds, file, output, workers;
  bool dry_run = false, json = false, quiet = false;
};

constexpr const char* kDescription =
    "Plays every data set with every learner, at every point of its grid, with every seed, and "
    "appends a row of JSON to the results for each run that ends: parameters, errors, error curve, "
    "time and memory. Data is read once and shared by all runs. Runs that already have their row "
    "are not played again: the same command resumes an interrupted sweep. 'soba report' draws the "
    "results.";

constexpr const char* kExamples =
    "  soba sweep synnonsep:n=1e5 --learner sobadiag --learner banditron \\\n"
    "    --grid gamma=2^-14..2^-1 --seeds 1..5\n"
    "  soba sweep history.csv --label outcome --shuffle 1 --seeds 1..10 \\\n"
    "    --learner auto --learner soba:covariance=exact --output history.jsonl\n"
    "  soba sweep --plan experiments/figure1/quick.json --output figure1.jsonl\n"
    "  mpirun -n 64 soba sweep --plan grid.json --output grid.jsonl\n";

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void print_plan(const lab::SweepPlan& plan) {
  for (const lab::SweepRun& run : lab::list_runs(plan)) print(lab::run_command(plan, run) + '\n');
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::kUsage, message); }

lab::SweepPlan plan_of(const SweepArguments& arguments) {
  if (arguments.file) {
    if (!arguments.data.empty() || !arguments.learners.empty() || !arguments.grid.empty() ||
        arguments.seeds || !arguments.data_options.empty()) {
      refuse("--plan says everything; leave out data, --learner, --grid, --seeds and data options");
    }
    return lab::read_plan(*arguments.file);
  }
  if (arguments.data.empty()) refuse("DATA is missing; or give --plan FILE");
  if (arguments.learners.empty()) {
    refuse("--learner is missing; 'soba algorithms' lists the learners");
  }
  return lab::make_plan(
      arguments.data, arguments.data_options, arguments.learners, arguments.grid,
      lab::parse_seeds("--seeds", lab::parse_values("--seeds", arguments.seeds.value_or("1"))));
}

void add_plan_arguments(CLI::App& command, SweepArguments& arguments) {
  command
      .add_option("DATA", arguments.data,
                  "Files or generators, as for soba run. A generator that names no seed makes "
                  "other examples for every seed.")
      ->group("Arguments");
  command
      .add_option("--learner", arguments.learners,
                  "A learner, with options that stay fixed: sobadiag, soba:explore=gap,a=2. Give "
                  "it several times for several learners.")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->group("Sweep");
  command
      .add_option("--grid", arguments.grid,
                  "An option and its values: gamma=2^-14..2^-1, a=0.1,1,10, explore=uniform,gap. "
                  "It counts for the learners that have this option. Several axes span a grid.")
      ->type_name("OPTION=VALUES")
      ->expected(1)
      ->take_all()
      ->group("Sweep");
  add_text_option(command, "--seeds", arguments.seeds, "LIST",
                  "The seeds, such as 1..10. --shuffle N is the order of the first of them; the "
                  "next seed has the next order. Default: 1.",
                  "Sweep");
  add_text_option(command, "--plan", arguments.file, "FILE",
                  "All of this from a JSON file instead, which can give each data set and each "
                  "learner options of its own (docs/formats.md).",
                  "Sweep");
  add_data_options(command, arguments.data_options);
}

void print_outcome(const lab::SweepOutcome& outcome, const SweepArguments& arguments,
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
    lab::SweepPlan plan;
    ranks.together([&] {
      plan = plan_of(arguments);
      lab::list_runs(plan);  // throws if invalid
    });
    if (arguments.dry_run) {
      if (speaks) print_plan(plan);
      return kOk;
    }
    const Progress::Style style =
        speaks ? Progress::suitable(arguments.quiet) : Progress::Style::kNone;
    const lab::SweepOutcome outcome =
        carry_out(plan, {.output = output, .workers = workers, .style = style}, ranks);
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
  add_plan_arguments(command, *arguments);
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
