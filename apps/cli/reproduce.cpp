// soba reproduce: Figure 1 of the paper from the data to the report, in one go.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "data_options.h"
#include "figure1/figure1.h"
#include "output.h"
#include "sweep_work.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

namespace fs = std::filesystem;

struct ReproduceSettings {
  std::optional<std::string> folder, covtype, reuters4, limit, workers;
  bool quick = false, full = false, json = false, quiet = false;
};

lab::SweepPlan figure1_plan(const ReproduceSettings& settings) {
  const char* reuters4 = std::getenv("SOBA_REUTERS4");
  figure1::Figure1Plan made = figure1::make_plan(
      settings.full, {.covtype = settings.covtype,
                      .reuters4 = settings.reuters4 || reuters4 == nullptr ? settings.reuters4
                                                                           : std::string(reuters4),
                      .limit = settings.limit});
  for (const std::string& remark : made.remarks) note(remark);
  return std::move(made.plan);
}

std::string best_text(const lab::DataSummary& data) {
  std::string out = fmt::format("{}: {}, {} labels, {}\n", data.name, plural(data.rounds, "round"),
                                data.classes, plural(data.features, "feature"));
  const auto row = [&](std::string_view a, std::string_view b, std::string_view c,
                       std::string_view d, std::string_view e) {
    out += fmt::format("  {} {} {} {} {}\n", pad_right(a, 14), pad_right(b, 24), pad_left(c, 14),
                       pad_left(d, 9), pad_left(e, 9));
  };
  row("learner", "best at", "played %", "greedy %", "paper %");
  for (const lab::ContenderSummary& contender : data.contenders) {
    const lab::GridPoint& best = contender.best_point();
    const std::string spread =
        best.played.half_width ? fmt::format(" ± {:.2f}", 100 * *best.played.half_width) : "";
    row(contender.name, lab::grid_text(best.grid),
        fmt::format("{:.2f}{}", 100 * best.played.mean, spread),
        fmt::format("{:.2f}", 100 * best.greedy.mean),
        contender.paper.percent ? fmt::format("{}", *contender.paper.percent) : "");
  }
  return out + '\n';
}

std::string statements_text(const std::vector<figure1::Statement>& statements) {
  std::string out = "What the paper says, and what came out:\n";
  for (const figure1::Statement& s : statements) {
    out += fmt::format("  {}: {}\n", s.verdict,
                       wrap(s.claim, 4, static_cast<int>(s.verdict.size()) + 4));
    out += "    " + wrap(s.found, 4, 4) + '\n';
  }
  return out;
}

int reproduce(const ReproduceSettings& settings) {
  if (settings.quick && settings.full) {
    throw Error(ErrorKind::kUsage, "--quick and --full exclude each other");
  }
  if (Ranks::started()) {
    throw Error(ErrorKind::kUsage,
                "soba reproduce is for one machine; on several, play experiments/figure1/full.json "
                "with soba sweep --plan, then soba report");
  }
  const int workers = static_cast<int>(integer_or(
      settings.workers, "--workers", 1, std::max(1U, std::thread::hardware_concurrency())));
  const fs::path folder =
      settings.folder.value_or(settings.full ? "reproduction/full" : "reproduction/quick");
  const lab::SweepPlan plan = figure1_plan(settings);
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw Error(ErrorKind::kResource,
                fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
  }
  const std::string results = (folder / "results.jsonl").string();
  Ranks alone(false);
  const lab::SweepOutcome outcome = carry_out(
      plan, {.output = results, .workers = workers, .style = Progress::suitable(settings.quiet)},
      alone);

  const auto [summary, statements, page, tables] =
      figure1::write_report(settings.full, folder.string(), results);
  if (settings.json) {
    Json out = {{"results", results},
                {"report", page},
                {"runs", outcome.runs},
                {"before", outcome.before},
                {"seconds", outcome.seconds}};
    out["statements"] = Json::array();
    for (const figure1::Statement& s : statements) {
      out["statements"].push_back(
          {{"claim", s.claim}, {"rule", s.rule}, {"found", s.found}, {"verdict", s.verdict}});
    }
    print_json(out);
  } else {
    for (const lab::DataSummary& data : summary.data) print(best_text(data));
    print(statements_text(statements));
    print(fmt::format("\n{} in {}\nThe report:  {}\nIts tables:  {}\nEvery run:   {}\n",
                      plural(static_cast<std::int64_t>(outcome.runs), "run"),
                      duration(outcome.seconds), page, tables, results));
  }
  return outcome.failed + outcome.missing() == 0 ? kOk : kInternal;
}

}  // namespace

Action define_reproduce(CLI::App& command) {
  auto settings = std::make_shared<ReproduceSettings>();
  command.description(
      "Makes the paper's Figure 1: error against the exploration rate and against the number of "
      "examples, on SynSep, SynNonSep, Covtype and Reuters4, for the paper's learners, exact SOBA "
      "and what came later. Plays every run, writes a report with charts, and checks the "
      "paper's statements against the results. An interrupted reproduction resumes when started "
      "again.");
  command.footer(
      "  soba reproduce\n"
      "  soba reproduce --full\n"
      "  soba reproduce --full --reuters4 reuters4.libsvm.xz --output figure1\n");
  command
      .add_flag(
          "--quick", settings->quick,
          "Every second rate, 3 runs, 100000 examples: about a minute on two cores. This is the "
          "default.")
      ->group("Options");
  command
      .add_flag("--full", settings->full,
                "As in the paper: 14 rates, 10 runs, 1000000 examples; half an hour or more on two "
                "cores.")
      ->group("Options");
  add_text_option(command, "--output", settings->folder, "FOLDER",
                  "Where results.jsonl, report.html and report.md go. Default: reproduction/quick "
                  "or reproduction/full.");
  add_text_option(command, "--covtype", settings->covtype, "PATH",
                  "The Covertype data. Default: data/covtype.libsvm.xz; left out where that is "
                  "missing.");
  add_text_option(
      command, "--reuters4", settings->reuters4, "PATH",
      "The Reuters4 data, as 'soba convert reuters4' makes them. Default: what the "
      "environment variable SOBA_REUTERS4 says, else data/reuters4.libsvm.xz; left out where that "
      "is missing. A file with another number of documents than the paper's is called a sample.");
  add_text_option(command, "--limit", settings->limit, "N",
                  "Only the first N examples of each data set, to try it out.");
  add_text_option(command, "--workers", settings->workers, "N",
                  "Runs at the same time, N >= 1. Default: one for each core.");
  command.add_flag("--json", settings->json, "Print one JSON object.")->group("Options");
  command.add_flag("--quiet", settings->quiet, "No progress on standard error.")->group("Options");
  return [settings] { return reproduce(*settings); };
}

}  // namespace soba::cli
