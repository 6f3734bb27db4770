#include <fmt/format.h>

#include "soba/error.h"
#include "soba/play.h"
#include "soba/rng.h"

namespace soba {

Decider::Decider(Model& model) : model_(model) {
  if (!std::holds_alternative<std::unique_ptr<Learner>>(model.learner)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("learner '{}' must be told the true label, so it cannot decide; "
                            "choose one with bandit feedback",
                            model.learner_name));
  }
  scores_.resize(static_cast<std::size_t>(predictor(model.learner).shape().classes));
  for (std::size_t i = 0; i < model.pending.size(); ++i) place_[model.pending[i].id] = i;
}

Label Decider::score(Features x) {
  predictor(model_.learner).scores(x, scores_);
  return argmax(scores_);
}

Decider::Decision Decider::decide(std::string_view id, Features x) {
  const Label greedy = score(x);
  if (const auto waiting = place_.find(std::string(id)); waiting != place_.end()) {
    const Pending& old = model_.pending[waiting->second];
    return {old.played, old.probability, greedy};
  }
  const std::int64_t round = ++model_.tally.rounds;
  const Exploration exploration = predictor(model_.learner).exploration(round);
  const Rng rng(model_.seed, Purpose::kDecisions);
  const Draw drawn =
      draw(exploration, static_cast<Label>(scores_.size()), greedy, rng.uniform(event_of(id)));
  Pending waiting{.id = std::string(id),
                  .index = {},
                  .value = {x.value.begin(), x.value.end()},
                  .played = drawn.label,
                  .probability = drawn.probability};
  for (std::size_t i = 0; i < x.size(); ++i) waiting.index.push_back(x.feature(i));
  place_[waiting.id] = model_.pending.size();
  model_.pending.push_back(std::move(waiting));
  return {drawn.label, drawn.probability, greedy};
}

Decider::Feedback Decider::feedback(std::string_view id, bool correct) {
  const auto found = place_.find(std::string(id));
  if (found == place_.end()) return Feedback::kUnknownId;
  const Pending& decision = model_.pending[found->second];
  const Features x{decision.index, decision.value};
  const Label greedy = score(x);
  const Learned learned =
      std::get<std::unique_ptr<Learner>>(model_.learner)
          ->learn({x, scores_, greedy, decision.played, decision.probability}, correct);
  ++model_.tally.answers;
  model_.tally.mistakes += !correct;
  model_.tally.updates += learned.updated;
  remove(found->second);
  return Feedback::kLearned;
}

Decider::Feedback Decider::forget(std::string_view id) {
  const auto found = place_.find(std::string(id));
  if (found == place_.end()) return Feedback::kUnknownId;
  remove(found->second);
  return Feedback::kLearned;
}

void Decider::remove(std::size_t place) {
  std::vector<Pending>& pending = model_.pending;
  place_.erase(pending[place].id);
  if (place + 1 < pending.size()) {
    pending[place] = std::move(pending.back());
    place_[pending[place].id] = place;
  }
  pending.pop_back();
}

std::int64_t Decider::pending() const { return static_cast<std::int64_t>(model_.pending.size()); }

}  // namespace soba
