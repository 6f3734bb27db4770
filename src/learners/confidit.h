// Confidit: upper confidence bounds, one regression for each class.
//
//   K. Crammer, C. Gentile, "Multiclass Classification with Bandit Feedback using Adaptive
//   Regularization", ICML 2011 (Machine Learning 90, 2013).
//
// The model behind it: ‖x‖ = 1 and P(y = i | x) = (α + u_i·x)/(1 + α), with −α <= u_i·x <= 1. So
// the answer to the played class, counted as t = 1 if right and −α if wrong, has the expectation
// u_ỹ·x:
//   x ← x/‖x‖;  V_i = xᵀA_i⁻¹x;  play argmax_i w_i·x + √(η·V_i)
//   project w_ỹ, in the norm of A_ỹ, onto {w: −α <= w·x <= 1}:  w_ỹ −= (s − clip(s))/V·A_ỹ⁻¹x, s =
//   w_ỹ·x ridge step:  A_ỹ += x·xᵀ,  w_ỹ = A_ỹ⁻¹(A_old·w_ỹ + t·x) = w_ỹ + (t − clip(s))/(1 +
//   V)·A_old⁻¹x
// A_i starts at (1 + α)²·I, w_i at 0. Both moves are along A_ỹ⁻¹x, so they are one step here.
//
// State: for each class w_i and A_i (diagonal, or d × d). A round costs O(k·nnz), with full
// matrices O(k·nnz² + d²). Exploration: the scores are the upper bounds, played greedily; γ adds a
// uniform mix. The workings are w_i·x, V_i and ‖x‖².
//
// Deviations:
// - The paper's η grows with log t and carries the constants of its analysis; ours is constant,
//   as in the experiments that are reported with it.
// - The projection is that of the class which is about to learn; the bounds compare w_i·x as they
//   are.
// - The diagonal form takes the same two moves with A_i⁻¹ replaced by its diagonal. The other
//   reading, w = θ/A with θ = Σ t·x, counts every feature of x as if it alone had to reach t, so
//   that scores leave [−α, 1] by a factor of nnz(x) and a bound of any use is too small beside
//   them.
// - A feature never seen counts as known with A_i as it started: it widens every bound.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct ConfiditOptions {
  std::string covariance = "diagonal";
  double eta = 1;
  double alpha = 1;
  double gamma = 0;
  double memory = 4096;
};

LearnerInfo confidit_info();

// Throws Error{kResource} where full matrices need more than `memory`.
std::unique_ptr<Learner> make_confidit(Shape shape, const ConfiditOptions& options);

}  // namespace soba
