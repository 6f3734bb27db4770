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
  if (result.feedback == "labels") {
    out += "  was taught the label of every example: nothing was played\n";
  } else if (result.feedback != "bandit") {
    out += "  is told the true label in every round: a yardstick, not a bandit learner\n";
  }
  return out;
}

std::string line(std::string_view name, std::string_view value, std::string_view explanation) {
  const std::string start = fmt::format("  {} {}", pad_right(name, 15), pad_left(value, 12));
  return explanation.empty() ? start + '\n' : start + "   " + wrap(explanation, 33, 33) + '\n';
}

// What the errors must be compared with, and a plain word where that is no better.
std::string baselines(const RunResult& result) {
  const ClassCounts& counts = result.by_class;
  if (counts.rounds() == 0) return "";
  const auto constant = static_cast<std::size_t>(counts.constant());
  const std::string name = constant < result.labels.size() ? result.labels[constant] : "";
  std::string out =
      line("constant error", percent(counts.constant_error()),
           fmt::format("always '{}'; guessing: {}", name, percent(counts.guess_error())));
  if (counts.beats_constant()) return out;
  return out + "  " +
         wrap(fmt::format("{} was no better than always playing '{}'.", result.learner, name), 2,
              2) +
         '\n';
}

}  // namespace

std::string result_text(const RunResult& result, bool skipped, bool confusion) {
  const Tally& tally = result.tally;
  std::string out = heading(result);
  out += line("rounds", thousands(tally.rounds),
              fmt::format("{} classes, {}, seed {}", thousands(result.shape.classes),
                          plural(result.shape.features, "feature"), result.seed));
  if (result.feedback != "labels") {
    out += line("played error", percent(result.error()),
                fmt::format("what you pay: {} played", plural(tally.mistakes, "wrong label")));
  }
  out += line("greedy error", percent(result.greedy_error()),
              "what it has learnt: wrong when not exploring");
  out += baselines(result);
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
  if (result.by_class.rounds() > 0) {
    if (result.earlier > 0) {
      out += fmt::format("\n  {} before it resumed are not counted here:\n",
                         plural(result.earlier, "round"));
    }
    out += '\n' + lab::class_table(result);
    if (confusion) out += '\n' + lab::confusion_table(result);
  }
  if (!result.advice.empty()) out += "\n  next: " + wrap(result.advice, 8, 8) + '\n';
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
