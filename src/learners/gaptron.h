// Gaptron: gradient steps on a convex loss, explored where the lead of the best label is small.
//
//   D. van der Hoeven, "Exploiting the Surrogate Gap in Online Multiclass Classification", NeurIPS
//   2020, the bandit form.
//
// State: W and one sum. A round costs O(k·nnz) to score, an update O(nnz) (logistic: O(k·nnz)).
// Exploration: UniformMix, p_i = (1−e)·1[i = ŷ] + e/k with e = max(γ, a), where a depends on the
// loss. With Δ the lead of label y over the best other one, and P the softmax of the scores:
//
//   loss          ℓ(W; x, y)                                        a (Δ and P those of ŷ)
//   smooth-hinge  1 − 2Δ if ŷ ≠ y; (1 − Δ)² if Δ < 1; else 0        (1 − min(1, Δ))²
//   hinge         1 − Δ, but 0 if ŷ = y and Δ > ½                   1 − Δ, but 0 if Δ > ½
//   logistic      −log₂ P_y                                         1 − P, but 1 if P < ½
//
// In each of them the chance of a mistake, a·(1−1/k) if ŷ = y and 1 − a/k if not, is at most ℓ: the
// gap between the two pays for exploration. A right guess, with ĝ = ∇ℓ(W; x, ỹ)/p, is a step
//   W −= B/√(2·(10⁻⁸ + Σ‖ĝ‖²))·ĝ,
// the sum including this round. A wrong guess teaches nothing.
//
// Deviations: the paper projects onto a ball of known radius and sets γ from the horizon. Here
// nothing is projected, the step adapts as above, and γ is 0: where a > 0 it explores enough, and
// where a = 0 a γ only makes rare, huge 1/p that the step size never recovers from. The base of the
// logarithm is left out of ĝ, as the step does not depend on it.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct GaptronOptions {
  std::string loss = "smooth-hinge";
  double b = 10;
  double gamma = 0;
};

LearnerInfo gaptron_info();

std::unique_ptr<Learner> make_gaptron(Shape shape, const GaptronOptions& options);

}  // namespace soba
