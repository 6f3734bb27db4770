#include "play_stream.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "interrupt.h"
#include "output.h"
#include "scale.h"

namespace soba::cli {

namespace {

Tally operator-(const Tally& a, const Tally& b) {
  return {.rounds = a.rounds - b.rounds,
          .answers = a.answers - b.answers,
          .mistakes = a.mistakes - b.mistakes,
          .greedy_mistakes = a.greedy_mistakes - b.greedy_mistakes,
          .updates = a.updates - b.updates};
}

// Which rounds somebody wants to hear of, so that the others cost one comparison.
class Milestones {
 public:
  Milestones(const Onlookers& onlookers, std::int64_t rounds_before)
      : onlookers_(onlookers), before_(rounds_before) {
    if (onlookers.curve != nullptr) curve_ = 1;
    const bool lines =
        onlookers.progress != nullptr && onlookers.progress->style() == Progress::Style::kLines;
    if (lines) line_ = 1;
  }

  // The next of them, counted over the life of the model.
  std::int64_t next() const {
    const std::int64_t round = std::min(curve_, line_);
    return round == kNever ? kNever : before_ + round;
  }

  void reach(const Tally& so_far) {
    if (so_far.rounds == curve_) {
      onlookers_.curve->write(so_far);
      curve_ = next_curve_round(curve_);
    }
    if (so_far.rounds == line_) {
      onlookers_.progress->milestone(so_far);
      line_ *= 2;
    }
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  Onlookers onlookers_;
  std::int64_t before_;
  std::int64_t curve_ = kNever, line_ = kNever;  // counted from the start of this stream
};

}  // namespace

Outcome play_stream(Source& source, Model& model, const Onlookers& onlookers) {
  const Tally before = model.tally;
  Outcome outcome;
  Milestones milestones(onlookers, before.rounds);
  std::int64_t next = milestones.next();
  std::vector<Played> rows;
  const bool tracing = onlookers.trace != nullptr;
  const auto on_round = [&](const Played& row) {
    if (row.round == next) {
      milestones.reach(model.tally - before);
      next = milestones.next();
    }
    if (tracing) rows.push_back(row);
  };

  const std::unique_ptr<Stream> stream = source.open(Reading::kAhead);
  bool watch_scale = onlookers.watch_scale;
  while (const Block* block = stream->next()) {
    if (watch_scale) {
      watch_scale = false;
      const LearnerChoice choice = choose_learner(model.learner_name, model.options);
      const std::string warning = scale_warning(choice, *block);
      if (!warning.empty()) note(warning);
    }
    const Clock::time_point begin = Clock::now();
    play(*block, model, on_round);
    outcome.learn_seconds += seconds_between(begin, Clock::now());

    if (tracing) {
      for (const Played& row : rows) onlookers.trace->write(row);
      rows.clear();
    }
    if (onlookers.progress != nullptr) onlookers.progress->block(model.tally - before);
    if (interrupted() != 0) throw Interrupted{interrupted()};
  }
  outcome.tally = model.tally - before;
  if (onlookers.curve != nullptr) onlookers.curve->write(outcome.tally);
  model.schema = source.schema();
  return outcome;
}

}  // namespace soba::cli
