#include "soba/explore.h"

#include <algorithm>
#include <cassert>

namespace soba {

// Without branches on the scores: which of them is the highest cannot be predicted.
Label argmax(std::span<const double> scores) {
  assert(!scores.empty());
  Label best = 0;
  double highest = scores[0];
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const bool higher = scores[i] > highest;
    best = higher ? static_cast<Label>(i) : best;
    highest = higher ? scores[i] : highest;
  }
  return best;
}

Label argmax_except(std::span<const double> scores, Label excluded) {
  assert(scores.size() >= 2);
  Label best = excluded == 0 ? 1 : 0;
  double highest = scores[static_cast<std::size_t>(best)];
  for (std::size_t i = 1; i < scores.size(); ++i) {
    const bool higher = (scores[i] > highest) & (static_cast<Label>(i) != excluded);
    best = higher ? static_cast<Label>(i) : best;
    highest = higher ? scores[i] : highest;
  }
  return best;
}

double exploration_rate(const Exploration& exploration) {
  if (const auto* mix = std::get_if<UniformMix>(&exploration)) return mix->gamma;
  return 0;
}

void distribution(const Exploration& exploration, std::span<const double> scores,
                  std::span<double> p) {
  assert(p.size() == scores.size());
  const double gamma = exploration_rate(exploration);
  std::fill(p.begin(), p.end(), gamma / static_cast<double>(p.size()));
  p[static_cast<std::size_t>(argmax(scores))] += 1 - gamma;
}

// The first γ of the unit interval is shared out evenly among the labels, the rest is the greedy
// one's.
Draw draw(const Exploration& exploration, Label classes, Label greedy, double uniform) {
  const double gamma = exploration_rate(exploration);
  const double k = classes;
  Label label = greedy;
  if (uniform < gamma) {
    label = std::min(classes - 1, static_cast<Label>(uniform / gamma * k));
  }
  const double share = gamma / k;
  return {label, label == greedy ? 1 - gamma + share : share};
}

}  // namespace soba
