// The draws of `soba decide`, made again: they depend on the seed, the id and the state alone.
#include <fmt/format.h>

#include <cmath>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "evaluate/decision_reader.h"
#include "evaluate/named_x.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/evaluate.h"

namespace soba {

namespace {

constexpr double kSlack = 1e-9;  // between machines
constexpr std::size_t kMost = 100;

std::int64_t count_decisions(const std::vector<std::string>& logs) {
  DecisionReader log(logs, {}, {});
  std::int64_t count = 0;
  while (const LogRow* row = log.next_line()) count += row->kind == LogRow::Kind::kDecision;
  return count;
}

// The model of a file, or what it was before its first decision.
Model start_of(const std::string& path, std::int64_t decisions) {
  Model model = load_model(path);
  if (model.tally.rounds != decisions || decisions == 0) return model;
  const Schema& old = model.schema;
  if (!old.columns.empty()) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the columns of a file taught this model, so its beginning is not "
                            "known; name a copy from before the log",
                            path));
  }
  Schema schema = named_schema(old.labels.names());
  schema.normalize = old.normalize;
  schema.bias = old.bias;
  copy_column_rules(old, schema);
  return new_model(model.learner_name, model.options, std::move(schema), model.seed);
}

class Replayer {
 public:
  Replayer(const std::vector<std::string>& logs, Model& model)
      : log_(logs, {}, {.policies = {}, .x = true}),
        model_(model),
        decider_(model),
        x_(model.schema) {}

  Replay run() {
    while (const LogRow* row = log_.next_line()) {
      if (row->kind == LogRow::Kind::kDecision) {
        decide(*row);
      } else if (row->kind == LogRow::Kind::kForgotten) {
        decider_.forget(row->id);
      } else if (decider_.feedback(row->id, *row->correct) == Decider::Feedback::kUnknownId) {
        differ(*row, "an answer without an open decision");
      }
    }
    return std::move(out_);
  }

 private:
  void differ(const LogRow& row, std::string what) {
    ++out_.mismatches;
    if (out_.first.size() < kMost)
      out_.first.push_back({log_.place(), std::string(row.id), std::move(what)});
  }

  void decide(const LogRow& row) {
    ++out_.decisions;
    if (row.correct) {
      log_.refuse("correct",
                  "expected an answer on a line of its own, as 'soba decide --log' writes "
                  "it; the draws of 'soba run' are audited by its trace");
    }
    const Features x = x_.read(row, log_);
    Decision drawn;
    try {
      drawn = decider_.decide(row.id, x);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInput) throw;
      differ(row, error.what());
      return;
    }
    if (drawn.label == row.label && std::fabs(drawn.probability - row.probability) <= kSlack)
      return;
    differ(row,
           fmt::format("{} with probability {:.9g} in the log, {} with {:.9g} again",
                       shown(row.label), row.probability, shown(drawn.label), drawn.probability));
    follow(row);
  }

  // What the log says was played is what its answer is about.
  void follow(const LogRow& row) {
    const auto label = model_.schema.labels.find(row.label);
    const Pending* const waiting = model_.pending.find(row.id);
    if (!label || waiting == nullptr) return;
    Pending played = *waiting;
    played.played = *label;
    played.probability = row.probability;
    model_.pending.remove(row.id);
    model_.pending.add(std::move(played));
  }

  DecisionReader log_;
  Model& model_;
  Decider decider_;
  NamedX x_;
  Replay out_;
};

}  // namespace

Replay replay_log(const std::vector<std::string>& logs, const std::string& model) {
  for (const std::string& path : logs) {
    if (path == "-")
      throw Error(ErrorKind::kUsage, "a log is read twice to be replayed; give a file");
  }
  Model start = start_of(model, count_decisions(logs));
  return Replayer(logs, start).run();
}

}  // namespace soba
