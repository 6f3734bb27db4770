// soba reproduce: the learners side by side on SynNonSep and Covertype.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>

#include "data_options.h"
#include "findings.h"
#include "interrupt.h"
#include "learner_options.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr std::array<std::string_view, 5> kLearners = {"perceptron", "banditron", "sobadiag",
                                                       "soba", "auto"};
constexpr std::int64_t kRounds = 1'000'000;
constexpr std::int64_t kQuickRounds = 50'000;
constexpr const char* kCovertype = "data/covtype.libsvm.xz";

struct ReproduceSettings {
  std::optional<std::string> rounds, covtype, seed;
  bool quick = false, json = false, quiet = false;
};

// One data set and how it is played.
struct Experiment {
  std::string title;
  std::string data;
  SourceOptions options;
  std::string gamma;
  std::string arguments;  // of soba run, for DATA and its options
};

Experiment synthetic(const ReproduceSettings& settings, std::uint64_t seed) {
  const std::int64_t rounds =
      integer_or(settings.rounds, "--rounds", 1, settings.quick ? kQuickRounds : kRounds);
  Experiment out{.title = "SynNonSep", .data = {}, .options = {}, .gamma = "2^-6", .arguments = {}};
  out.data = fmt::format("synnonsep:n={},seed={}", rounds, seed);
  out.arguments = out.data;
  return out;
}

Experiment covertype(const ReproduceSettings& settings, std::uint64_t seed) {
  Experiment out{.title = "Covertype",
                 .data = settings.covtype.value_or(kCovertype),
                 .options = {},
                 .gamma = "0.02",
                 .arguments = {}};
  out.options.scale = Scale::kMaxAbs;
  out.options.shuffle = seed;
  if (settings.quick) out.options.limit = kQuickRounds;
  out.arguments = fmt::format("{} --scale maxabs --shuffle {}{}", out.data, seed,
                              settings.quick ? fmt::format(" --limit {}", kQuickRounds) : "");
  return out;
}

Comparison compare(const Experiment& experiment, std::uint64_t seed, Progress::Style style) {
  Comparison out{.title = experiment.title,
                 .command = fmt::format("soba run {} --seed {}", experiment.arguments, seed),
                 .contenders = {}};
  std::unique_ptr<Source> source;
  {
    Progress progress(style, "", std::nullopt);
    progress.say("reading " + experiment.data);
    source = std::make_unique<Source>(experiment.data, experiment.options, Schema{});
  }
  for (const std::string_view name : kLearners) {
    LearnerOptions learner{.name = std::string(name), .given = {}};
    if (!option_text(learner, "gamma").empty()) learner.given["gamma"] = experiment.gamma;
    Model model = new_model(name, learner.given, source->shape(), seed);
    // Lines at powers of two for eight runs would drown the rest: one line each is enough.
    Progress progress(style, fmt::format("{}, {}", experiment.title, name), source->rounds());
    if (style == Progress::Style::kLines)
      progress.say(fmt::format("playing {} with {}", experiment.title, name));
    Progress* bar = style == Progress::Style::kBar ? &progress : nullptr;
    const Clock::time_point begin = Clock::now();
    const Outcome outcome = play_stream(*source, model, {.progress = bar});
    RunResult result = make_result(outcome, *source, model);
    result.total_seconds = seconds_between(begin, Clock::now());
    out.contenders.push_back({std::string(name), std::move(result)});
  }
  return out;
}

