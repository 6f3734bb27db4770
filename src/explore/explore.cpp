#include "soba/explore.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "linalg/kernels.h"

namespace soba {

namespace {

// From so many scores on it pays to go through them twice, in vectors.
constexpr std::size_t kMany = 32;

// Without branches on the scores, since which of them is the highest cannot be predicted: first the
// highest, then where it stands, as bits. (Compilers make a branch of a choice between places.)
// `excluded` may be the number of scores, where none is. Requires: fewer than kMany scores.
Label best_of_few(std::span<const double> scores, std::size_t excluded) {
  const std::size_t count = scores.size() - static_cast<std::size_t>(excluded < scores.size());
  const auto place = [&](std::size_t i) { return i + static_cast<std::size_t>(i >= excluded); };
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const double score = scores[place(i)];
    highest = score > highest ? score : highest;
  }
  std::uint32_t places = 0;
  for (std::size_t i = 0; i < count; ++i) {
    places |= static_cast<std::uint32_t>(scores[place(i)] >= highest) << i;
  }
  const int first = places == 0 ? 0 : std::countr_zero(places);  // 0: nothing is a number
  return static_cast<Label>(place(static_cast<std::size_t>(first)));
}

}  // namespace

Label argmax(std::span<const double> scores) {
  assert(!scores.empty());
  if (scores.size() < kMany) return best_of_few(scores, scores.size());
  return static_cast<Label>(linalg::argmax(scores.data(), scores.size()));
}

Label argmax_except(std::span<const double> scores, Label excluded) {
  assert(scores.size() >= 2);
  const auto before = static_cast<std::size_t>(excluded);
  if (scores.size() < kMany) return best_of_few(scores, before);
  const std::size_t behind = before + 1;
  const std::size_t first = linalg::argmax(scores.data(), before);
  const std::size_t second =
      linalg::argmax(scores.data() + behind, scores.size() - behind) + behind;
  const bool later = before == 0 || (behind < scores.size() &&
                                     (scores[second] > scores[first] || std::isnan(scores[first])));
  return static_cast<Label>(later ? second : first);
}

namespace {

// Scores that are a distribution may exceed 1 by rounding; a probability may not.
double proportion(double gamma, double score, double k) {
  return std::min(1.0, (1 - gamma) * score + gamma / k);
}

double inverse_gap(double gamma, double k, double gap) { return 1 / (k + gamma * gap); }

}  // namespace

double exploration_rate(const Exploration& exploration) {
  if (const auto* mix = std::get_if<UniformMix>(&exploration)) return mix->gamma;
  if (const auto* mix = std::get_if<ProportionalMix>(&exploration)) return mix->gamma;
  return 0;
}

void distribution(const Exploration& exploration, std::span<const double> scores,
                  std::span<double> p) {
  assert(p.size() == scores.size());
  const auto k = static_cast<double>(p.size());
  const auto greedy = static_cast<std::size_t>(argmax(scores));
  const double gamma = exploration_rate(exploration);
  if (std::holds_alternative<ProportionalMix>(exploration)) {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = proportion(gamma, scores[i], k);
  } else if (const auto* inverse = std::get_if<InverseGap>(&exploration)) {
    double others = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (i == greedy) continue;
      p[i] = inverse_gap(inverse->gamma, k, scores[greedy] - scores[i]);
      others += p[i];
    }
    p[greedy] = 1 - others;
  } else {
    std::fill(p.begin(), p.end(), gamma / k);
    p[greedy] += 1 - gamma;
  }
}

namespace {

// The first γ of the unit interval is shared out evenly among the labels; what remains of `uniform`
// behind it is looked up label after label. A sum that stays below 1 by rounding ends at the greedy
// label.
Draw draw_proportional(double gamma, std::span<const double> scores, Label greedy, double uniform) {
  const auto k = static_cast<double>(scores.size());
  Label label = greedy;
  if (uniform < gamma) {
    label =
        std::min(static_cast<Label>(scores.size()) - 1, static_cast<Label>(uniform / gamma * k));
  } else {
    double sum = gamma;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      sum += (1 - gamma) * scores[i];
      if (uniform >= sum) continue;
      label = static_cast<Label>(i);
      break;
    }
  }
  return {label, proportion(gamma, scores[static_cast<std::size_t>(label)], k), gamma};
}

// The labels in order, the greedy one last.
Draw draw_inverse_gap(double gamma, std::span<const double> scores, Label greedy, double uniform) {
  const auto k = static_cast<double>(scores.size());
  const double highest = scores[static_cast<std::size_t>(greedy)];
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (static_cast<Label>(i) == greedy) continue;
    const double p = inverse_gap(gamma, k, highest - scores[i]);
    sum += p;
    if (uniform < sum) return {static_cast<Label>(i), p, 0};
  }
  return {greedy, 1 - sum, 0};
}

}  // namespace

// The first γ of the unit interval is shared out evenly among the labels, the rest is the greedy
// one's.
Draw draw(const Exploration& exploration, std::span<const double> scores, Label greedy,
          double uniform) {
  if (const auto* inverse = std::get_if<InverseGap>(&exploration)) {
    return draw_inverse_gap(inverse->gamma, scores, greedy, uniform);
  }
  const double gamma = exploration_rate(exploration);
  if (std::holds_alternative<ProportionalMix>(exploration)) {
    return draw_proportional(gamma, scores, greedy, uniform);
  }
  const auto classes = static_cast<Label>(scores.size());
  const double k = classes;
  Label label = greedy;
  if (uniform < gamma) {
    label = std::min(classes - 1, static_cast<Label>(uniform / gamma * k));
  }
  const double share = gamma / k;
  return {label, label == greedy ? 1 - gamma + share : share, gamma};
}

}  // namespace soba
