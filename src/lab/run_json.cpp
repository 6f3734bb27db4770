// The results of runs for programs.

#include <cmath>

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
  out["updates"] = result.tally.updates;
  if (result.tally.skipped > 0) out["skipped_updates"] = result.tally.skipped;
  out["learn_seconds"] = result.learn_seconds;
  out["total_seconds"] = result.total_seconds;
  out["rounds_per_second"] = result.rounds_per_second();
  out["peak_memory_bytes"] = peak_memory_bytes();
  if (!result.reason.empty()) out["reason"] = result.reason;
  if (!result.remarks.empty()) out["remarks"] = result.remarks;
  if (skipped) out["skipped"] = result.skipped;
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
