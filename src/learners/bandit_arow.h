// Bandit-AROW: adaptive regularisation of weights (AROW) on the class that was played.
//
//   K. Crammer, A. Kulesza, M. Dredze, "Adaptive Regularization of Weight Vectors", NIPS 2009, is
//   the binary step; one-vs-rest on the played class, as the bandit passive-aggressive learner does
//   (bpa.h), is ours: there is no paper.
//
// State: for each class w_i and A_i = Σ_i⁻¹ (diagonal, d × d, or the second until it outgrows
// its limits: class_adaptive.h). A round costs O(k·nnz) to score;
// an update O(nnz) with the diagonal, O(d·nnz + d²) with full matrices. Exploration: UniformMix(γ);
// γ may be 0, since a wrong guess pushes the played class down, which explores by itself.
//
// With σ = ±1 for right or wrong, s = w_ỹ·x and V = xᵀΣx:  if σ·s < 1,
//   w_ỹ += (σ − s)/(V + r)·Σx,   Σ_ỹ −= Σx·xᵀΣ/(V + r)   (diagonal: 1/Σ_jj += x_j²/r).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct BanditArowOptions {
  std::string covariance = "diagonal";
  double r = 1;
  double gamma = 0;
  double memory = 4096;
  std::int64_t full_features = 512;
};

LearnerInfo bandit_arow_info();

// Throws Error{kResource} where full matrices need more than `memory`.
std::unique_ptr<Learner> make_bandit_arow(Shape shape, const BanditArowOptions& options);

}  // namespace soba
