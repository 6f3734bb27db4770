// auto: a learner with no knob to turn. A mixture (mixture.h) of a few of the others, chosen by what they cost.
//
// Members are taken while the budget lasts: always SOBA with its diagonal; then Bandit-AROW and SquareCB, with a
// d × d matrix for each class where that is affordable, else with diagonals. A budget of b is b times the time of a round of diagonal SOBA on SynNonSep
// (k = 9, 46.7 of 400 features). The choice is made once, when the model is made, and kept in its options.
//
// Exploration: ProportionalMix(γ_t) on the members' weighted greedy labels, γ_t = min(1, √(k/t)/5): Σ γ_t is at
// most 0.4·√(kT), of the order of the regret that Exp4 has anyway.
//
// What holds, and no more (all in expectation, the labels fixed beforehand, N members):
// - Mixing: with q as in mixture.h, its mistakes are at most those of the greedy labels that any one member had
//   in this company, + O(√(V·ln N)) + Σ γ_t, where V = 1 + Σ_t Σ_e q_e(ℓ_e − mean)² is seen at the end and is at
//   most 1 + Σ_t k/γ_t in the worst case: then the bound is of order T^(3/4), and it is small where the members
//   agree, as they do in practice. (Second-order bound of exponential weights with the rate √(ln N/V), up to
//   constants.)
// - The SOBA member: its estimate stays unbiased, because it learns with the true p of the mixture, and p_y >=
//   γ_t/k. Lemma 1 and the invariant S >= 0 of the paper hold for it round by round; the paper's mistake bound
//   needs exact A, and this member has a diagonal one.
// - The other members have no guarantee (SquareCB's is for its own exploration).
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct AutoOptions {
  double budget = 6;
  double memory = 4096;
  std::string members = "chosen";
};

LearnerInfo auto_info();

// Requires: settled options, which name the members. Throws Error{kUsage} otherwise.
std::unique_ptr<Learner> make_auto(Shape shape, const AutoOptions& options);

}  // namespace soba
