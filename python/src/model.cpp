#include "model.h"

#include <chrono>
#include <functional>

#include "soba/error.h"
#include "soba/lessons.h"
#include "soba/predict.h"

namespace soba::python {

LiveModel::LiveModel(Model model) : model_(std::move(model)) {}

LiveModel::LiveModel(std::optional<Model> fresh, const std::string& path, Durability durability)
    : journal_(std::in_place, path, durability) {
  if (journal_->found()) {
    model_ = load_model(path);
  } else if (fresh) {
    model_ = std::move(*fresh);
  } else {
    throw Error(ErrorKind::kUsage, "labels", "a new model needs to know what to choose from");
  }
  journal_->begin(model_);
}

void LiveModel::check_open() const {
  if (closed_) throw Error(ErrorKind::kUsage, "the model is closed");
}

Decider& LiveModel::decider() {
  if (!decider_) decider_.emplace(model_, PendingLimits{}, journal_ ? &*journal_ : nullptr);
  return *decider_;
}

Encoder& LiveModel::encoder() {
  if (!encoder_) encoder_.emplace(model_.schema);
  return *encoder_;
}

void LiveModel::forget_names() {
  encoder_.reset();
  decider_.reset();
}

LabelNames LiveModel::labels() {
  const auto& names = model_.schema.labels.names();
  if (!labels_ || *labels_ != names) {
    labels_ = std::make_shared<const std::vector<std::string>>(names);
  }
  return labels_;
}

Features LiveModel::encode(const Given& given) {
  if (given.named()) return encoder().encode(given.values());
  if (model_.schema.named_features) {
    throw Error(ErrorKind::kUsage, "the features of this model have names: give a dict");
  }
  return given.features();
}

// The text of the number of the round, so that the same calls have the same ids.
std::string LiveModel::next_id() const {
  std::int64_t number = model_.tally.rounds + 1;
  while (model_.pending.find(std::to_string(number)) != nullptr) ++number;
  return std::to_string(number);
}

// The k numbers of one x. Requires: the model's lock, alone.
std::vector<double> LiveModel::forecast(const Features& x, Forecast what,
                                        std::span<const Label> allowed) {
  one_.clear();
  one_.append(x, kNoLabel);
  std::vector<double> out;
  soba::predict(
      model_, one_, what,
      [&](Label, std::span<const double> numbers) { out.assign(numbers.begin(), numbers.end()); },
      allowed);
  return out;
}

namespace {

std::vector<std::string> names_of(const py::object& allowed) {
  std::vector<std::string> out;
  if (allowed.is_none()) return out;
  if (PyUnicode_Check(allowed.ptr())) {
    throw py::type_error("allowed: expected a list of labels, not one text");
  }
  for (const py::handle name : allowed) out.emplace_back(text_of(name.ptr(), "allowed: a label"));
  if (out.empty()) throw Error(ErrorKind::kUsage, "allowed", "there is no label to choose from");
  return out;
}

}  // namespace

LiveDecision LiveModel::decide(const py::object& x, const py::object& id,
                               const py::object& allowed) {
  const Given given(x);
  const std::vector<std::string> names = names_of(allowed);
  LiveDecision out;
  if (!id.is_none()) out.id = text_of(id.ptr(), "id");
  const py::gil_scoped_release unlocked;
  const std::unique_lock lock(mutex_);
  check_open();
  if (out.id.empty()) out.id = next_id();
  const std::vector<Label> among = allowed_labels(model_, names);
  const Features features = encode(given);
  try {
    Decider& deciding = decider();
    const bool again = model_.pending.find(out.id) != nullptr;
    if (!again) out.distribution = forecast(features, Forecast::kProbabilities, among);
    out.drawn = deciding.decide(out.id, features, among);
  } catch (...) {
    if (given.named()) encoder().undo();
    throw;
  }
  commit();
  out.labels = labels();
  out.limited = !among.empty();
  return out;
}

bool LiveModel::reward(const std::string& id, bool correct) {
  return with([&](Model&) {
    const bool known = decider().feedback(id, correct) == Decider::Feedback::kTaken;
    if (known) commit();
    return known;
  });
}

bool LiveModel::forget(const std::string& id) {
  return with([&](Model&) {
    const bool known = decider().forget(id) == Decider::Feedback::kTaken;
    if (known) commit();
    return known;
  });
}

void LiveModel::change(const std::string& option, const std::string& value) {
  with([&](Model&) {
    decider().change(option, value);
    commit();
  });
}

std::vector<double> LiveModel::numbers_of(const py::object& x, bool probabilities) {
  const Given given(x);
  return with([&](Model&) {
    const Features read = encode(given);
    if (given.named()) encoder().undo();
    return forecast(read, probabilities ? Forecast::kProbabilities : Forecast::kScores, {});
  });
}

void LiveModel::add_label(const std::string& name) {
  with([&](Model&) {
    decider().add_label(name);
    commit();
  });
}

void LiveModel::rename_label(const std::string& from, const std::string& to) {
  with([&](Model&) {
    decider().rename_label(from, to);
    commit();
  });
}

void LiveModel::retire_label(const std::string& name) {
  with([&](Model&) {
    decider().retire_label(name);
    commit();
  });
}

Explanation LiveModel::explain(const py::object& x, const py::object& id, const py::object& allowed,
                               std::size_t most) {
  std::optional<Given> given;
  std::string waiting;
  if (id.is_none()) {
    given.emplace(x);
  } else {
    waiting = text_of(id.ptr(), "id");
  }
  const std::vector<std::string> names = names_of(allowed);
  return with([&](Model& model) {
    if (!given) {
      const Pending* const decision = model.pending.find(waiting);
      if (decision == nullptr) throw py::key_error("no decision waits under the id " + waiting);
      return soba::explain(model, {decision->index, decision->value}, most, decision->allowed);
    }
    const Features read = encode(*given);
    one_.clear();
    one_.append(read, kNoLabel);
    // Before the names of new features are taken back, which it tells.
    try {
      Explanation out = soba::explain(model, one_.features(0), most, allowed_labels(model, names));
      if (given->named()) encoder().undo();
      return out;
    } catch (...) {
      if (given->named()) encoder().undo();
      throw;
    }
  });
}

Weights LiveModel::weights(std::size_t most) {
  return with([&](Model& model) { return soba::weights(model, most); });
}

void LiveModel::check_rows(const Rows& rows) const {
  if (rows.named() == model_.schema.named_features) return;
  throw Error(ErrorKind::kUsage,
              rows.named() ? "the features of this model are columns of a matrix, without names"
                           : "the features of this model have names: give a data frame");
}

Tally LiveModel::play(const Rows& rows, const Vector<std::int32_t>& labels,
                      const Vector<std::int64_t>& order) {
  const std::span<const std::int32_t> y(labels.data(), static_cast<std::size_t>(labels.size()));
  const std::span<const std::int64_t> at(order.data(), static_cast<std::size_t>(order.size()));
  return with([&](Model& model) {
    check_rows(rows);
    if (journal_) throw Error(ErrorKind::kUsage, "a model with a journal learns by reward() alone");
    std::optional<Encoder> names;
    if (rows.named()) names.emplace(model.schema, "learn");
    forget_names();
    RowStream stream(rows, y, at, model.schema, predictor(model.learner).shape(),
                     names ? &*names : nullptr);
    return run(stream, model, {.block = interrupt_check()}).tally;
  });
}

Tally LiveModel::learn_log(const Rows& rows, const Vector<std::int32_t>& played,
                           const Vector<bool>& correct, const Vector<double>& probability) {
  const std::span<const std::int32_t> y(played.data(), static_cast<std::size_t>(played.size()));
  const std::span<const bool> right(correct.data(), static_cast<std::size_t>(correct.size()));
  const std::span<const double> p(probability.data(), static_cast<std::size_t>(probability.size()));
  return with([&](Model& model) {
    check_rows(rows);
    if (right.size() != y.size() || p.size() != y.size()) {
      throw Error(ErrorKind::kUsage, "played, correct and probability differ in length");
    }
    if (journal_) throw Error(ErrorKind::kUsage, "a model with a journal learns by reward() alone");
    std::optional<Encoder> names;
    if (rows.named()) names.emplace(model.schema, "learn");
    forget_names();
    const Tally before = model.tally;
    RowStream stream(rows, y, {}, model.schema, predictor(model.learner).shape(),
                     names ? &*names : nullptr);
    const std::function<void(const Tally&)> interrupted = interrupt_check();
    std::size_t from = 0;
    while (const Block* const block = stream.next()) {
      learn_lessons(*block, right.subspan(from, block->size()), p.subspan(from, block->size()),
                    model);
      from += block->size();
      interrupted(model.tally);
    }
    Tally out = model.tally;
    out.rounds -= before.rounds;
    out.answers -= before.answers;
    out.mistakes -= before.mistakes;
    out.updates -= before.updates;
    out.skipped -= before.skipped;
    return out;
  });
}

std::pair<Matrix, Vector<std::int32_t>> LiveModel::predict(const Rows& rows, bool probabilities) {
  const auto k = static_cast<std::size_t>(
      with([](Model& model) { return predictor(model.learner).shape().classes; }));
  Matrix out({static_cast<std::size_t>(rows.size()), k});
  Vector<std::int32_t> best(rows.size());
  double* const numbers = out.mutable_data();
  std::int32_t* const greedy = best.mutable_data();
  const py::gil_scoped_release unlocked;
  const auto fill = [&](Encoder* names) {
    check_rows(rows);
    RowStream stream(rows, {}, {}, model_.schema, predictor(model_.learner).shape(), names);
    std::int64_t row = 0;
    const Forecast what = probabilities ? Forecast::kProbabilities : Forecast::kScores;
    while (const Block* const block = stream.next()) {
      soba::predict(model_, *block, what, [&](Label best_label, std::span<const double> from) {
        greedy[row] = best_label;
        std::copy_n(from.begin(), k, numbers + static_cast<std::size_t>(row++) * k);
      });
    }
  };
  if (rows.named()) {  // the encoder adds names, and takes them back
    const std::unique_lock lock(mutex_);
    check_open();
    Encoder names(model_.schema, "ignore");
    fill(&names);
  } else {
    const std::shared_lock lock(mutex_);
    check_open();
    fill(nullptr);
  }
  return {std::move(out), std::move(best)};
}

py::bytes LiveModel::bytes() {
  return with([](Model& model) { return write_model(model); });
}

void LiveModel::save(const std::string& path) {
  with([&](Model& model) { save_model(model, path); });
}

void LiveModel::close() {
  const py::gil_scoped_release unlocked;
  const std::unique_lock lock(mutex_);
  if (closed_ || !journal_) return;
  journal_->close();
  decider_.reset();
  journal_.reset();
  closed_ = true;
}

std::function<void(const Tally&)> interrupt_check() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()](const Tally&) mutable {
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(50)) return;
    last = now;
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
}

}  // namespace soba::python
