// auto: a learner with no knob to turn. A mixture (mixture.h) of a few of the others, chosen by
// what they cost.
//
// Members are taken while the budget lasts: always SOBA with its diagonal; then Bandit-AROW and
// SquareCB, with a d × d matrix for each class as long as that is affordable for the features met so
// far, then with diagonals (class_adaptive.h). A budget of b is b times the time of a round of
// diagonal SOBA on SynNonSep (k = 9, 46.7 of 400 features). The members are chosen once, when the
// model is made, and kept in its options; their form is part of their state.
//
// Features beyond 2²⁰ are brought down to order one first (rescaled.h).
//
// Exploration: ProportionalMix(γ_t) on the members' weighted greedy labels, γ_t = min(1, √(k/t)/5):
// Σ γ_t is at most 0.4·√(kT), of the order of the regret that Exp4 has anyway.
//
// What holds, and no more:
// - Relative to its members, SOBA among them: in expectation at most O(√(kT·ln N)) mistakes more
//   than the greedy labels of any member in this company; mixture.h has the constants and the
//   argument.
// - The SOBA member learns with the mixture's true p, and p_y >= γ_t/k: its estimates stay
//   unbiased (Lemma 1 of the paper), and S >= 0. The paper's mistake bound needs exact A; this
//   member has a diagonal one, of which nothing is proved. With exact SOBA among --members, the
//   bound holds for its greedy labels with γ_t for γ.
// - Nothing about the other members (SquareCB's bound is for its own exploration).
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
  bool rescale = true;
};

LearnerInfo auto_info();

// Requires: settled options, which name the members. Throws Error{kUsage} otherwise.
std::unique_ptr<Learner> make_auto(Shape shape, const AutoOptions& options);

}  // namespace soba
