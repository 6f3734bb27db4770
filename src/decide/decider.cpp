#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/answer.h"
#include "model/pending.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/rng.h"

namespace soba {

namespace {

// What a program outside may get wrong, and a learner relies on.
void check(const Features& x) {
  if (!x.dense() && x.index.size() != x.value.size()) {
    throw Error(ErrorKind::kInput, fmt::format("{} feature indices for {} values; there must be as "
                                               "many, or none for a dense x",
                                               x.index.size(), x.value.size()));
  }
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

Decider::Decider(Model& model, const PendingLimits& limits, Journal* journal,
                 std::string_view unknown)
    : model_(model), limits_(limits), journal_(journal), encoder_(model.schema, unknown) {
  if (!std::holds_alternative<std::unique_ptr<Learner>>(model.learner)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("learner '{}' must be told the true label, so it cannot decide; "
                            "choose one with bandit feedback",
                            model.learner_name));
  }
  classes_ = static_cast<std::size_t>(predictor(model.learner).shape().classes);
  out_.resize(classes_ + predictor(model.learner).workings());
}

Label Decider::score(const Features& x) {
  predictor(model_.learner).scores(x, out_);
  return argmax(scores());
}

Decision Decider::told(Label played, double probability, Label greedy) const {
  const NameMap& labels = model_.schema.labels;
  const auto text = [&](Label y) { return y < labels.size() ? labels.name(y) : std::to_string(y); };
  return {text(played), probability, text(greedy), played, greedy};
}

void Decider::check_room(std::string_view id) const {
  const bool many = pending() >= limits_.decisions, large = model_.pending.bytes() >= limits_.bytes;
  if ((!many && !large) || model_.pending.find(id) != nullptr) return;
  throw Error(
      ErrorKind::kResource,
      many ? fmt::format("{} decisions wait for their answers, the most that are kept; "
                         "answer or forget some",
                         pending())
           : fmt::format("the {} decisions that wait for their answers take {} bytes, and {} are "
                         "the most that are kept; answer or forget some",
                         pending(), model_.pending.bytes(), limits_.bytes));
}

Decision Decider::decide(std::string_view id, std::span<const NamedValue> x) {
  const Features features = encoder_.encode(x);
  try {
    return decide(id, features);
  } catch (...) {
    encoder_.undo();
    throw;
  }
}

Decision Decider::decide(std::string_view id, const Features& x) {
  check(x);
  const Label greedy = score(x);
  if (const Pending* waiting = model_.pending.find(id)) {
    bool same =
        std::equal(x.value.begin(), x.value.end(), waiting->value.begin(), waiting->value.end());
    for (std::size_t i = 0; same && i < x.size(); ++i) same = x.feature(i) == waiting->index[i];
    if (!same) {
      throw Error(ErrorKind::kInput,
                  fmt::format("a decision waits under the id '{}', for another x; "
                              "answer it, forget it, or choose another id",
                              id));
    }
    return told(waiting->played, waiting->probability, greedy);
  }
  check_room(id);
  const std::int64_t round = model_.tally.rounds + 1;
  const Exploration exploration = predictor(model_.learner).exploration({round, scores(), greedy});
  const Rng rng(model_.seed, Purpose::kDecisions);
  const Draw drawn = draw(exploration, scores(), greedy, rng.uniform(event_of(id)));
  Decision decision = told(drawn.label, drawn.probability, greedy);
  Pending waiting{.id = std::string(id),
                  .index = {},
                  .value = {x.value.begin(), x.value.end()},
                  .played = drawn.label,
                  .probability = drawn.probability,
                  .allowed = {}};
  waiting.index.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) waiting.index.push_back(x.feature(i));
  if (!possible(waiting, static_cast<Label>(classes_))) {
    throw Error(ErrorKind::kInput,
                "the scores for this x are not finite; its values are too large for the learner");
  }
  model_.pending.add(std::move(waiting));
  try {
    if (journal_ != nullptr) journal_->decided(*model_.pending.find(id));
  } catch (...) {
    model_.pending.remove(id);
    throw;
  }
  model_.position.reset();  // it is no longer where its latest run left it
  model_.tally.rounds = round;
  return decision;
}

Decider::Feedback Decider::feedback(std::string_view id, bool correct) {
  const auto record = [&] {
    if (journal_ != nullptr) journal_->answered(id, correct);
  };
  return learn_answer(model_, id, correct, out_, record) ? Feedback::kTaken : Feedback::kUnknownId;
}

Decider::Feedback Decider::forget(std::string_view id) {
  if (model_.pending.find(id) == nullptr) return Feedback::kUnknownId;
  if (journal_ != nullptr) journal_->forgot(id);
  model_.pending.remove(id);
  return Feedback::kTaken;
}

void Decider::change(std::string_view option, std::string_view value) {
  const auto old = model_.options.find(std::string(option));
  const std::string before = old == model_.options.end() ? "" : old->second;
  change_option(model_, option, value);
  if (journal_ == nullptr) return;
  try {
    journal_->changed(option, value);
  } catch (...) {
    change_option(model_, option, before);
    throw;
  }
}

}  // namespace soba
