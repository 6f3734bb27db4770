// A whole run: every example of a stream played with a model, and what came of it.
//
//   Source source("history.csv", options, Schema{});
//   Model model = new_model("auto", {}, source, /*seed=*/1);
//   const RunResult result = run(source, model);
//   result.error();
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "soba/classes.h"
#include "soba/data.h"
#include "soba/model.h"
#include "soba/play.h"
#include "soba/registry.h"

namespace soba {

// The same in every interface: what `soba run` prints and what a row of a sweep holds.
struct RunResult {
  std::string learner;            // as in the registry
  std::string feedback;           // "bandit", "full information", or "labels" for kLabelled
  OptionValues options;           // with no choice left open
  std::string reason, remarks;    // on the learner's options; on its state, and skipped updates
  std::string data;               // as Source::description
  std::uint64_t fingerprint = 0;  // as Examples::fingerprint; 0 where the data was not in memory
  std::uint64_t seed = 1;
  Shape shape;
  Tally tally;                      // of this run
  Tally lifetime;                   // of the model, with earlier runs
  ClassCounts by_class;             // of the rounds that were played here: not of `earlier` ones
  std::vector<std::string> labels;  // their names, where the schema has them
  std::vector<Tally> curve;  // at the rounds of next_curve_round; the last round last, if complete
  std::int64_t model_bytes = 0;  // of the model file of what was learnt; 0 if not measured
  double learn_seconds = 0;      // inside the round loop
  bool complete = true;          // false: `stop` ended it before the stream did
  std::int64_t earlier = 0;      // rounds of `tally` that were played before it resumed
  double total_seconds = 0;      // with everything around it; 0 if not measured
  std::int64_t skipped = 0;      // bad lines that were left out
  std::string first_skipped;     // the place and reason of the first of them
  std::string advice;  // what to try next, in a line; empty where the result suggests nothing

  double error() const;
  double greedy_error() const;
  double rounds_per_second() const;
};

// What a run asks and tells on the way; each may be empty.
struct RunHooks {
  std::function<void(const Block&)> first;  // before the first round: the first block
  std::function<void(const Tally&)> point;  // at every next_curve_round: this run so far
  // After every block: its rounds, for a trace or a log.
  std::function<void(const Block&, std::span<const Played>)> rounds;
  std::function<void(const Tally&)> block;  // after every block: this run so far
  // What the learner is told. resume() goes on as the run has begun.
  Feedback feedback = Feedback::kBandit;
  const std::atomic<bool>* stop = nullptr;  // read after every round: true ends the run there
  // To save the model: every `keep_every` rounds (0: never), and when the run ends, even where it
  // throws (what `keep` throws is then lost). With it, run(Source&) keeps Model::position.
  std::function<void()> keep = {};
  std::int64_t keep_every = 0;
};

// Plays everything that the stream gives. The model's schema is complete from the first round on:
// the stream's, and with each block the features that were met in it. Throws what the stream and
// the hooks throw; the model then holds what was played before.
RunResult run(Stream& stream, Model& model, const RunHooks& hooks = {});
// The same with what the source knows: its description, shape and bad lines. Labels that the source
// has beyond the model's are added to the model first. Reads ahead while the model learns. Throws
// Error{kInput} when it holds no example.
RunResult run(Source& source, Model& model, const RunHooks& hooks = {});

// The data of an interrupted run, to be read as it was. Throws Error{kUsage} where the options that
// are given contradict that, or the model has nothing to resume.
Source resumed_source(const std::string& data, const OptionValues& given, const Model& model);
// Plays the rest: model and result are then those of a run that was never interrupted, but the
// curve, the counts by label and the hooks have only the rest. Throws Error{kInput} where what was
// played is not in the source.
RunResult resume(Source& source, Model& model, const RunHooks& hooks = {});

// Whether a learner must know the number of rounds and of features before the first round
// (SourceOptions::need_size): gamma=theory.
bool needs_size(const LearnerChoice& choice);
// A model with nothing learnt for the data of `source`, whose shape and schema it takes; a horizon
// that is left open is the number of rounds. Throws Error{kUsage}.
Model new_model(std::string_view name, const OptionValues& options, const Source& source,
                std::uint64_t seed);

// Throws Error{kUsage} where a learner's name, options or a seed that are given for a loaded model
// contradict it. What is not given agrees.
void check_agrees(const Model& model, const std::optional<std::string>& learner,
                  const OptionValues& options, std::optional<std::uint64_t> seed);

// What to tell the user where the examples of the first block plainly have the wrong length for the
// model's learner; empty where they do not.
std::string scale_warning(const Model& model, const Block& first);

}  // namespace soba
