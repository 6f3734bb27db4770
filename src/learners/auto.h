// auto: a learner with no knob to turn. A mixture (mixture.h) of a few of the others.
//
// Rule 2, of new models: one-vs-rest SOBA (soba_ovr.h) leads, with a prior weight of 0.99. Where it
// leaves x unclaimed, its exploration stands; otherwise, and with the rest of the mass, its label
// is played unless another member has earned more trust. The others, 0.005 each, are SOBA, exact
// where that is affordable, and Bandit-AROW, for data on which no class can claim x. Exploration
// beside the leader's: ProportionalMix(γ_t), γ_t = min(1, √(k/t)/400).
//
// Rule 1, of models of format version 1: diagonal SOBA, Bandit-AROW and SquareCB with equal
// weights, γ_t = min(1, √(k/t)/5), and no leader.
//
// The budget is time, in that of a round of diagonal SOBA on SynNonSep (k = 9, 46.7 of 400
// features). Under rule 1 it decides how many members there are; under either, for how many
// features Bandit-AROW and SquareCB have a d × d matrix for each class before they go over to
// diagonals (class_adaptive.h), and under rule 2 up to which kd SOBA is exact (100 for a unit of
// the budget; adaptive.h) and what the matrices of one-vs-rest SOBA may cost (5,000 cells a round
// for a unit). Members are chosen once, when the model is made, and kept in its options; their form
// is part of their state. Features beyond 2²⁰ are brought down to order one first (rescaled.h).
//
// What holds, and no more:
// - Relative to its members: in expectation at most O(√(kT)) mistakes more than the greedy labels
//   of any member in this company, and the leader's own exploration; mixture.h has the constants
//   and the argument. With the leader's rate √(k(1 + Q_B)/T_B) the latter is at most 2√(k·T_B·(1 +
//   Q_B)).
// - SOBA learns with the mixture's true p, and p_y >= γ_t/k: its estimates stay unbiased (Lemma 1
//   of the paper), and S >= 0. While its A is exact (kd <= 600 by default), the mistake bound of
//   the paper holds for its greedy labels, with 1/p <= k/γ_t <= 400·√(kT) in the place of k/γ, and
//   so it holds for auto: for features within 2²⁰, which are not rescaled, answers without delay,
//   every U and η as in soba.h, and h = 1/(η(2 − η)),
//     E[M] <= L_η(U) + aη‖U‖²/(2 − η) + 400·√(kT)·kd·ln(1 + 2X²T/(akd))·h + what is said above.
//   After it has handed over to its diagonal nothing is proved of it. Under rule 1 it is diagonal
//   from the start.
// - The theorem of one-vs-rest SOBA does not carry over: it sees the answers to its claims only
//   where the mixture plays them. Nothing is proved of Bandit-AROW.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct AutoOptions {
  std::int64_t rule = 2;
  double budget = 6;
  double memory = 4096;
  std::string members = "chosen";
  bool rescale = true;
};

LearnerInfo auto_info();

// Requires: settled options, which name the members. Throws Error{kUsage} otherwise.
std::unique_ptr<Learner> make_auto(Shape shape, const AutoOptions& options);

}  // namespace soba
