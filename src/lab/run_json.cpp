// The results of runs for programs.

#include <cmath>

#include "lab/class_names.h"
#include "lab/json.h"
#include "soba/lab/process.h"
#include "soba/lab/rows.h"

namespace soba::lab {

namespace {

template <class Value>
Spread spread(const std::vector<RunResult>& results, Value value) {
  const double count = static_cast<double>(results.size());
  Spread out;
  for (const RunResult& result : results) out.mean += value(result) / count;
  double squares = 0;
  for (const RunResult& result : results) squares += std::pow(value(result) - out.mean, 2);
  if (results.size() > 1) out.std = std::sqrt(squares / (count - 1));
  return out;
}

// A row of the confusion matrix: the labels that were played.
Json played_as_json(const RunResult& result, std::size_t y) {
  Json out = Json::object();
  const auto k = static_cast<std::size_t>(result.by_class.classes());
  for (std::size_t z = 0; z < k; ++z) {
    const std::int64_t rounds = result.by_class.confusion[y * k + z];
    if (rounds > 0) out[class_name(result, static_cast<Label>(z))] = rounds;
  }
  return out;
}

// The labels that were right or played in some round.
Json by_class_json(const RunResult& result) {
  const ClassCounts& counts = result.by_class;
  Json out = Json::array();
  for (Label label = 0; label < counts.classes(); ++label) {
    const auto y = static_cast<std::size_t>(label);
    if (counts.examples[y] == 0 && counts.played[y] == 0) continue;
    Json one = {{"label", class_name(result, label)},
                {"examples", counts.examples[y]},
                {"played", counts.played[y]},
                {"right", counts.right[y]},
                {"recall", counts.recall(label)},
                {"precision", counts.precision(label)},
                {"greedy_recall", counts.greedy_recall(label)}};
    if (!counts.confusion.empty()) one["played_as"] = played_as_json(result, y);
    out.push_back(std::move(one));
  }
  return out;
}

Json to_json(const RunResult& result, bool skipped) {
  Json out;
  out["learner"] = result.learner;
  out["options"] = options_json(result.learner, result.options);
  out["data"] = result.data;
  out["seed"] = result.seed;
  out["rounds"] = result.tally.rounds;
  out["classes"] = result.shape.classes;
  out["features"] = result.shape.features;
  out["mistakes"] = result.tally.mistakes;
  out["error"] = result.error();
  out["greedy_error"] = result.greedy_error();
  out["constant_error"] = result.by_class.constant_error();
  out["guess_error"] = result.by_class.guess_error();
  out["beats_constant"] = result.by_class.beats_constant();
  out["updates"] = result.tally.updates;
  if (result.feedback == "labels") {  // nothing was played
    out["taught"] = true;
    out["mistakes"] = out["error"] = nullptr;
  }
  if (result.tally.skipped > 0) out["skipped_updates"] = result.tally.skipped;
  out["learn_seconds"] = result.learn_seconds;
  out["total_seconds"] = result.total_seconds;
  out["rounds_per_second"] = result.rounds_per_second();
  out["peak_memory_bytes"] = peak_memory_bytes();
  if (!result.reason.empty()) out["reason"] = result.reason;
  if (!result.remarks.empty()) out["remarks"] = result.remarks;
  if (skipped) out["skipped"] = result.skipped;
  if (!result.advice.empty()) out["advice"] = result.advice;
  if (result.earlier > 0) out["resumed_after"] = result.earlier;
  out["by_class"] = by_class_json(result);
  return out;
}

}  // namespace

Spread error_spread(const std::vector<RunResult>& results) {
  return spread(results, [](const RunResult& result) { return result.error(); });
}

Spread greedy_spread(const std::vector<RunResult>& results) {
  return spread(results, [](const RunResult& result) { return result.greedy_error(); });
}

std::string result_json(const RunResult& result, bool skipped) {
  return indented(to_json(result, skipped));
}

std::string results_json(const std::vector<RunResult>& results, bool skipped) {
  Json out;
  out["runs"] = Json::array();
  for (const RunResult& result : results) out["runs"].push_back(to_json(result, skipped));
  const Spread error = error_spread(results), greedy = greedy_spread(results);
  out["mean"] = {{"error", error.mean}, {"greedy_error", greedy.mean}};
  out["std"] = {{"error", error.std}, {"greedy_error", greedy.std}};
  return indented(out);
}

}  // namespace soba::lab
