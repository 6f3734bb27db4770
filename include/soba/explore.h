// Exploration: from scores to the distribution that is played. A closed set, hence a value that can
// be copied, printed and stored. The draw from it is the only randomness of a round.
#pragma once

#include <span>
#include <variant>

#include "soba/types.h"

namespace soba {

struct Greedy {};  // always the label with the highest score
struct UniformMix {
  double gamma;  // p_i = (1−γ)·1[i = greedy] + γ/k
};
struct ProportionalMix {
  double gamma;  // p_i = (1−γ)·score_i + γ/k, where the scores are a distribution themselves
};
struct InverseGap {
  double gamma;  // p_i = 1/(k + γ·(score_greedy − score_i)), and what is left for the greedy label
};
struct Unclaimed {
  // For scores of which none is above 0: p_i = rate/(k·claim_share(score_i)), and what is left for
  // the greedy label.
  double rate;
};
using Exploration = std::variant<Greedy, UniformMix, ProportionalMix, InverseGap, Unclaimed>;

// φ = min(4, (1 − score)²), and 1 for a score above 0: how many times less a label is explored that
// disclaims x than one that is undecided.
inline double claim_share(double score) {
  const double root = score < 0 ? 1 - score : 1;
  return root < 2 ? root * root : 4;
}

// The label with the highest score; ties go to the smallest label. Requires: scores is not empty.
Label argmax(std::span<const double> scores);
// The best label other than `excluded`; ties go to the smallest label. Requires: two scores or
// more.
Label argmax_except(std::span<const double> scores, Label excluded);

// The rate of exploration in a draw: the column `gamma` of a trace. 0 for InverseGap, which has
// none.
double exploration_rate(const Exploration& exploration);

// Fills p with the distribution over the labels; over the `allowed` ones, ascending, where there
// are any: then k is their number, and the scores are as Predictor::restrict_to() leaves them.
// Requires: p.size() == scores.size() >= 1.
void distribution(const Exploration& exploration, std::span<const double> scores,
                  std::span<double> p, std::span<const Label> allowed = {});

struct Draw {
  Label label;
  double probability;  // of this label, under the distribution above
  double gamma;        // the exploration rate of the draw
};

// Draws from distribution(exploration, scores, allowed), where `greedy` is argmax(scores) and
// `uniform` a number in [0, 1). The distribution is never written down, and a mix with the uniform
// one costs O(1).
Draw draw(const Exploration& exploration, std::span<const double> scores, Label greedy,
          double uniform, std::span<const Label> allowed = {});

}  // namespace soba
