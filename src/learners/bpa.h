// BPA, the bandit passive-aggressive learner: the PA-I step on the class that was played.
//
//   H. Zhong, E. Daucé, L. Ralaivola, "Online multiclass learning with 'bandit' feedback under a
//   Passive-Aggressive approach", ESANN 2015 (there PAB); the step is PA-I of K. Crammer, O. Dekel,
//   J. Keshet, S. Shalev-Shwartz, Y. Singer, "Online Passive-Aggressive Algorithms", JMLR 7, 2006.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) to update. Exploration: UniformMix(γ);
// γ may be 0, since a wrong guess pushes the played class down, which explores by itself.
//
// With σ = ±1 for right or wrong and the loss ℓ = [1 − σ·w_ỹ·x]_+:  w_ỹ += σ·min(C, ℓ)/‖x‖²·x.
//
// Deviation: the paper's step is min(C, ℓ/‖x‖²). Ours is the same with C relative to 1/‖x‖² (so the
// same where ‖x‖ = 1): C bounds by how much the score of the played class may move, whatever the
// scale of x is. An absolute C that suits one scale of x stops no step at a larger one and nearly
// all learning at a smaller one. Without a bound (C large) each answer is believed in full, which
// noise punishes. Of the paper itself only the abstract was available: the loss is that of a public
// implementation, and the sign of the step, which is missing there, follows from it.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct BpaOptions {
  double c = 1;
  double gamma = 0;
};

LearnerInfo bpa_info();
std::unique_ptr<Learner> make_bpa(Shape shape, const BpaOptions& options);

}  // namespace soba
