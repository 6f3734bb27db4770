#include "result.h"

#include <fmt/format.h>

#include <cmath>

#include "soba/lab/describe.h"
#include "soba/lab/process.h"
#include "soba/lab/rows.h"
#include "text.h"

namespace soba::cli {

namespace {

std::string heading(const RunResult& result) {
  const std::string options = lab::options_text(result.options);
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

std::string result_text(const RunResult& result, bool skipped) {
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
  out += line("memory", memory(lab::peak_memory_bytes()), "at most, the whole program");
  if (!result.remarks.empty()) out += "  " + wrap(result.remarks, 4, 2) + '\n';
  if (skipped) {
    out += line("left out", thousands(result.skipped), "lines that could not be read");
    if (result.skipped > 0) out += "  the first: " + wrap(result.first_skipped, 4, 13) + '\n';
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
  const lab::Spread error = lab::error_spread(results), greedy = lab::greedy_spread(results);
  row("mean", "", percent(error.mean), percent(greedy.mean), "", "");
  row("± std", "", percent(error.std), percent(greedy.std), "", "");
  return out;
}

}  // namespace soba::cli
