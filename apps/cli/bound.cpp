// soba bound: what is proved of a learner on the user's own data.

#include "soba/lab/bound.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "bound_text.h"
#include "data_options.h"
#include "interrupt.h"
#include "learner_options.h"
#include "output.h"
#include "progress.h"
#include "soba/lab/trace.h"
#include "soba/run.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct BoundSettings {
  std::string data;
  LearnerOptions learner;
  OptionValues data_options;
  std::optional<std::string> seed, seeds, trace, model, fit, points, epochs, html;
  bool json = false, quiet = false;
};

constexpr const char* kDescription =
    "Says what is proved of a learner's mistakes on this data. It finds linear competitors in "
    "hindsight, plays the data (or reads a trace or a model of an earlier run), and prints each "
    "bound that applies, term by term, beside the mistakes that were made. Bounds are on "
    "expectations, unless it says otherwise: --seeds takes the mean of several runs.";

constexpr const char* kExamples =
    "  soba bound synnonsep:n=100000 --learner soba --gamma theory --seeds 20\n"
    "  soba bound history.csv --label outcome --learner soba-ovr --gate on --covariance full \\\n"
    "      --scale-free false\n"
    "  soba bound data.libsvm --shuffle 1 --learner perceptron --html bound.html\n"
    "  soba bound data.libsvm --learner soba --trace run.csv --json\n"
    "  soba bound data.libsvm --model run.model\n";

void add_own_options(CLI::App& command, BoundSettings& settings) {
  const auto add = [&](const char* name, std::optional<std::string>& value, const char* type,
                       const char* help) {
    add_text_option(command, name, value, type, help, "Bound");
  };
  add("--seed", settings.seed, "N",
      "Seed of the exploration, and of a generator that names none. A whole number >= 0. "
      "Default: 1.");
  add("--seeds", settings.seeds, "N",
      "Play N times with the seeds --seed, --seed + 1, …, on the same data. N >= 1. Default: 1.");
  add("--trace", settings.trace, "FILE",
      "Read the rounds of an earlier run from its trace (soba run --trace) instead of playing "
      "them. --learner and its options must be those of the run.");
  add("--model", settings.model, "MODEL",
      "Take an earlier run from its model (soba run --save). DATA must be what it was made of.");
  add("--fit", settings.fit, "N",
      "Fit competitors to the first N examples; they are measured on all. 0: all. "
      "Default: 200000.");
  add("--points", settings.points, "N", "Norms to try for each loss, N >= 1. Default: 6.");
  add("--epochs", settings.epochs, "N",
      "Passes over the examples in a fit at most, N >= 1. Any competitor gives a valid bound: a "
      "better fit can only make it tighter. Default: 50.");
  add("--html", settings.html, "FILE",
      "Write a page with charts: mistakes, competitor and bound over time, and the losses.");
  command.add_flag("--json", settings.json, "Print the result as one JSON object.")->group("Bound");
  command.add_flag("--quiet", settings.quiet, "No progress on standard error.")->group("Bound");
}

void check_settings(const BoundSettings& settings) {
  require_argument(settings.data, "DATA");
  if (settings.data == "-") {
    throw Error(ErrorKind::kUsage,
                "standard input can be read only once, and competitors need the data twice: save "
                "it to a file");
  }
  if (settings.model && settings.trace) {
    throw Error(ErrorKind::kUsage, "--model does not go with --trace");
  }
  if (settings.seeds && (settings.model || settings.trace)) {
    throw Error(ErrorKind::kUsage, "--seeds does not go with --model or --trace");
  }
  if (!settings.model) check_learner_options(settings.learner);
  check_outputs(settings.data, {{"--html", settings.html}});
}

CompetitorSettings competitor_settings(const BoundSettings& settings, const LearnerChoice& choice) {
  CompetitorSettings out = settings_for(choice);
  out.fit = integer_or(settings.fit, "--fit", 0, out.fit);
  out.points = static_cast<int>(integer_or(settings.points, "--points", 1, out.points));
  out.epochs = static_cast<int>(integer_or(settings.epochs, "--epochs", 1, out.epochs));
  return out;
}

// The runs, and the learner with no choice left open.
struct Played {
  std::vector<Observation> runs;
  LearnerChoice choice;
};

Played read_model_run(const BoundSettings& settings, const Model& model) {
  check_against_model(settings.learner, settings.seed, model);
  return {{observe(model)}, choose_learner(model.learner_name, model.options)};
}

Played play_runs(const BoundSettings& settings, Source& source, const TheoryProgress& progress) {
  const std::int64_t seeds = integer_or(settings.seeds, "--seeds", 1, 1);
  const auto seed = static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1));
  Played out;
  for (std::int64_t r = 0; r < seeds; ++r) {
    Model model = new_model(*settings.learner.name, settings.learner.given, source,
                            seed + static_cast<std::uint64_t>(r));
    if (settings.trace) {
      const auto rows = lab::trace_rounds(*settings.trace, source.schema());
      out.runs.push_back(replay(source, model, rows));
    } else {
      out.runs.push_back(observe(source, model, [&](const std::string& what, double done) {
        return progress(seeds == 1 ? what : fmt::format("{} run {} of {}", what, r + 1, seeds),
                        done);
      }));
    }
    out.choice = choose_learner(model.learner_name, model.options);
  }
  return out;
}

int bound(const BoundSettings& settings) {
  check_settings(settings);
  catch_interrupts();
  std::optional<Progress> shown(std::in_place, Progress::suitable(settings.quiet), "",
                                std::nullopt);
  const TheoryProgress progress = [&](const std::string& what, double done) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    if (shown->due()) shown->say(fmt::format("{} {}", bar(done), what));
    return true;
  };
  std::optional<Model> model;
  if (settings.model) model = open_model(*settings.model);
  SourceOptions options = model ? source_options_for(settings.data_options, model->schema)
                                : parse_source_options(settings.data_options);
  options.data_seed =
      model ? model->seed : static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1));
  const LearnerChoice asked = model
                                  ? choose_learner(model->learner_name, model->options)
                                  : choose_learner(*settings.learner.name, settings.learner.given);
  options.need_size = needs_size(asked);
  Source source(settings.data, options, model ? model->schema : Schema{});
  Played played = model ? read_model_run(settings, *model) : play_runs(settings, source, progress);
  Competitors found =
      find_competitors(source, competitor_settings(settings, played.choice), progress);
  if (static_cast<double>(found.facts.rounds) != played.runs.front().rounds) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: {} examples, but the run has {} rounds", settings.data,
                            found.facts.rounds, played.runs.front().rounds));
  }
  const Certificate certificate = certify(played.choice, std::move(played.runs), std::move(found));
  shown.reset();
  const std::string data = source.description();
  if (settings.html) write_file(*settings.html, lab::bound_page(certificate, data));
  print(settings.json ? lab::bound_json(certificate, data)
                      : printable(bound_text(certificate, data)));
  return kOk;
}

}  // namespace

Action define_bound(CLI::App& command) {
  auto settings = std::make_shared<BoundSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  add_data_argument(command, settings->data);
  add_learner_options(command, settings->learner);
  add_own_options(command, *settings);
  add_data_options(command, settings->data_options);
  return [settings] { return bound(*settings); };
}

}  // namespace soba::cli
