// What a run shows: counted while it is played, replayed from its trace, or read off its model.

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "soba/error.h"
#include "soba/lab/theory.h"

namespace soba {

namespace {

// The fields of a learner's state that are one number.
class Scalars final : public StateVisitor {
 public:
  explicit Scalars(std::map<std::string, double>& out) : out_(out) {}

  bool loading() const override { return false; }
  std::uint32_t version() const override { return kModelVersion; }
  void field(std::string_view name, double& value) override { out_[std::string(name)] = value; }
  void field(std::string_view name, std::int64_t& value) override {
    out_[std::string(name)] = static_cast<double>(value);
  }
  void field(std::string_view, std::string&) override {}
  void field(std::string_view, std::vector<double>&) override {}
  void field(std::string_view, std::vector<float>&) override {}
  void field(std::string_view, std::vector<std::int32_t>&) override {}
  void field(std::string_view, std::vector<std::int64_t>&) override {}
  void field(std::string_view, std::vector<std::string>&) override {}
  void require(bool, std::string_view) override {}

 private:
  std::map<std::string, double>& out_;
};

// Counts rounds as they are played; before the first one of a model that has learnt nothing.
class Counter {
 public:
  explicit Counter(const Model& model) : model_(model) {}

  void add(const Played& row) {
    seen_.rounds += 1;
    seen_.mistakes += !row.correct;
    seen_.greedy_mistakes += row.greedy != row.label;
    seen_.rates += row.gamma;
    seen_.events += row.gamma > 0 || row.updated;
    if (row.round != next_) return;
    mark();
    next_ = next_curve_round(next_);
  }

  Observation finish() {
    if (curve_.empty() || curve_.back().rounds != seen_.rounds) mark();
    seen_.state = curve_.back().state;
    seen_.curve = std::move(curve_);
    return std::move(seen_);
  }

 private:
  void mark() {
    Observation point = seen_;
    Scalars scalars(point.state);
    predictor(model_.learner).save(scalars);
    curve_.push_back(std::move(point));
  }

  const Model& model_;
  Observation seen_;
  std::vector<Observation> curve_;
  std::int64_t next_ = next_curve_round(0);
};

void require_fresh(const Model& model) {
  if (model.tally.rounds == 0) return;
  throw Error(ErrorKind::kUsage, "a bound is on a run from its first round: the model has " +
                                     std::to_string(model.tally.rounds) + " behind it");
}

// Teaches the model the round of a trace instead of a drawn one.
void replay_round(const Features& x, Label truth, const Played& row, Model& model) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::kInput, fmt::format("round {} of the trace: {}", row.round, why));
  };
  if (row.round != ++model.tally.rounds) refuse("rounds are not numbered 1, 2, …");
  if (row.label != truth) refuse("its label is not that of the data: give DATA as it was played");
  if (row.correct != (row.played == row.label)) refuse("'correct' contradicts its labels");
  Predictor& learner = predictor(model.learner);
  learner.reserve(x);
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings());
  learner.scores(x, out);
  const std::span<const double> scores = std::span(out).first(k);
  if (argmax(scores) != row.greedy) {
    refuse(
        "the learner's greedy label is another: give the learner, its options and the seed of "
        "the run that left the trace");
  }
  const Round round{x, scores, std::span(out).subspan(k), row.greedy, row.played, row.probability};
  const Learned learned =
      std::visit([&](auto& one) { return learn(*one, round, truth); }, model.learner);
  if (learned.updated != row.updated) refuse("whether it was learnt from is not so here");
}

template <class Add>
void add_all(Observation& sum, const Observation& one, Add add) {
  add(sum.rounds, one.rounds);
  add(sum.mistakes, one.mistakes);
  add(sum.greedy_mistakes, one.greedy_mistakes);
  add(sum.rates, one.rates);
  add(sum.events, one.events);
  std::erase_if(sum.state, [&](const auto& field) { return !one.state.contains(field.first); });
  for (auto& [name, value] : sum.state) add(value, one.state.at(name));
  for (std::size_t i = 0; i < std::min(sum.curve.size(), one.curve.size()); ++i) {
    add_all(sum.curve[i], one.curve[i], add);
  }
}

}  // namespace

Observation Observation::mean(std::span<const Observation> runs) {
  Observation sum = runs.front();
  for (const Observation& run : runs.subspan(1)) {
    add_all(sum, run, [](double& total, double value) { total += value; });
  }
  const Observation copy = sum;
  const auto count = static_cast<double>(runs.size());
  add_all(sum, copy, [count](double& total, double value) { total = value / count; });
  return sum;
}

Observation observe(Source& source, Model& model, const TheoryProgress& progress) {
  require_fresh(model);
  const double all = static_cast<double>(source.rounds().value_or(0));
  const std::unique_ptr<Stream> stream = source.open();
  Counter counter(model);
  while (const Block* const block = stream->next()) {
    play(*block, model, [&](const Played& row) { counter.add(row); });
    const double done = all > 0 ? static_cast<double>(model.tally.rounds) / all : 0;
    if (progress && !progress("playing", done)) break;
  }
  return counter.finish();
}

Observation replay(Source& source, Model& model, std::span<const Played> trace) {
  require_fresh(model);
  const std::unique_ptr<Stream> stream = source.open();
  Counter counter(model);
  std::size_t next = 0;
  while (const Block* const block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      if (next == trace.size()) {
        throw Error(ErrorKind::kInput, "the trace ends before the data does");
      }
      const Played& row = trace[next++];
      replay_round(block->features(i), block->label[i], row, model);
      counter.add(row);
    }
  }
  if (next != trace.size()) throw Error(ErrorKind::kInput, "the data ends before the trace does");
  return counter.finish();
}

Observation observe(const Model& model) {
  Observation seen;
  seen.rounds = static_cast<double>(model.tally.rounds);
  seen.mistakes = static_cast<double>(model.tally.mistakes);
  seen.greedy_mistakes = static_cast<double>(model.tally.greedy_mistakes);
  seen.rates = seen.events = std::numeric_limits<double>::quiet_NaN();
  Scalars scalars(seen.state);
  predictor(model.learner).save(scalars);
  return seen;
}

}  // namespace soba