std::string table(const Comparison& comparison, const std::string& gamma) {
  const RunResult& first = comparison.contenders.front().result;
  std::string out = fmt::format("{}: {} rounds, {} labels, {}, gamma {}\n", comparison.title,
                                thousands(first.tally.rounds), first.shape.classes,
                                plural(first.shape.features, "feature"), gamma);
  const auto row = [&](std::string_view a, std::string_view b, std::string_view c,
                       std::string_view d, std::string_view e, std::string_view f,
                       std::string_view g) {
    out +=
        fmt::format("  {} {} {} {} {} {} {}\n", pad_right(a, 10), pad_right(b, 15), pad_left(c, 8),
                    pad_left(d, 8), pad_left(e, 10), pad_left(f, 11), pad_left(g, 7));
  };
  row("learner", "is told", "played", "greedy", "updates", "rounds/s", "seconds");
  for (const auto& [name, result] : comparison.contenders) {
    row(name, result.feedback == "bandit" ? "right or wrong" : "every label",
        percent(result.error()), percent(result.greedy_error()), thousands(result.tally.updates),
        thousands(std::llround(result.rounds_per_second())),
        fmt::format("{:.2f}", result.learn_seconds));
  }
  return out;
}

Json comparison_json(const Comparison& comparison) {
  Json out;
  out["title"] = comparison.title;
  out["command"] = comparison.command;
  out["runs"] = Json::array();
  for (const auto& [name, result] : comparison.contenders) {
    Json run = {{"name", name}, {"feedback", result.feedback}};
    run.update(result_json(result));
    out["runs"].push_back(std::move(run));
  }
  out["findings"] = findings(comparison);
  return out;
}

std::string report(const Comparison& comparison, const std::string& gamma) {
  std::string out = table(comparison, gamma) + '\n';
  for (const std::string& finding : findings(comparison)) out += "  " + wrap(finding, 2, 2) + '\n';
  return out + "  To repeat a line:\n  " + comparison.command + " \\\n    --learner soba --gamma " +
         gamma + "\n\n";
}

constexpr const char* kReading =
    "Played: the errors that were paid for, exploration included. Greedy: the errors of the label "
    "with the highest score, what the learner knows. Seconds: learning alone, without reading.\n";

int reproduce(const ReproduceSettings& settings) {
  const auto seed = static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1));
  std::vector<Experiment> experiments = {synthetic(settings, seed)};
  const Experiment forest = covertype(settings, seed);
  if (std::filesystem::exists(forest.data)) {
    experiments.push_back(forest);
  } else if (settings.covtype) {
    throw Error(ErrorKind::kInput, forest.data + ": there is no such file");
  } else {
    note(fmt::format("{} is not here, so Covertype is left out; --covtype PATH names it",
                     forest.data));
  }
  const Progress::Style style = Progress::suitable(settings.quiet);
  catch_interrupts();
  Json all = {{"comparisons", Json::array()}};
  for (const Experiment& experiment : experiments) {
    const Comparison comparison = compare(experiment, seed, style);
    all["comparisons"].push_back(comparison_json(comparison));
    if (!settings.json) print(report(comparison, experiment.gamma));
  }
  if (settings.json) {
    print_json(all);
  } else {
    print(wrap(kReading, 0, 0));
  }
  return kOk;
}

}  // namespace

Action define_reproduce(CLI::App& command) {
  auto settings = std::make_shared<ReproduceSettings>();
  command.description(
      "Plays two data sets with the learners side by side and says what the numbers show: "
      "SynNonSep (made on the fly; gamma 2^-6) and Covertype (scaled to maxabs, shuffled; gamma "
      "0.02).");
  command.footer(
      "  soba reproduce\n"
      "  soba reproduce --quick\n"
      "  soba reproduce --rounds 1e5 --covtype covtype.libsvm.xz --json\n");
  add_text_option(command, "--rounds", settings->rounds, "N",
                  "Rounds on SynNonSep, N >= 1. Default: 1000000.");
  add_text_option(
      command, "--covtype", settings->covtype, "PATH",
      fmt::format("The Covertype data. Default: {}; left out where that is missing.", kCovertype));
  add_text_option(
      command, "--seed", settings->seed, "N",
      "Seed of the data's order and of the exploration. A whole number >= 0. Default: 1.");
  command.add_flag("--quick", settings->quick, "50000 rounds of each data set.")->group("Options");
  command.add_flag("--json", settings->json, "Print one JSON object.")->group("Options");
  command.add_flag("--quiet", settings->quiet, "No progress on standard error.")->group("Options");
  return [settings] { return reproduce(*settings); };
}

}  // namespace soba::cli
