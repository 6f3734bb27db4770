#include "soba/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <utility>

#include "data/example_sum.h"
#include "data/source_options.h"
#include "sim/advice.h"
#include "sim/scale.h"
#include "soba/error.h"
#include "soba/registry.h"

namespace soba {

namespace {

using Clock = std::chrono::steady_clock;

Tally operator-(const Tally& a, const Tally& b) {
  return {.rounds = a.rounds - b.rounds,
          .answers = a.answers - b.answers,
          .mistakes = a.mistakes - b.mistakes,
          .greedy_mistakes = a.greedy_mistakes - b.greedy_mistakes,
          .updates = a.updates - b.updates,
          .skipped = a.skipped - b.skipped};
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double RunResult::error() const { return share(tally.mistakes, tally.rounds); }
double RunResult::greedy_error() const { return share(tally.greedy_mistakes, tally.rounds); }
double RunResult::rounds_per_second() const {
  return learn_seconds > 0 ? static_cast<double>(tally.rounds - earlier) / learn_seconds : 0;
}

namespace {

// The rounds of one run, whether it begins or is resumed.
class Run {
 public:
  // `start` is the model's tally before the run. Where `sum`, of the examples so far, is not null,
  // the model has a position, which is kept up to date.
  Run(Model& model, const RunHooks& hooks, const Tally& start, ExampleSum* sum)
      : model_(model),
        hooks_(hooks),
        start_(start),
        sum_(sum),
        stop_(hooks.stop != nullptr ? *hooks.stop : never_) {
    if (labelled() && !std::holds_alternative<std::unique_ptr<Learner>>(model.learner)) {
      throw Error(ErrorKind::kUsage, "as",
                  fmt::format("'{}' is told every label as it is", model.learner_name));
    }
    model_.journal = {};  // a run leaves no events
    result_.earlier = so_far().rounds;
    result_.by_class = ClassCounts(predictor(model.learner).shape().classes);
    next_point_ = start_.rounds + next_curve_round(result_.earlier);
    if (hooks_.keep_every > 0) next_keep_ = model_.tally.rounds + hooks_.keep_every;
    next_ = std::min(next_point_, next_keep_);
  }

  // Plays `rest`, whose names the model's schema has, and then what the stream has left.
  RunResult play(const Block& rest, Stream& stream) {
    try {
      if (rest.size() > 0) play_block(rest);
      while (result_.complete) {
        const Block* const block = stream.next();
        if (block == nullptr) break;
        result_.complete = !stopped_;
        if (stopped_) break;
        model_.schema.extend(*block);
        play_block(*block);
      }
    } catch (...) {
      keep_in_flight();
      throw;
    }
    if (result_.complete && model_.position) model_.position = DataPosition{.complete = true};
    if (hooks_.keep) hooks_.keep();
    return finish();
  }

  // Ends before the first round.
  RunResult give_up() {
    result_.complete = false;
    if (hooks_.keep) hooks_.keep();
    return finish();
  }

 private:
  Tally so_far() const { return model_.tally - start_; }
  bool labelled() const { return hooks_.feedback == Feedback::kLabelled; }

  // What is counted where the right label is played whatever the learner would do.
  static Played as_if_greedy(Played row) {
    row.played = row.greedy;
    row.correct = row.greedy == row.label;
    return row;
  }

  void play_block(const Block& block) {
    if (!std::exchange(begun_, true) && hooks_.first) hooks_.first(block);
    block_ = &block;
    summed_ = 0;
    block_start_ = model_.tally.rounds;
    const bool tracing = hooks_.rounds != nullptr;
    const std::int64_t skipped = model_.tally.skipped;
    ClassCounts& counts = result_.by_class;
    const bool teaching = labelled();
    const Clock::time_point begin = Clock::now();
    soba::play(
        block, model_,
        [&](const Played& row) __attribute__((always_inline)) {
          if (tracing) rows_.push_back(row);
          counts.count(teaching ? as_if_greedy(row) : row);
          if (row.round == next_) pass_mark(row.round);
          return !stop_.load(std::memory_order_relaxed);
        },
        hooks_.feedback);
    stopped_ = stop_.load(std::memory_order_relaxed);
    result_.learn_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    result_.complete = played() == block.size();
    if (model_.tally.skipped > skipped) too_large_ = largest_feature(model_.schema, block);
    mark();
    block_ = nullptr;
    tell_rounds(block);
    if (hooks_.block) hooks_.block(so_far());
  }

  // At a round of the curve, or one to keep the model at. Not inlined, so that the loop stays
  // small.
  [[gnu::noinline]] void pass_mark(std::int64_t round) {
    if (round == next_point_) {
      result_.curve.push_back(so_far());
      next_point_ = start_.rounds + next_curve_round(so_far().rounds);
      if (hooks_.point) hooks_.point(result_.curve.back());
    }
    if (round == next_keep_) {
      next_keep_ += hooks_.keep_every;
      mark();
      if (hooks_.keep) hooks_.keep();
    }
    next_ = std::min(next_point_, next_keep_);
  }

  // Examples of the block.
  std::size_t played() const {
    return static_cast<std::size_t>(model_.tally.rounds - block_start_);
  }

  void mark() noexcept {
    if (sum_ == nullptr) return;
    if (block_ != nullptr) sum_->add(*block_, std::exchange(summed_, played()), played());
    model_.position->examples = so_far().rounds;
    model_.position->fingerprint = sum_->value();
  }

  void tell_rounds(const Block& block) {
    if (rows_.empty()) return;
    hooks_.rounds(block, rows_);
    rows_.clear();
  }

  // While an exception is in flight: a round is whole or never was, so the model is good.
  void keep_in_flight() noexcept {
    try {
      mark();
      if (hooks_.keep) hooks_.keep();
    } catch (...) {
    }
    try {
      if (block_ != nullptr) tell_rounds(*block_);
    } catch (...) {
    }
  }

  RunResult finish() {
    result_.tally = so_far();
    const std::int64_t rounds = result_.tally.rounds;
    if (result_.complete && rounds > 0 && next_curve_round(rounds - 1) != rounds) {
      result_.curve.push_back(result_.tally);
    }
    result_.learner = model_.learner_name;
    result_.feedback = labelled() ? "labels" : model_.feedback();
    result_.options = model_.options;
    result_.reason = model_.reason;
    result_.remarks = predictor(model_.learner).remarks();
    if (labelled()) {
      const auto& learner = std::get<std::unique_ptr<Learner>>(model_.learner);
      result_.remarks += result_.remarks.empty() ? "" : "; ";
      result_.remarks += learner->teaches_others()
                             ? "learnt from each label that it was right and the others wrong"
                             : "learnt from each label that it was right";
    }
    if (result_.tally.skipped > 0) {
      result_.remarks += fmt::format(
          "{}updates left out, as their numbers were too large: {}{}{}",
          result_.remarks.empty() ? "" : "; ", result_.tally.skipped,
          too_large_.empty() ? "" : "; ",
          too_large_.empty() ? "" : too_large_ + ": option scale with maxabs brings it down");
    }
    result_.seed = model_.seed;
    result_.lifetime = model_.tally;
    result_.shape = predictor(model_.learner).shape();
    result_.labels = model_.schema.labels.names();
    result_.advice = advice(result_);
    return std::move(result_);
  }

  Model& model_;
  const RunHooks& hooks_;
  const Tally start_;
  ExampleSum* const sum_;
  const std::atomic<bool> never_ = false;
  const std::atomic<bool>& stop_;
  RunResult result_;
  // Counted over the life of the model; next_ is the lower one.
  std::int64_t next_point_ = 0, next_keep_ = std::numeric_limits<std::int64_t>::max(), next_ = 0;
  bool begun_ = false, stopped_ = false;
  const Block* block_ = nullptr;  // the one that is played
  std::size_t summed_ = 0;        // examples of it in sum_
  std::int64_t block_start_ = 0;  // the model's rounds before it
  std::vector<Played> rows_;
  std::string too_large_;  // the feature to blame for updates that were left out lately
};

// What only a source knows. It belongs to its stream until that has ended.
RunResult with_source(RunResult result, const Source& source, const std::string& data) {
  result.data = data;
  if (!result.complete) return result;
  result.shape = source.shape();
  result.skipped = source.skipped();
  result.first_skipped = source.first_skipped();
  return result;
}

[[noreturn]] void refuse_data(const std::string& data, const std::string& why) {
  throw Error(ErrorKind::kInput, fmt::format("{}: cannot be resumed here: {}", data, why));
}

// What was found on the way is in both, as far as each has come.
void check_same_schema(const Schema& found, const Schema& kept, const std::string& data) {
  const auto refuse = [&](const std::string& what) {
    refuse_data(data, what + " differ from those of the interrupted run");
  };
  if (found.labels.names() != kept.labels.names()) refuse("its labels");
  const auto& names = found.features.names();
  const auto& others = kept.features.names();
  const auto common = static_cast<std::ptrdiff_t>(std::min(names.size(), others.size()));
  if (found.named_features != kept.named_features || found.zero_based != kept.zero_based ||
      found.columns != kept.columns || found.ignore != kept.ignore || found.dates != kept.dates ||
      found.text != kept.text || found.idf != kept.idf ||
      !std::equal(names.begin(), names.begin() + common, others.begin())) {
    refuse("its features");
  }
  if (found.low != kept.low || found.span != kept.span) refuse("the ranges that it is scaled by");
}

// Reads what was played. Returns what is left of the block after it; nothing where `stop` ends it.
std::optional<Block> skip_played(Stream& stream, const Model& model, const std::string& data,
                                 const std::atomic<bool>* stop, Schema& schema, ExampleSum& sum) {
  const std::int64_t examples = model.position->examples;
  Block rest;
  for (std::int64_t left = examples; left > 0;) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return std::nullopt;
    const Block* const block = stream.next();
    if (block == nullptr) {
      refuse_data(data, fmt::format("it has {} examples, but the interrupted run has played {}",
                                    examples - left, examples));
    }
    schema.extend(*block);
    const std::size_t count = std::min(static_cast<std::size_t>(left), block->size());
    sum.add(*block, 0, count);
    left -= static_cast<std::int64_t>(count);
    for (std::size_t i = count; i < block->size(); ++i) {
      rest.append(block->features(i), block->label[i]);
    }
  }
  check_same_schema(schema, model.schema, data);
  if (sum.value() != model.position->fingerprint) {
    refuse_data(data, fmt::format("its first {} examples are not those that the interrupted run "
                                  "has played",
                                  examples));
  }
  return rest;
}

}  // namespace

RunResult run(Stream& stream, Model& model, const RunHooks& hooks) {
  model.position.reset();
  model.schema = stream.schema();
  return Run(model, hooks, model.tally, nullptr).play({}, stream);
}

RunResult run(Source& source, Model& model, const RunHooks& hooks) {
  const std::string data = source.description();
  const DataPosition begin{.complete = false,
                           .examples = 0,
                           .fingerprint = 0,
                           .start = model.tally,
                           .reading = source.options(),
                           .fresh = source.fresh(),
                           .labelled = hooks.feedback == Feedback::kLabelled};
  const NameMap& labels = source.schema().labels;
  while (predictor(model.learner).shape().classes < labels.size()) {
    add_label(model, labels.name(predictor(model.learner).shape().classes));
  }
  const std::unique_ptr<Stream> stream = source.open(Reading::kAhead);
  ExampleSum sum;
  model.position.reset();
  if (hooks.keep) model.position = begin;
  model.schema = stream->schema();
  RunResult result = Run(model, hooks, model.tally, hooks.keep ? &sum : nullptr).play({}, *stream);
  if (result.complete) model.position = DataPosition{.complete = true};
  if (result.tally.rounds == 0) throw Error(ErrorKind::kInput, data + ": holds no example");
  return with_source(std::move(result), source, data);
}

Source resumed_source(const std::string& data, const OptionValues& given, const Model& model) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorKind::kUsage, "resume", why + "; option 'load' plays more data with it");
  };
  if (!model.position) refuse("the model was not saved by a run that was interrupted");
  const DataPosition& position = *model.position;
  if (position.complete)
    refuse("the model has reached the end of its data, nothing is left to play");
  if (position.start.rounds + position.examples != model.tally.rounds) {
    refuse("the model has made other decisions since its run was interrupted");
  }
  check_same_options(given, model.schema, position.reading);
  return Source(data, position.reading, position.fresh ? Schema{} : model.schema);
}

