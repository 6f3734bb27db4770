// The multiclass passive-aggressive learner, told the true label of every round: a yardstick.
//
//   K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer, "Online Passive-Aggressive
//   Algorithms", JMLR 7, 2006: PA, PA-I and PA-II, with the multiclass update of its Section 8 on
//   the label and its best rival.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) to update. It plays its greedy label.
//
// With ȳ the best label other than y, Δ = s_y − s_ȳ and the loss ℓ = [1 − Δ]_+:
//   w_y += τ·x, w_ȳ −= τ·x, which raises Δ by 2τ‖x‖², where τ·‖x‖² is
//   ℓ/2 for pa (just enough),   min(C, ℓ/2) for pa1,   ℓ/(2 + 1/(2C)) for pa2.
//
// Deviation: C is relative to 1/‖x‖² (the paper's where ‖x‖ = 1), as in bpa.h and for its reason:
// so it means the same at every scale of x.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct PassiveAggressiveOptions {
  std::string variant = "pa1";
  double c = 0.2;
};

LearnerInfo passive_aggressive_info();
std::unique_ptr<FullInformationLearner> make_passive_aggressive(
    Shape shape, const PassiveAggressiveOptions& options);

}  // namespace soba
