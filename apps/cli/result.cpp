#include "result.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "learner_options.h"
#include "text.h"

namespace soba::cli {

namespace {

struct Spread {
  double mean = 0, std = 0;
};

// The sample standard deviation; 0 for a single run.
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

Spread error_spread(const std::vector<RunResult>& results) {
  return spread(results, [](const RunResult& result) { return result.error(); });
}

Spread greedy_spread(const std::vector<RunResult>& results) {
  return spread(results, [](const RunResult& result) { return result.greedy_error(); });
}

std::string heading(const RunResult& result) {
  const std::string options = options_text(result.options);
  std::string out =
      result.learner + (options.empty() ? "" : " (" + options + ")") + " on " + result.data;
  out = wrap(out, 2, 0) + '\n';
  if (!result.reason.empty()) out += "  " + wrap(result.reason, 2, 2) + '\n';
  if (result.feedback != "bandit") {
    out += "  is told the true label in every round: a yardstick, not a bandit learner\n";
  }
  return out;
}

std::string line(std::string_view name, std::string_view value, std::string_view explanation) {
  const std::string start = fmt::format("  {} {}", pad_right(name, 15), pad_left(value, 12));
  return explanation.empty() ? start + '\n' : start + "   " + wrap(explanation, 33, 33) + '\n';
}

}  // namespace

double RunResult::error() const { return fraction(tally.mistakes, tally.rounds); }
double RunResult::greedy_error() const { return fraction(tally.greedy_mistakes, tally.rounds); }
double RunResult::rounds_per_second() const {
  return learn_seconds > 0 ? static_cast<double>(tally.rounds) / learn_seconds : 0;
}

RunResult make_result(const Outcome& outcome, const Source& source, const Model& model) {
  if (outcome.tally.rounds == 0) {
    throw Error(ErrorKind::kInput, source.description() + ": holds no example");
  }
  RunResult result;
  result.learner = model.learner_name;
  const NamedLearner named = find_learner(model.learner_name);
  result.feedback = named.info == nullptr ? "" : named.info->feedback;
  result.options = model.options;
  result.reason = model.reason;
  result.remarks = predictor(model.learner).remarks();
  result.data = source.description();
  result.seed = model.seed;
  result.shape = source.shape();
  result.tally = outcome.tally;
  result.lifetime = model.tally;
  result.learn_seconds = outcome.learn_seconds;
  return result;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

Json result_json(const RunResult& result) {
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
  out["learn_seconds"] = result.learn_seconds;
  out["total_seconds"] = result.total_seconds;
  out["rounds_per_second"] = result.rounds_per_second();
  out["peak_memory_bytes"] = peak_memory_bytes();
  if (!result.reason.empty()) out["reason"] = result.reason;
  if (!result.remarks.empty()) out["remarks"] = result.remarks;
  if (result.skipped) out["skipped"] = *result.skipped;
  return out;
}

std::string result_text(const RunResult& result) {
  const Tally& tally = result.tally;
  std::string out = heading(result);
  out += line("rounds", thousands(tally.rounds),
              fmt::format("{} classes, {}, seed {}", thousands(result.shape.classes),
                          plural(result.shape.features, "feature"), result.seed));
  out += line("played error", percent(result.error()),
              fmt::format("what you pay: {} played", plural(tally.mistakes, "wrong label")));
  out += line("greedy error", percent(result.greedy_error()),
              "what it has learnt: wrong when not exploring");
  out += line("updates", thousands(tally.updates), "rounds that changed the learner");
  out += line("speed", thousands(std::llround(result.rounds_per_second())),
              fmt::format("rounds/s (learning {}, in all {})", duration(result.learn_seconds),
                          duration(result.total_seconds)));
  out += line("memory", memory(peak_memory_bytes()), "at most, the whole program");
  if (!result.remarks.empty()) out += "  " + wrap(result.remarks, 4, 2) + '\n';
  if (result.skipped) {
    out += line("left out", thousands(*result.skipped), "lines that could not be read");
    if (*result.skipped > 0) out += "  the first: " + wrap(result.first_skipped, 4, 13) + '\n';
  }
  if (result.lifetime.rounds != tally.rounds) {
    const Tally& life = result.lifetime;
    out += line(
        "since the start", thousands(life.rounds),
        fmt::format("rounds; played error {}, {}", percent(fraction(life.mistakes, life.answers)),
                    plural(life.updates, "update")));
  }
  return out;
}

Json results_json(const std::vector<RunResult>& results) {
  Json out;
  out["runs"] = Json::array();
  for (const RunResult& result : results) out["runs"].push_back(result_json(result));
  const Spread error = error_spread(results), greedy = greedy_spread(results);
  out["mean"] = {{"error", error.mean}, {"greedy_error", greedy.mean}};
  out["std"] = {{"error", error.std}, {"greedy_error", greedy.std}};
  return out;
}

std::string results_text(const std::vector<RunResult>& results) {
  std::string out = heading(results.front());
  const auto row = [&](const std::string& a, const std::string& b, const std::string& c,
                       const std::string& d, const std::string& e, const std::string& f) {
    out += fmt::format("  {} {} {} {} {} {}\n", pad_right(a, 6), pad_left(b, 12), pad_left(c, 14),
                       pad_left(d, 14), pad_left(e, 12), pad_left(f, 12));
  };
  row("seed", "rounds", "played error", "greedy error", "updates", "rounds/s");
  for (const RunResult& result : results) {
    row(fmt::format("{}", result.seed), thousands(result.tally.rounds), percent(result.error()),
        percent(result.greedy_error()), thousands(result.tally.updates),
        thousands(std::llround(result.rounds_per_second())));
  }
  const Spread error = error_spread(results), greedy = greedy_spread(results);
  row("mean", "", percent(error.mean), percent(greedy.mean), "", "");
  row("± std", "", percent(error.std), percent(greedy.std), "", "");
  return out;
}

}  // namespace soba::cli
