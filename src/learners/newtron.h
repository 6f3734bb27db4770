// Newtron, and PNewtron, its diagonal form.
//
//   E. Hazan, S. Kale, "Newtron: an Efficient Bandit Algorithm for Online Multiclass Prediction",
//   NIPS 2011.
//
// Follow-the-approximate-leader on the log loss (1/α)·log Σ_j exp(α(s_j − s_y)). With P =
// softmax(α·Wx), ỹ drawn from P' = (1−γ)P + γ/k, and c = 1 if it was right, else 0:
//   δ = (P_ỹ − c)/P'_ỹ · (e_ỹ − 1/k·1) ⊗ x          the guess of the gradient
//   κ = P'_ỹ if c = 1, else 1
//   A += κβ·δδᵀ,   b += (1 − κβ⟨δ, W⟩)·δ             A starts at I/D, b at 0
//   W = argmin ½WᵀAW + bᵀW over ‖W‖_F <= D
// It learns from wrong guesses, too. Exploration: the scores are P, mixed by ProportionalMix(γ); Wx
// is in the workings.
//
// newtron: A is kd × kd; the minimum is the generalized projection of −A⁻¹b (ball_projection.h). A
// round costs O((k·nnz)²) and the projection, (kd)³/3 for each step of Newton's method, about three
// of them: for kd up to a few hundred. State: A, b, W. pnewtron: A is its diagonal and the
// projection is Euclidean, W = w·min(1, D/‖w‖) with w = −b/A. The learner keeps w, its norm, which
// follows each step (and is added up afresh every d updates, against rounding), and applies the one
// factor when it scores: O(k·nnz) a round. State: A and w (kd each).
//
// The formulas are those on which public implementations agree and which the derivation confirms: W
// minimises Σ ⟨δ, W⟩ + κβ/2·⟨δ, W − W_s⟩² + ‖W‖²/(2D). So are the defaults α = 10, β = 0.01, D = 1.
//
// Deviations:
// - The paper centres the quadratic at W_t, which it takes as 0 in the rounds where the coin γ
//   said to explore. Our round does not reveal the coin, and for a late answer it would mean
//   nothing, so the centre is W, where the gradient is taken.
// - A late answer is learnt with P' of the decision and P, W of now.
// - The coefficient of δ is written in the one form above for right and wrong. (A public
//   implementation has ∓1/k instead of ∓(1 − 1/k) on the row of ỹ, and rescales to the norm D even
//   inside the ball.)
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct NewtronOptions {
  double alpha = 10;
  double beta = 0.01;
  double D = 1;
  double gamma = 0.001;
  double memory = 1024;  // newtron alone
};

LearnerInfo newtron_info();
LearnerInfo pnewtron_info();

// Throws Error{kResource} where the matrix needs more than `memory`.
std::unique_ptr<Learner> make_newtron(Shape shape, const NewtronOptions& options);
std::unique_ptr<Learner> make_pnewtron(Shape shape, const NewtronOptions& options);

}  // namespace soba
