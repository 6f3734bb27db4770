// The Banditron.
//
//   S. M. Kakade, S. Shalev-Shwartz, A. Tewari, "Efficient Bandit Algorithms for Online Multiclass
//   Prediction", ICML 2008, Algorithm 1.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) to update; W changes in nearly every
// round. Exploration: UniformMix(γ), as SOBA's. (Section 3 of the paper says "with probability 1−γ"
// of exploring; the algorithm explores with probability γ, and so do we.)
//
// The paper wants γ chosen beforehand. Its bound, with D = 2‖W*‖² and the competitor's loss L,
//   E[mistakes] <= L + γT + 3·max{kD/γ, √(DγT)} + √(kDL/γ),
// is least at γ = (kDL/T²)^(1/3) up to constants (the second term against the last). From it we
// take two rules, with D = 1 for what is not known:
// - theory: L of the order of T, hence γ = (k/T)^(1/3), the paper's own tuning for any data.
// - adaptive: γ_t = min(1, (k·(1 + M)/t²)^(1/3)), where M counts the wrong answers so far and
//   stands for L. On separable data the mistakes are soon those of the exploration itself, M ≈ γt,
//   and the rule becomes √(k/t), the paper's tuning for that case; with a share ν of noise M ≈ νt,
//   and it becomes (kν/t)^(1/3). γ_t depends on the past alone, so that the update stays unbiased.
//   This rule is ours: H. Valizadegan, R. Jin, S. Wang, "Learning to Trade Off Between Exploration
//   and Exploitation in Multiclass Bandit Prediction", KDD 2011, has three rules of its own to the
//   same end, whose details were not available to us. Nothing is proved of it.
#pragma once

#include <cstdint>
#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct BanditronOptions {
  Rate gamma = {Rate::Rule::kFixed, 0.02};
  std::int64_t horizon = 0;
};

LearnerInfo banditron_info();

// Throws Error{kUsage} where gamma is 'theory' and the horizon is missing.
std::unique_ptr<Learner> make_banditron(Shape shape, const BanditronOptions& options);

}  // namespace soba
