// The round loop, with the answer simulated from the label: the only place that holds the true
// label. decide.h has the same round in two halves, for decisions whose answer comes later.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "soba/data.h"
#include "soba/explore.h"
#include "soba/learner.h"
#include "soba/model.h"
#include "soba/rng.h"

namespace soba {

// Everything about one round that was played: a row of the trace.
struct Played {
  std::int64_t round;  // 1, 2, …
  Label label, greedy, played;
  double probability;
  double gamma;  // the exploration rate used
  bool correct, updated;
  std::optional<double> margin_sum;
};

// The round after `round` at which an error curve has a point: 1, 2, 3, 4, 6, 8, 11, 16, 23, …
// (powers of √2).
std::int64_t next_curve_round(std::int64_t round);

// One round's lesson: a bit for a learner, the label for a yardstick. Requires what the learner's
// own learn() requires.
inline Learned learn(Learner& learner, const Round& round, Label truth) noexcept {
  return learner.learn(round, round.played == truth);
}
inline Learned learn(FullInformationLearner& learner, const Round& round, Label truth) noexcept {
  return learner.learn(round.x, round.scores, truth);
}
// The same from a label that nobody had to guess.
inline Learned teach(Learner& learner, const Round& round, Label /*truth*/) noexcept {
  return learner.teach(round);
}
inline Learned teach(FullInformationLearner& learner, const Round& round, Label truth) noexcept {
  return learn(learner, round, truth);
}

enum class Feedback {
  kBandit,    // a label is drawn, and the learner is told whether it was right
  kLabelled,  // the right label is played with probability 1: what a log of known labels teaches
};

// Plays every example of the block with the model's learner, counting into its tally.
// Calls on_round(const Played&) after each, and ends there when that returns false; it may return
// nothing. Throws Error{kInput} where the right label is retired. Requires: every example has a
// label. Threads: it writes to the model, and only reads the block.
template <class OnRound>
void play(const Block& block, Model& model, OnRound&& on_round,
          Feedback feedback = Feedback::kBandit) {
  const Rng rng(model.seed, Purpose::kExploration);
  Tally& tally = model.tally;
  const auto k = static_cast<std::size_t>(predictor(model.learner).shape().classes);
  std::vector<double> out(k + predictor(model.learner).workings());
  const std::span<const double> scores = std::span(out).first(k);
  const std::span<const double> workings = std::span(out).subspan(k);
  const std::vector<Label> allowed = allowed_labels(model);
  const bool labelled = feedback == Feedback::kLabelled;
  std::visit(
      [&](auto& pointer) {
        auto& learner = *pointer;
        Index ready = -1;
        Round now{};
        Moment moment{};
        now.scores = moment.scores = scores;
        now.workings = workings;
        now.allowed = moment.allowed = allowed;
        const std::span<const Label> labels = block.label;
        for (std::size_t i = 0; i < labels.size(); ++i) {
          now.x = block.features(i);
          const Label truth = labels[i];
          // Before anything counts: where it throws, the round never was.
          if (now.x.extent() > ready) ready = learner.reserve(now.x);
          if (!allowed.empty()) check_in_use(model, truth);
          const std::int64_t round = moment.round = ++tally.rounds;

          learner.scores(now.x, out);
          if (!allowed.empty()) learner.restrict_to(allowed, now.x, out);
          const Label greedy = now.greedy = moment.greedy = argmax(scores);
          const Exploration exploration = learner.exploration(moment);
          const bool random = !labelled && !std::holds_alternative<Greedy>(exploration);
          const double uniform = random ? rng.uniform(static_cast<std::uint64_t>(round)) : 0;
          const Draw drawn =
              labelled ? Draw{truth, 1, 0} : draw(exploration, scores, greedy, uniform, allowed);
          const bool correct = drawn.label == truth;

          now.played = drawn.label;
          now.probability = drawn.probability;
          const Learned learned =
              labelled ? teach(learner, now, truth) : learn(learner, now, truth);
          ++tally.answers;
          tally.mistakes += !correct;
          tally.greedy_mistakes += greedy != truth;
          tally.updates += learned.updated;
          tally.skipped += learned.skipped;
          const Played played{
              round,       truth,   greedy,          drawn.label,       drawn.probability,
              drawn.gamma, correct, learned.updated, learned.margin_sum};
          if constexpr (std::is_void_v<decltype(on_round(played))>) {
            on_round(played);
          } else if (!on_round(played)) {
            return;
          }
        }
      },
      model.learner);
}

}  // namespace soba
