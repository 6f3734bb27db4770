// soba run: plays labelled data with simulated bandit feedback.

#include "soba/run.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "data_options.h"
#include "interrupt.h"
#include "learner_options.h"
#include "output.h"
#include "progress.h"
#include "result.h"
#include "soba/lab/rows.h"
#include "soba/lab/trace.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct RunSettings {
  std::string data;
  LearnerOptions learner;
  OptionValues data_options;
  std::optional<std::string> seed, repeat, save, load, resume, checkpoint_every, trace, curve, log;
  std::optional<std::string> as;
  bool add_labels = false, confusion = false, json = false, quiet = false;
};

constexpr const char* kDescription =
    "Plays labelled data as if the labels were hidden: for each example the learner picks a "
    "label and is told only whether it was right. Prints the played error (what you pay, "
    "exploration included), the greedy error (what it has learnt), the error of always playing the "
    "most frequent label, and recall and precision of each label.";

constexpr const char* kExamples =
    "  soba run synnonsep:n=100000\n"
    "  soba run synnonsep:n=100000 --learner soba --gamma 2^-6\n"
    "  soba run history.csv --label outcome --scale maxabs --learner sobadiag\n"
    "  soba run data.libsvm.xz --learner banditron --shuffle 1 --repeat 5 --json\n"
    "  soba run monday.jsonl --learner soba --save tickets.model\n"
    "  soba run tuesday.jsonl --load tickets.model --save tickets.model\n"
    "  soba run wednesday.jsonl --load tickets.model --add-labels --save new.model\n"
    "  soba run history.csv --as labelled --learner auto --save tickets.model\n"
    "  soba run big.csv --learner newtron --save big.model --checkpoint-every 1000\n"
    "  soba run big.csv --resume big.model\n";

void add_own_options(CLI::App& command, RunSettings& settings) {
  add_text_option(
      command, "--seed", settings.seed, "N",
      "Seed of the exploration, and of a generator that names none. A whole number >= 0. "
      "Default: 1.",
      "Run");
  add_text_option(command, "--repeat", settings.repeat, "N",
                  "Run N times, N >= 1, and report mean and standard deviation. Run r adds r-1 "
                  "to --seed and to --shuffle. Default: one run.",
                  "Run");
  add_text_option(
      command, "--save", settings.save, "MODEL",
      "Keep everything learnt in this file; written when the run ends, also by a signal "
      "or an error.",
      "Run");
  add_text_option(command, "--load", settings.load, "MODEL",
                  "Play all of DATA with a saved model. Learner, options, seed, labels and scaling "
                  "come from the file.",
                  "Run");
  command
      .add_flag("--add-labels", settings.add_labels,
                "With --load: labels of DATA that the model lacks are added to it. Default: such a "
                "label is an error.")
      ->group("Run");
  add_text_option(command, "--as", settings.as, "WORD",
                  "What DATA is: bandit, the learner guesses and is told whether it was right; or "
                  "labelled, a history of known labels: each is learnt as if it had been played "
                  "with probability 1. Default: bandit.",
                  "Run");
  add_text_option(command, "--resume", settings.resume, "MODEL",
                  "Play what an interrupted run has left of the same DATA, as if it had never "
                  "stopped, and save there unless --save names another file. Everything but DATA "
                  "comes from the file.",
                  "Run");
  add_text_option(command, "--checkpoint-every", settings.checkpoint_every, "N",
                  "Save also after every N rounds, N >= 1: what a crash can cost. Default: only "
                  "at the end.",
                  "Run");
  add_text_option(
      command, "--trace", settings.trace, "FILE",
      "Write every round to a CSV file: round, label, greedy, played, probability, gamma, "
      "correct, updated, margin_sum.",
      "Run");
  add_text_option(command, "--curve", settings.curve, "FILE",
                  "Write round, error, greedy_error, updates to a CSV file at log-spaced rounds, "
                  "counted from the start of this run.",
                  "Run");
  command
      .add_flag("--confusion", settings.confusion,
                "Print the confusion matrix of the 20 most frequent labels, too.")
      ->group("Run");
  add_text_option(command, "--log", settings.log, "FILE",
                  "Write every round to a decision log, for 'soba evaluate': what the learner saw, "
                  "the label played, its probability, and whether it was right. A file of this "
                  "name is replaced when the run ends; .gz, .xz and .zst are compressed.",
                  "Run");
  command.add_flag("--json", settings.json, "Print the result as one JSON object.")->group("Run");
  command.add_flag("--quiet", settings.quiet, "No progress on standard error.")->group("Run");
}

