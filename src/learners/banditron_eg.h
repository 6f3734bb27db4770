// The exponentiated-gradient Banditron: multiplicative updates in place of additive ones.
//
//   S. Wang, R. Jin, H. Valizadegan, "A Potential-based Framework for Online Multi-class Learning
//   with Partial Feedback", AISTATS 2010. Of the paper only the abstract was available; what
//   follows is derived here.
//
// State: θ and the weights (2kd). A round costs O(k·nnz) to score and O(nnz) to update, with an
// exponential for each feature. Exploration: UniformMix(γ), γ > 0.
//
// The framework: θ += step·Ũ with the Banditron's Ũ (banditron.h), and W = ∇Φ*(θ) for a potential
// Φ*. The Banditron is Φ* = ½‖θ‖². Here each feature stands twice, as x_j and −x_j, and the 2kd
// weights of all classes share a simplex of size B: Φ*(θ) = B·ln Σ_ij 2·cosh θ_ij, so that
//   W_ij = B·sinh θ_ij/Σ_lm cosh θ_lm.
// B and the sum are the same for all classes and Ũ depends on the scores through their argmax
// alone: neither changes a decision. So we keep W_ij = sinh θ_ij, and there is no norm bound to
// choose; nor do features that were never met change anything, as they would in a simplex for each
// class apart.
//
// Bound: for competitors U with Σ|U_ij| <= B, and |x_j| <= X, mirror descent gives
//   Σ⟨U − W_t, Ũ_t⟩ <= B·ln(2kd)/step + step·B/2·Σ max|Ũ_t|².
// In expectation the left side is at least M̂ − L(U), for M̂ greedy mistakes and the competitor's
// hinge loss L (as in the Banditron's proof), and max|Ũ|² is at most X²(k/γ + 1) where ŷ is wrong
// and 2γX² where it is right (γ <= ½). With
//   step = γ/((k + γ)·B·X²):   E[mistakes] <= 2L + 2B²X²·(k + γ)/γ·ln(2kd) + (1 + 2γ/k)·γT.
// The dimension enters by its logarithm, B by Σ|U_ij|: good where few features matter, worse where
// many do.
//
// Hence the option eta: step = eta·γ/k. It stands for 1/(B·X²), and bounds by how much one answer
// may move a θ_ij with |x_j| = 1. θ_ij stays within ±300, where nothing overflows: e^300 is beyond
// any ratio of weights that matters.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct BanditronEgOptions {
  double eta = 0.3;
  double gamma = 0.02;
};

LearnerInfo banditron_eg_info();
std::unique_ptr<Learner> make_banditron_eg(Shape shape, const BanditronEgOptions& options);

}  // namespace soba
