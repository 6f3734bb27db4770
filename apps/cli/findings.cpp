#include "findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace soba::cli {

namespace {

bool is_bandit(const Contender& contender) { return contender.result.feedback == "bandit"; }

const Contender* find(const Comparison& comparison, std::string_view name) {
  for (const Contender& contender : comparison.contenders) {
    if (contender.name == name) return &contender;
  }
  return nullptr;
}

std::string points(double fraction) { return fmt::format("{:.1f} points", 100 * fraction); }
std::string short_percent(double fraction) { return fmt::format("{:.1f}%", 100 * fraction); }

void compare_forms(const Comparison& comparison, std::vector<std::string>& out) {
  const Contender* exact = find(comparison, "soba");
  const Contender* diagonal = find(comparison, "sobadiag");
  if (exact == nullptr || diagonal == nullptr) return;
  const double gain = diagonal->result.error() - exact->result.error();
  out.push_back(fmt::format(
      "Exact SOBA makes {} {} errors than its diagonal form ({} against {}): {}.",
      points(std::fabs(gain)), gain >= 0 ? "fewer" : "more", short_percent(exact->result.error()),
      short_percent(diagonal->result.error()),
      gain >= 0 ? "the full covariance pays here" : "the full covariance does not pay here"));
  const double speed =
      exact->result.rounds_per_second() / std::max(1.0, diagonal->result.rounds_per_second());
  const double share = static_cast<double>(exact->result.tally.updates) /
                       static_cast<double>(exact->result.tally.rounds);
  out.push_back(
      fmt::format("It learns at {:.2f} times the speed of the diagonal form, and changes its "
                  "weights in {:.2g}% of the rounds.",
                  speed, 100 * share));
}

void name_the_best(const Comparison& comparison, std::vector<std::string>& out) {
  std::vector<const Contender*> bandits;
  for (const Contender& contender : comparison.contenders) {
    if (is_bandit(contender)) bandits.push_back(&contender);
  }
  if (bandits.size() < 2) return;
  std::sort(bandits.begin(), bandits.end(), [](const Contender* a, const Contender* b) {
    return a->result.error() < b->result.error();
  });
  const Contender& best = *bandits.front();
  const Contender& worst = *bandits.back();
  out.push_back(fmt::format(
      "Of the learners that are told only right or wrong, {} errs least ({}) and {} most ({}).",
      best.name, short_percent(best.result.error()), worst.name,
      short_percent(worst.result.error())));
}

void compare_with_yardsticks(const Comparison& comparison, std::vector<std::string>& out) {
  for (const Contender& yardstick : comparison.contenders) {
    if (is_bandit(yardstick)) continue;
    std::vector<std::string> better;
    for (const Contender& contender : comparison.contenders) {
      if (is_bandit(contender) && contender.result.error() < yardstick.result.error()) {
        better.push_back(contender.name);
      }
    }
    out.push_back(fmt::format("{} is told every label and errs {}; {}.", yardstick.name,
                              short_percent(yardstick.result.error()),
                              better.empty()
                                  ? "no learner without the labels does better"
                                  : sentence_list(better) + (better.size() == 1 ? " does" : " do") +
                                        " better with far less to go by"));
  }
}

}  // namespace

std::vector<std::string> findings(const Comparison& comparison) {
  std::vector<std::string> out;
  compare_forms(comparison, out);
  name_the_best(comparison, out);
  compare_with_yardsticks(comparison, out);
  return out;
}

}  // namespace soba::cli