std::int64_t checked_repeat(const RunSettings& settings) {
  const std::int64_t repeat = integer_or(settings.repeat, "--repeat", 1, 1);
  if (repeat == 1) return repeat;
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::kUsage, what + " does not go with --repeat");
  };
  if (settings.save) refuse("--save");
  if (settings.load) refuse("--load");
  if (settings.resume) refuse("--resume");
  if (settings.trace) refuse("--trace");
  if (settings.curve) refuse("--curve");
  if (settings.log) refuse("--log");
  if (settings.data == "-") refuse("standard input, which can be read only once,");
  return repeat;
}

// Source and model of one run.
struct Prepared {
  std::unique_ptr<Source> source;
  Model model;
};

Prepared prepare_loaded(const RunSettings& settings, Model model) {
  Prepared out;
  out.model = std::move(model);
  if (settings.resume) {
    out.source =
        std::make_unique<Source>(resumed_source(settings.data, settings.data_options, out.model));
    return out;
  }
  SourceOptions options = source_options_for(settings.data_options, out.model.schema);
  options.add_labels = settings.add_labels;
  options.data_seed = out.model.seed;
  out.source = std::make_unique<Source>(settings.data, options, out.model.schema);
  return out;
}

// Run number `r` (0, 1, …). `earlier` is the source of the run before, used again where it would be
// the same.
Prepared prepare_new(const RunSettings& settings, std::int64_t r, std::unique_ptr<Source> earlier) {
  SourceOptions options = parse_source_options(settings.data_options);
  const auto offset = static_cast<std::uint64_t>(r);
  const std::uint64_t seed =
      static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1)) + offset;
  if (options.shuffle) *options.shuffle += offset;
  options.data_seed = seed;
  const LearnerChoice choice = choose_learner(*settings.learner.name, settings.learner.given);
  options.need_size = needs_size(choice);

  Prepared out;
  const bool same = !options.shuffle && std::filesystem::exists(settings.data);
  out.source = same && earlier != nullptr
                   ? std::move(earlier)
                   : std::make_unique<Source>(settings.data, options, Schema{});
  if (r == 0 && !settings.quiet) note_findings(*out.source);
  out.model = new_model(*settings.learner.name, settings.learner.given, *out.source, seed);
  return out;
}

RunResult play_once(const RunSettings& settings, Prepared& prepared, Journal* lock,
                    const std::string& title, bool watch_scale) {
  const Clock::time_point begin = Clock::now();
  RunHooks hooks{.stop = &stop_flag()};
  if (settings.as == "labelled") hooks.feedback = Feedback::kLabelled;
  if (watch_scale) {
    hooks.first = [&](const Block& block) {
      const std::string warning = scale_warning(prepared.model, block);
      if (!warning.empty()) note(warning);
    };
  }
  lab::RunFiles files{settings.save, settings.trace, settings.curve,
                      integer_or(settings.checkpoint_every, "--checkpoint-every", 1, 0)};
  files.lock = lock;
  files.log = settings.log;
  const auto outcome = [&] { return lab::outcome_text(files, settings.data); };
  const std::int64_t rounds = prepared.model.tally.rounds;
  RunResult result;
  try {
    const std::int64_t earlier = settings.resume ? prepared.model.position->examples : 0;
    Progress progress(Progress::suitable(settings.quiet), title, prepared.source->rounds(),
                      earlier);
    hooks.point = [&](const Tally& so_far) { progress.milestone(so_far); };
    hooks.block = [&](const Tally& so_far) { progress.block(so_far); };
    result = lab::play_to_files(*prepared.source, prepared.model, settings.resume.has_value(),
                                files, hooks);
  } catch (...) {
    if (files.model && prepared.model.tally.rounds != rounds) note(outcome());
    throw;
  }
  if (!result.complete) throw Interrupted{interrupted(), outcome()};
  result.total_seconds = seconds_between(begin, Clock::now());
  return result;
}

