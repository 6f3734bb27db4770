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

}  // namespace

double exploration_rate(const Exploration& exploration) {
  if (const auto* mix = std::get_if<UniformMix>(&exploration)) return mix->gamma;
  if (const auto* mix = std::get_if<ProportionalMix>(&exploration)) return mix->gamma;
  if (const auto* unclaimed = std::get_if<Unclaimed>(&exploration)) return unclaimed->rate;
  return 0;
}

namespace {

// What InverseGap and Unclaimed give to a label other than the greedy one.
double aside(const InverseGap& exploration, double k, double highest, double score) {
  return 1 / (k + exploration.gamma * (highest - score));
}
double aside(const Unclaimed& exploration, double k, double /*highest*/, double score) {
  return exploration.rate / (k * claim_share(score));
}

// The labels to choose from, by their places among them.
struct All {
  std::size_t count;
  std::size_t size() const { return count; }
  std::size_t operator[](std::size_t i) const { return i; }
};
struct Some {
  std::span<const Label> labels;
  std::size_t size() const { return labels.size(); }
  std::size_t operator[](std::size_t i) const { return static_cast<std::size_t>(labels[i]); }
};

template <class Choice, class Aside>
void fill_aside(const Choice& choice, const Aside& exploration, std::span<const double> scores,
                std::size_t greedy, std::span<double> p) {
  const auto k = static_cast<double>(choice.size());
  double others = 0;
  for (std::size_t c = 0; c < choice.size(); ++c) {
    const std::size_t i = choice[c];
    if (i == greedy) continue;
    p[i] = aside(exploration, k, scores[greedy], scores[i]);
    others += p[i];
  }
  p[greedy] = 1 - others;
}

template <class Choice>
void fill(const Choice& choice, const Exploration& exploration, std::span<const double> scores,
          std::span<double> p) {
  const auto k = static_cast<double>(choice.size());
  const auto greedy = static_cast<std::size_t>(argmax(scores));
  const double gamma = exploration_rate(exploration);
  if (std::holds_alternative<ProportionalMix>(exploration)) {
    for (std::size_t c = 0; c < choice.size(); ++c) {
      p[choice[c]] = proportion(gamma, scores[choice[c]], k);
    }
  } else if (const auto* inverse = std::get_if<InverseGap>(&exploration)) {
    fill_aside(choice, *inverse, scores, greedy, p);
  } else if (const auto* unclaimed = std::get_if<Unclaimed>(&exploration)) {
    fill_aside(choice, *unclaimed, scores, greedy, p);
  } else {
    for (std::size_t c = 0; c < choice.size(); ++c) p[choice[c]] = gamma / k;
    p[greedy] += 1 - gamma;
  }
}

}  // namespace

void distribution(const Exploration& exploration, std::span<const double> scores,
                  std::span<double> p, std::span<const Label> allowed) {
  assert(p.size() == scores.size());
  if (allowed.empty()) {
    fill(All{scores.size()}, exploration, scores, p);
    return;
  }
  std::fill(p.begin(), p.end(), 0.0);
  fill(Some{allowed}, exploration, scores, p);
}

namespace {

// The first γ of the unit interval is shared out evenly among the labels; what remains of `uniform`
// behind it is looked up label after label. A sum that stays below 1 by rounding ends at the greedy
// label.
template <class Choice>
Draw draw_proportional(const Choice& choice, double gamma, std::span<const double> scores,
                       Label greedy, double uniform) {
  const auto k = static_cast<double>(choice.size());
  auto label = static_cast<std::size_t>(greedy);
  if (uniform < gamma) {
    label = choice[std::min(choice.size() - 1, static_cast<std::size_t>(uniform / gamma * k))];
  } else {
    double sum = gamma;
    for (std::size_t c = 0; c < choice.size(); ++c) {
      sum += (1 - gamma) * scores[choice[c]];
      if (uniform >= sum) continue;
      label = choice[c];
      break;
    }
  }
  return {static_cast<Label>(label), proportion(gamma, scores[label], k), gamma};
}

// The labels in order, the greedy one last.
template <class Choice, class Aside>
Draw draw_aside(const Choice& choice, const Aside& exploration, std::span<const double> scores,
                Label greedy, double uniform) {
  const auto k = static_cast<double>(choice.size());
  const double highest = scores[static_cast<std::size_t>(greedy)];
  const double rate = exploration_rate(exploration);
  double sum = 0;
  for (std::size_t c = 0; c < choice.size(); ++c) {
    const std::size_t i = choice[c];
    if (static_cast<Label>(i) == greedy) continue;
    const double p = aside(exploration, k, highest, scores[i]);
    sum += p;
    if (uniform < sum) return {static_cast<Label>(i), p, rate};
  }
  return {greedy, 1 - sum, rate};
}

// The first γ of the unit interval is shared out evenly among the labels, the rest is the greedy
// one's.
template <class Choice>
Draw draw_from(const Choice& choice, const Exploration& exploration, std::span<const double> scores,
               Label greedy, double uniform) {
  if (const auto* inverse = std::get_if<InverseGap>(&exploration)) {
    return draw_aside(choice, *inverse, scores, greedy, uniform);
  }
  if (const auto* unclaimed = std::get_if<Unclaimed>(&exploration)) {
    return draw_aside(choice, *unclaimed, scores, greedy, uniform);
  }
  const double gamma = exploration_rate(exploration);
  if (std::holds_alternative<ProportionalMix>(exploration)) {
    return draw_proportional(choice, gamma, scores, greedy, uniform);
  }
  const auto k = static_cast<double>(choice.size());
  Label label = greedy;
  if (uniform < gamma) {
    const auto place = static_cast<std::size_t>(uniform / gamma * k);
    label = static_cast<Label>(choice[std::min(choice.size() - 1, place)]);
  }
  const double share = gamma / k;
  return {label, label == greedy ? 1 - gamma + share : share, gamma};
}

}  // namespace

Draw draw(const Exploration& exploration, std::span<const double> scores, Label greedy,
          double uniform, std::span<const Label> allowed) {
  if (allowed.empty()) return draw_from(All{scores.size()}, exploration, scores, greedy, uniform);
  return draw_from(Some{allowed}, exploration, scores, greedy, uniform);
}

}  // namespace soba
