// Multiclass AROW, told the true label of every round: a yardstick for bandit-arow and SOBA.
//
//   K. Crammer, A. Kulesza, M. Dredze, "Adaptive Regularization of Weight Vectors", NIPS 2009; the
//   pair of the label and its best rival is the usual multiclass form of a binary learner (Kesler's
//   construction).
//
// State: for each class w_i and A_i = Σ_i⁻¹ (diagonal, or d × d). A round costs O(k·nnz) to score;
// an update O(nnz) with the diagonal, O(d·nnz + d²) with full matrices. It plays its greedy label.
//
// With ȳ the best label other than y, Δ = s_y − s_ȳ and V = xᵀΣ_y x + xᵀΣ_ȳ x:  if Δ < 1,
//   α = (1 − Δ)/(V + r),   w_y += α·Σ_y x,   w_ȳ −= α·Σ_ȳ x,   A_y += x·xᵀ/r,   A_ȳ += x·xᵀ/r.
//
// This is binary AROW on v = (e_y − e_ȳ) ⊗ x, whose variance is V while Σ is made of a block for
// each class: w minimises (w − w_t)ᵀA(w − w_t) + (1 − w·v)²/r. Deviation: of A + v·vᵀ/r only the
// blocks of a class with itself are kept; the exact kd × kd form would be as costly as exact SOBA.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct ArowOptions {
  std::string covariance = "diagonal";
  double r = 1;
  double memory = 4096;
};

LearnerInfo arow_info();

// Throws Error{kResource} where full matrices need more than `memory`.
std::unique_ptr<FullInformationLearner> make_arow(Shape shape, const ArowOptions& options);

}  // namespace soba