RunResult resume(Source& source, Model& model, const RunHooks& hooks) {
  const std::string data = source.description();
  const std::unique_ptr<Stream> stream = source.open(Reading::kAhead);
  Schema schema = stream->schema();
  ExampleSum sum;
  const std::optional<Block> rest = skip_played(*stream, model, data, hooks.stop, schema, sum);
  RunHooks same = hooks;
  same.feedback = model.position->labelled ? Feedback::kLabelled : Feedback::kBandit;
  Run run(model, same, model.position->start, &sum);
  if (!rest) return with_source(run.give_up(), source, data);
  model.schema = std::move(schema);
  return with_source(run.play(*rest, *stream), source, data);
}

bool needs_size(const LearnerChoice& choice) {
  // Where the horizon was given, the number of features must still be known.
  OptionValues open = choice.options;
  if (const auto horizon = open.find("horizon"); horizon != open.end()) horizon->second = "0";
  return with_horizon(open, 1) != open;
}

Model new_model(std::string_view name, const OptionValues& options, const Source& source,
                std::uint64_t seed) {
  OptionValues complete = choose_learner(name, options).options;
  if (const auto rounds = source.rounds()) complete = with_horizon(std::move(complete), *rounds);
  Model model = new_model(name, complete, source.shape(), seed);
  model.schema = source.schema();
  return model;
}

