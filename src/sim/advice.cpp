#include "sim/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace soba {

namespace {

constexpr std::int64_t kRounds = 200;  // fewer say nothing
constexpr double kDeviations = 3;
constexpr double kPlainly = 0.25;  // of the mistakes: a difference that is worth a word

double count(std::int64_t n) { return static_cast<double>(n); }

bool has_gamma(const RunResult& result) { return result.options.contains("gamma"); }

std::string without_exploring(const RunResult& result) {
  return has_gamma(result) ? "a lower option gamma, or learner auto, which explores only in doubt"
                           : "learner auto, which explores only in doubt";
}

std::string no_better(const RunResult& result) {
  const bool bandit = result.feedback == "bandit";
  if (bandit && result.by_class.greedy_beats_constant()) {
    return "exploring costs more than what was learnt gains; try " + without_exploring(result);
  }
  if (bandit && result.learner != "auto") return "try learner auto, which needs no tuning";
  return "these features hardly tell the labels apart; try other features, or more examples";
}

// Wrong labels beyond those of the greedy label, where there are plainly more.
bool explores_too_much(const RunResult& result) {
  const Tally& tally = result.tally;
  const double extra = count(tally.mistakes - tally.greedy_mistakes);
  return result.feedback == "bandit" && result.learner != "auto" &&
         extra > kPlainly * count(tally.mistakes) &&
         extra > kDeviations * std::sqrt(count(tally.mistakes));
}

// The point of the curve that is nearest to half of the rounds.
Tally middle(const RunResult& result) {
  Tally best;
  for (const Tally& at : result.curve) {
    const auto distance = [&](const Tally& point) {
      return std::abs(2 * point.rounds - result.tally.rounds);
    };
    if (distance(at) < distance(best)) best = at;
  }
  return best;
}

std::string still_falling(const RunResult& result) {
  const Tally& all = result.tally;
  const Tally half = middle(result);
  if (half.rounds == 0 || half.rounds == all.rounds) return "";
  const double first = count(half.mistakes) / count(half.rounds);
  const double rest = count(all.rounds - half.rounds);
  const double second = count(all.mistakes - half.mistakes) / rest;
  const double deviation = std::sqrt(first / count(half.rounds) + second / rest);
  if (first - second < std::max(kPlainly * first, kDeviations * deviation)) return "";
  return fmt::format(
      "the error still falls, from {:.2f} % in the first half to {:.2f} % in the second; option "
      "passes 2 shows what more examples would bring",
      100 * first, 100 * second);
}

}  // namespace

std::string advice(const RunResult& result) {
  if (result.feedback == "labels") return "";  // nothing was tried
  if (result.tally.rounds < kRounds || result.earlier > 0 || !result.complete) return "";
  if (!result.by_class.beats_constant()) return no_better(result);
  if (explores_too_much(result)) {
    return fmt::format("{:.0f} % of the wrong labels come from exploring; try {}",
                       100 * count(result.tally.mistakes - result.tally.greedy_mistakes) /
                           count(result.tally.mistakes),
                       without_exploring(result));
  }
  return still_falling(result);
}

}  // namespace soba
