// The losses that the bounds are about, each an upper bound on a mistake, with a (sub)gradient.
//
// All but the logistic one are functions of a margin:
//   multiclass   m = s_y − max_{i≠y} s_i            (hinge, squared hinge, ℓ_η, powers)
//   one-vs-rest  m = min(s_y, min_{i≠y} −s_i)       (soba_ovr.h)
//
//   ℓ_η(m) = 1 − 2/(2−η)·m + η/(2−η)·m² for m <= 1, else 0;   0 <= η <= 1
//   with the hinge ξ = [1 − m]_+ that is (1 − c)·ξ + c·ξ², c = η/(2−η): a mean of the hinge (η = 0)
//   and the squared hinge (η = 1). So it is convex and does not increase, and never above the
//   larger of the two. The parabola without the cut at 1 decreases only up to m = 1/η.
//
// Both margins are concave in the scores, so every loss here is convex in a linear predictor U.
#pragma once

#include <span>

#include "soba/types.h"

namespace soba::theory {

struct LossValue {
  double value = 0;
  double slope = 0;  // by the margin; a subgradient where there is a kink
};

// Requires: 0 <= eta <= 1.
LossValue eta_loss(double eta, double margin);
// c of the header: the share of the squared hinge in ℓ_η.
double squared_share(double eta);
// The parabola behind ℓ_η, without the cut at 1: l_η of the paper's Algorithm 2, f of its proofs.
LossValue parabola(double eta, double margin);
// [1 − m]_+^q, of the Perceptron's bound. Requires: 1 <= q <= 2.
LossValue power_loss(double q, double margin);

// A margin and the class that it hangs on.
struct Margin {
  double value;
  Label rival;  // the best other label; of the one-vs-rest margin the class of the minimum
};
// Requires: two scores or more.
Margin multiclass_margin(std::span<const double> scores, Label label);
Margin one_vs_rest_margin(std::span<const double> scores, Label label);

// Gradients by the scores, of a loss with this slope at this margin. Requires: one entry for each.
void multiclass_gradient(double slope, Label label, Label rival, std::span<double> gradient);
void one_vs_rest_gradient(double slope, Label label, Label rival, std::span<double> gradient);

// log₂(1 + Σ_{j≠y} exp(α(s_j − s_y))), of Newtron's bound. Fills `gradient` unless it is empty.
double logistic_loss(double alpha, std::span<const double> scores, Label label,
                     std::span<double> gradient = {});
// What the α-logistic loss of every example is at least, where ‖U‖ <= D, ‖x‖ <= X and α <= ln
// T/(8XD): log₂(1 + (k−1)·T^{−1/4}).
double logistic_floor(Label classes, double rounds);

}  // namespace soba::theory