void check_agrees(const Model& model, const std::optional<std::string>& learner,
                  const OptionValues& options, std::optional<std::uint64_t> seed) {
  const auto contradiction = [](const std::string& option, const std::string& given,
                                const std::string& stored) {
    throw Error(ErrorKind::kUsage, option,
                fmt::format("'{}' contradicts the loaded model, which has {}", given, stored));
  };
  OptionValues stated = options;
  if (learner) {
    const LearnerChoice choice = choose_learner(*learner, {});
    if (choice.info->name != model.learner_name) {
      contradiction("learner", *learner, model.learner_name);
    }
    for (const LearnerAlias& alias : learner_aliases()) {
      if (alias.name == *learner) stated.insert(alias.options.begin(), alias.options.end());
    }
  }
  // Completed on top of the model's options, so that rules between options see the whole.
  OptionValues together = stated;
  together.insert(model.options.begin(), model.options.end());
  if (!stated.empty()) together = choose_learner(model.learner_name, together).options;
  for (const auto& [option, text] : stated) {
    const auto stored = model.options.find(option);
    if (stored != model.options.end() && stored->second != together.at(option)) {
      contradiction(option, text, stored->second);
    }
  }
  if (seed && *seed != model.seed) {
    contradiction("seed", std::to_string(*seed), std::to_string(model.seed));
  }
}

}  // namespace soba