// Whether the run that a model was saved by has played all of its data, so that there is nothing to
// resume. Said, and not an error: whoever resumes until a run is whole need not look first.
bool nothing_left(const RunSettings& settings, const Model& model) {
  if (!settings.resume || !model.position || !model.position->complete) return false;
  note(
      fmt::format("{}: nothing is left to play, its run has reached the end of the data; --load "
                  "plays more data with it",
                  *settings.resume));
  return true;
}

int run(RunSettings settings) {
  if (!settings.save) settings.save = settings.resume;
  require_argument(settings.data, "DATA");
  const std::int64_t repeat = checked_repeat(settings);
  if (settings.load && settings.resume) {
    throw Error(ErrorKind::kUsage, "--load and --resume exclude each other");
  }
  if (settings.add_labels && !settings.load) {
    throw Error(ErrorKind::kUsage, "--add-labels needs --load");
  }
  if (settings.as && settings.as != "bandit" && settings.as != "labelled") {
    throw Error(ErrorKind::kUsage, "as",
                fmt::format("'{}' is not bandit or labelled", *settings.as));
  }
  if (settings.as && settings.resume) {
    throw Error(ErrorKind::kUsage, "--resume goes on as the run has begun; leave out --as");
  }
  if (settings.checkpoint_every && !settings.save) {
    throw Error(ErrorKind::kUsage, "--checkpoint-every needs --save");
  }
  const auto& loaded = settings.resume ? settings.resume : settings.load;
  if (!loaded) {
    if (!settings.learner.name) settings.learner.name = "auto";
    check_learner_options(settings.learner);
  }
  check_outputs(settings.data, {{"--trace", settings.trace},
                                {"--curve", settings.curve},
                                {"--log", settings.log},
                                {"--save", settings.save}});
  if (loaded) {
    check_outputs(
        *loaded,
        {{"--trace", settings.trace}, {"--curve", settings.curve}, {"--log", settings.log}});
  }
  std::optional<Journal> lock;  // before the model is loaded: nobody may change it meanwhile
  if (settings.save) lock.emplace(*settings.save);
  std::vector<RunResult> results;
  std::unique_ptr<Source> earlier;
  for (std::int64_t r = 0; r < repeat; ++r) {
    const Clock::time_point begin = Clock::now();
    Prepared prepared;
    if (loaded) {
      Model model = open_model(*loaded);
      check_against_model(settings.learner, settings.seed, model);
      if (nothing_left(settings, model)) {
        if (*settings.save != *settings.resume) lock->replace(model);
        return kOk;
      }
      prepared = prepare_loaded(settings, std::move(model));
    } else {
      prepared = prepare_new(settings, r, std::move(earlier));
    }
    catch_interrupts();
    const double preparation = seconds_between(begin, Clock::now());
    const std::string title = repeat == 1 ? "" : fmt::format("run {} of {}", r + 1, repeat);
    results.push_back(play_once(settings, prepared, lock ? &*lock : nullptr, title, r == 0));
    results.back().total_seconds += preparation;
    earlier = std::move(prepared.source);
  }
  const bool skipped = parse_source_options(settings.data_options).skip_bad;
  if (settings.json) {
    print(settings.repeat ? lab::results_json(results, skipped)
                          : lab::result_json(results.front(), skipped));
  } else {
    print(printable(settings.repeat && repeat > 1
                        ? results_text(results)
                        : result_text(results.front(), skipped, settings.confusion)));
  }
  return kOk;
}

}  // namespace

Action define_run(CLI::App& command) {
  auto settings = std::make_shared<RunSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  add_data_argument(command, settings->data);
  add_learner_options(command, settings->learner);
  add_own_options(command, *settings);
  add_data_options(command, settings->data_options);
  return [settings] { return run(*settings); };
}

}  // namespace soba::cli
