// What the learners by gradient steps share: the length of a step, and the step on the logistic
// loss.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "linalg/class_matrix.h"
#include "soba/learner.h"

namespace soba {

// Steps of length B/√(2·(10⁻⁸ + Σ‖g‖²)), the sum including the gradient of the step itself.
class AdaptiveStep {
 public:
  explicit AdaptiveStep(double b) : b_(b) {}

  // The factor for a gradient with this ‖g‖²; 0, and nothing counted, where that is beyond what
  // doubles hold.
  double next(double square) {
    const double sum = squares_ + square;
    if (!std::isfinite(sum)) return 0;
    squares_ = sum;
    return b_ / std::sqrt(2 * (1e-8 + squares_));
  }

  void visit(StateVisitor& visitor) {
    visitor.field("gradients", squares_);
    visitor.require(squares_ >= 0, "the sum of squared gradients is not negative");
  }

 private:
  double b_;
  double squares_ = 0;
};

// The softmax P of the scores into `shares`; returns 1 − P_greedy, without cancellation. Requires:
// `greedy` is argmax(scores).
inline double softmax(std::span<const double> scores, Label greedy, std::span<double> shares) {
  const auto best = static_cast<std::size_t>(greedy);
  const double highest = scores[best];
  double others = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    shares[i] = std::exp(scores[i] - highest);
    if (i != best) others += shares[i];
  }
  const double sum = 1 + others;
  for (double& share : shares) share /= sum;
  return others / sum;
}

// One step on the logistic loss of round.played, the gradient (P − e_ỹ)·xᵀ/p; whether it moved.
// `shares` is P on entry, and used up. Requires: round.x.extent() <= features.
inline bool descend_logistic(const Round& round, std::span<double> shares, AdaptiveStep& step,
                             ClassMatrix<double>& weights) {
  shares[static_cast<std::size_t>(round.played)] -= 1;
  double square = 0;
  for (double& share : shares) {
    share /= round.probability;
    square += share * share;
  }
  if (square == 0) return false;
  const double factor = step.next(square * squared_norm(round.x));
  if (factor == 0) return false;
  for (double& share : shares) share *= -factor;
  weights.add_all(shares, round.x);
  return true;
}

}  // namespace soba
