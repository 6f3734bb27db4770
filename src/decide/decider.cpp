#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/answer.h"
#include "model/labels.h"
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

void check_allowed(const Model& model, std::span<const Label> allowed) {
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    const Label label = allowed[i];
    if (label < 0 || label >= predictor(model.learner).shape().classes ||
        (i > 0 && label <= allowed[i - 1])) {
      throw Error(ErrorKind::kUsage, "the labels allowed must ascend, and be labels of the model");
    }
    if (std::binary_search(model.retired.begin(), model.retired.end(), label)) {
      throw Error(ErrorKind::kUsage, fmt::format("label {} is retired", label));
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
  make_room();
  if (limits_.expire_decisions == 0 && limits_.expire_seconds == 0) return;
  for (const Pending& one : model.pending) ages_.emplace_back(one.round, one.id);
  std::sort(ages_.begin(), ages_.end());
}

void Decider::make_room() {
  const Predictor& learner = predictor(model_.learner);
  classes_ = static_cast<std::size_t>(learner.shape().classes);
  out_.resize(classes_ + learner.workings());
}

Label Decider::score(const Features& x, std::span<const Label> allowed) {
  predictor(model_.learner).scores(x, out_);
  if (!allowed.empty()) predictor(model_.learner).restrict_to(allowed, x, out_);
  return argmax(scores());
}

Decision Decider::told(Label played, double probability, Label greedy) const {
  const NameMap& labels = model_.schema.labels;
  const auto text = [&](Label y) { return y < labels.size() ? labels.name(y) : std::to_string(y); };
  return {text(played), probability, text(greedy), played, greedy};
}

void Decider::check_room(std::string_view id) const {
  if (!limits_.keep) return;
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

Decision Decider::decide(std::string_view id, std::span<const NamedValue> x,
                         std::span<const Label> allowed) {
  const Features features = encoder_.encode(x);
  try {
    const Decision decision = decide(id, features, allowed);
    if (!limits_.keep) encoder_.undo();
    return decision;
  } catch (...) {
    encoder_.undo();
    throw;
  }
}

Decision Decider::decide(std::string_view id, const Features& x, std::span<const Label> given) {
  check(x);
  if (const Pending* waiting = model_.pending.find(id)) {
    const Label greedy = score(x, waiting->allowed);
    bool same =
        (given.empty() || std::ranges::equal(given, waiting->allowed)) &&
        std::equal(x.value.begin(), x.value.end(), waiting->value.begin(), waiting->value.end());
    for (std::size_t i = 0; same && i < x.size(); ++i) same = x.feature(i) == waiting->index[i];
    if (!same) {
      throw Error(ErrorKind::kInput,
                  fmt::format("a decision waits under the id '{}', for another x or other labels; "
                              "answer it, forget it, or choose another id",
                              id));
    }
    return told(waiting->played, waiting->probability, greedy);
  }
  check_room(id);
  const std::vector<Label> allowed =
      given.empty() ? allowed_labels(model_) : std::vector<Label>(given.begin(), given.end());
  check_allowed(model_, allowed);
  const Label greedy = score(x, allowed);
  const std::int64_t round = model_.tally.rounds + 1;
  const Exploration exploration =
      predictor(model_.learner).exploration({round, scores(), greedy, allowed});
  const Rng rng(model_.seed, Purpose::kDecisions);
  const Draw drawn = draw(exploration, scores(), greedy, rng.uniform(event_of(id)), allowed);
  Decision decision = told(drawn.label, drawn.probability, greedy);
  if (!limits_.keep) return decision;
  Pending waiting{.id = std::string(id),
                  .index = {},
                  .value = {x.value.begin(), x.value.end()},
                  .played = drawn.label,
                  .probability = drawn.probability,
                  .allowed = allowed,
                  .classes = static_cast<Label>(classes_),
                  .round = round,
                  .time = limits_.expire_seconds > 0 ? now_ : 0};
  waiting.index.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) waiting.index.push_back(x.feature(i));
  if (!possible(waiting, static_cast<Label>(classes_))) {
    throw Error(ErrorKind::kInput,
                "the scores for this x are not finite; its values are too large for the learner");
  }
  if (limits_.expire_decisions > 0 || limits_.expire_seconds > 0) ages_.emplace_back(round, id);
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

std::int64_t Decider::expire(std::int64_t now) {
  now_ = now;
  std::int64_t expired = 0;
  for (; !ages_.empty(); ages_.pop_front()) {
    const auto& [round, id] = ages_.front();
    const Pending* const one = model_.pending.find(id);
    if (one == nullptr || one->round != round) continue;  // it no longer waits
    const std::int64_t later = model_.tally.rounds - round, age = now - one->time;
    const bool due = (limits_.expire_decisions > 0 && later >= limits_.expire_decisions) ||
                     (limits_.expire_seconds > 0 && one->time > 0 && age >= limits_.expire_seconds);
    if (!due) break;
    ++expired;
    if (limits_.expired_answer) {
      try {
        feedback(id, *limits_.expired_answer);
        continue;
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kResource) throw;
      }
    }
    forget(id);
  }
  return expired;
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

Label Decider::add_label(std::string_view name) {
  const Label label = soba::add_label(model_, name, [&] {
    if (journal_ != nullptr) journal_->added_label(name);
  });
  make_room();
  return label;
}

void Decider::rename_label(std::string_view from, std::string_view to) {
  soba::rename_label(model_, from, to, [&] {
    if (journal_ != nullptr) journal_->renamed_label(from, to);
  });
}

void Decider::retire_label(std::string_view name) {
  soba::retire_label(model_, name, [&] {
    if (journal_ != nullptr) journal_->retired_label(name);
  });
}

}  // namespace soba
