#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "soba/error.h"
#include "soba/play.h"
#include "soba/rng.h"

namespace soba {

namespace {

// What a program outside may get wrong, and a learner relies on.
void check(const Features& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Index j = x.feature(i);
    if (j < 0 || j > kMaxFeatures || (i > 0 && j <= x.feature(i - 1))) {
      throw Error(ErrorKind::kInput,
                  fmt::format("feature indices must ascend from 0 to {}, not {}", kMaxFeatures, j));
    }
    if (!(std::fabs(x.value[i]) <= kMaxValue)) {
      throw Error(
          ErrorKind::kInput,
          fmt::format("feature {} has the value {}, which is not a number between -{:g} and {:g}",
                      j, x.value[i], kMaxValue, kMaxValue));
    }
  }
}

}  // namespace

Decider::Decider(Model& model) : model_(model) {
  if (!std::holds_alternative<std::unique_ptr<Learner>>(model.learner)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("learner '{}' must be told the true label, so it cannot decide; "
                            "choose one with bandit feedback",
                            model.learner_name));
  }
  classes_ = static_cast<std::size_t>(predictor(model.learner).shape().classes);
  out_.resize(classes_ + predictor(model.learner).workings());
  for (std::size_t i = 0; i < model.pending.size(); ++i) place_[model.pending[i].id] = i;
}

Label Decider::score(const Features& x) {
  predictor(model_.learner).scores(x, out_);
  return argmax(scores());
}

Decider::Decision Decider::decide(std::string_view id, const Features& x) {
  check(x);
  const Label greedy = score(x);
  if (const auto waiting = place_.find(std::string(id)); waiting != place_.end()) {
    const Pending& old = model_.pending[waiting->second];
    bool same = std::equal(x.value.begin(), x.value.end(), old.value.begin(), old.value.end());
    for (std::size_t i = 0; same && i < x.size(); ++i) same = x.feature(i) == old.index[i];
    if (!same) {
      throw Error(ErrorKind::kInput,
                  fmt::format("a decision waits under the id '{}', for another x; "
                              "answer it, forget it, or choose another id",
                              id));
    }
    return {old.played, old.probability, greedy};
  }
  const std::int64_t round = model_.tally.rounds + 1;
  const Exploration exploration = predictor(model_.learner).exploration({round, scores(), greedy});
  const Rng rng(model_.seed, Purpose::kDecisions);
  const Draw drawn = draw(exploration, scores(), greedy, rng.uniform(event_of(id)));
  Pending waiting{.id = std::string(id),
                  .index = {},
                  .value = {x.value.begin(), x.value.end()},
                  .played = drawn.label,
                  .probability = drawn.probability};
  for (std::size_t i = 0; i < x.size(); ++i) waiting.index.push_back(x.feature(i));
  model_.pending.push_back(std::move(waiting));
  place_[model_.pending.back().id] = model_.pending.size() - 1;
  model_.tally.rounds = round;
  return {drawn.label, drawn.probability, greedy};
}

Decider::Feedback Decider::feedback(std::string_view id, bool correct) {
  const auto found = place_.find(std::string(id));
  if (found == place_.end()) return Feedback::kUnknownId;
  const Pending& decision = model_.pending[found->second];
  const Features x{decision.index, decision.value};
  const Label greedy = score(x);
  predictor(model_.learner).reserve(x);  // the last that may throw: until here nothing has changed
  const Learned learned = std::get<std::unique_ptr<Learner>>(model_.learner)
                              ->learn({x, scores(), std::span(out_).subspan(classes_), greedy,
                                       decision.played, decision.probability},
                                      correct);
  ++model_.tally.answers;
  model_.tally.mistakes += !correct;
  model_.tally.updates += learned.updated;
  remove(found->second);
  return Feedback::kTaken;
}

Decider::Feedback Decider::forget(std::string_view id) {
  const auto found = place_.find(std::string(id));
  if (found == place_.end()) return Feedback::kUnknownId;
  remove(found->second);
  return Feedback::kTaken;
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
