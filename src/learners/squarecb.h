// SquareCB: regress the reward of the played class, explore by the gaps between the predictions.
//
//   D. J. Foster, A. Rakhlin, "Beyond UCB: Optimal and Efficient Contextual Bandits with Regression
//   Oracles", ICML 2020, Algorithm 1, with online ridge regression as its oracle.
//
// State: for each class w_i and A_i (diagonal, d × d, or the second until it outgrows
// its limits: class_adaptive.h). A round costs O(k·nnz) to score; an
// update O(nnz) with the diagonal, O(d·nnz + d²) with full matrices. Exploration: InverseGap(γ_t),
//   p_i = 1/(k + γ_t·(s_ŷ − s_i)),  and what is left for ŷ;  γ_t = scale·t^exponent in round t.
//
// With s = w_ỹ·x, V = xᵀA_ỹ⁻¹x and c = 1 or 0 for right or wrong, every played round is a step
//   w_ỹ += (c − s)/(1 + V)·A_ỹ⁻¹x,   A_ỹ += x·xᵀ   (A starts at a·I).
// No importance weights: p enters nowhere.
//
// Deviations: the paper leaves the oracle open and sets γ = √(kT/Reg) from the horizon T and a
// bound Reg on the oracle's regret. Here γ_t grows with √t, since no T is known, and the scale
// stands for √(k/Reg). The paper's bound wants it below 1, as the worst case needs; on data that is
// far too much exploration, and a scale between 10 and 1000 hardly matters.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct SquareCbOptions {
  std::string covariance = "diagonal";
  double a = 1;
  double gamma_scale = 100;
  double gamma_exponent = 0.5;
  double memory = 4096;
  std::int64_t full_features = 512;
};

LearnerInfo squarecb_info();

// Throws Error{kResource} where full matrices need more than `memory`.
std::unique_ptr<Learner> make_squarecb(Shape shape, const SquareCbOptions& options);

}  // namespace soba
