// The round loop, with the answer simulated from the label: the only place that holds the true
// label. decide.h has the same round in two halves, for decisions whose answer comes later.
#pragma once

#include <cstdint>
#include <optional>
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

// Plays every example of the block with the model's learner, counting into its tally.
// Calls on_round(const Played&) after each. Requires: every example has a label.
// Threads: it writes to the model, and only reads the block.
template <class OnRound>
void play(const Block& block, Model& model, OnRound&& on_round) {
  const Rng rng(model.seed, Purpose::kExploration);
  Tally& tally = model.tally;
  const auto k = static_cast<std::size_t>(predictor(model.learner).shape().classes);
  std::vector<double> out(k + predictor(model.learner).workings());
  const std::span<const double> scores = std::span(out).first(k);
  std::visit(
      [&](auto& learner) {
        for (std::size_t i = 0; i < block.size(); ++i) {
          const Features x = block.features(i);
          const Label truth = block.label[i];
          learner->reserve(x);  // before anything counts: where it throws, the round never was
          Played row{};
          row.round = ++tally.rounds;
          row.label = truth;

          learner->scores(x, out);
          row.greedy = argmax(scores);
          const Exploration exploration = learner->exploration({row.round, scores, row.greedy});
          const bool random = !std::holds_alternative<Greedy>(exploration);
          const double uniform = random ? rng.uniform(static_cast<std::uint64_t>(row.round)) : 0;
          const Draw drawn = draw(exploration, scores, row.greedy, uniform);
          row.played = drawn.label;
          row.probability = drawn.probability;
          row.gamma = drawn.gamma;
          row.correct = row.played == truth;

          if constexpr (requires { learner->learn(Round{}, true); }) {
            const Learned learned = learner->learn(
                {x, scores, std::span(out).subspan(k), row.greedy, row.played, row.probability},
                row.correct);
            row.updated = learned.updated;
            row.margin_sum = learned.margin_sum;
          } else {
            row.updated = learner->learn(x, scores, truth);
          }
          ++tally.answers;
          tally.mistakes += !row.correct;
          tally.greedy_mistakes += row.greedy != truth;
          tally.updates += row.updated;
          on_round(static_cast<const Played&>(row));
        }
      },
      model.learner);
}

}  // namespace soba
