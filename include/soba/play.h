// The round loop, with the answer simulated from the label: the only place that holds the true
// label. Below it, the same round in two halves, for decisions whose answer comes later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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

// Decisions without labels, whose answers come later: the same round in two halves.
class Decider {
 public:
  // Throws Error{kUsage} for a learner that must be told the label. `model` must outlive the
  // decider.
  explicit Decider(Model& model);

  struct Decision {
    Label label;
    double probability;
    Label greedy;
  };
  // The label for x under the given id. An id that still waits gets its decision again, for the
  // same x. The random number behind a draw depends on the seed and the id alone. Throws
  // Error{kInput} on an impossible x.
  Decision decide(std::string_view id, const Features& x);

  enum class Feedback { kTaken, kUnknownId };
  // The answer for an earlier decision, in any order and with any delay. Scores are those of now,
  // the probability that of the decision: the estimate stays unbiased and the budget S >= 0
  // survives.
  Feedback feedback(std::string_view id, bool correct);
  // Drops a decision whose answer will never come; nothing is learnt.
  Feedback forget(std::string_view id);

  std::int64_t pending() const;

 private:
  std::span<const double> scores() const { return std::span(out_).first(classes_); }
  Label score(const Features& x);  // into out_; the greedy label
  void remove(std::size_t place);

  Model& model_;
  std::size_t classes_;
  std::vector<double> out_;                             // the scores, then the learner's workings
  std::unordered_map<std::string, std::size_t> place_;  // of an id in model_.pending
};

}  // namespace soba
