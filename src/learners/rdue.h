// RDUE: logistic regression, decoded at random where it is unsure, with uniform exploration.
//
//   Y. Shibukawa, T. Tsuchiya, S. Sakaue, K. Yamanishi, "Bandit and Delayed Feedback in Online
//   Structured Prediction", NeurIPS 2025; here for one of k labels and the logistic loss.
//
// State: W and one sum. A round costs O(k·nnz). Exploration: ProportionalMix(q) on the scores,
// which are a distribution: with P = softmax(Wx) and Z = min(1, 2·(1 − P_ŷ)),
//   score_i = (1 − Z)·1[i = ŷ] + Z·P_i,   p_i = (1 − q)·score_i + q/k.
// For q = 0 the chance of a mistake is at most the loss −ln P_y, round by round: it is Z·(1 − P_y)
// if ŷ = y and 1 − Z·P_y if not. A right guess, with G = (P − e_ỹ)·xᵀ/p, is a step
//   W −= B/√(2·(10⁻⁸ + Σ‖G‖²))·G,
// the sum including this round; a wrong guess teaches nothing.
//
// Late answers: the gradient is taken when the answer arrives, with the p of the decision. That is
// the paper's way to deal with delay, with a plain step in place of its tuned one.
//
// Deviations: no projection, for which the paper must know a bound on the norm of good weights; and
// q is a number to be given, as no horizon is known. For T rounds the paper sets q = B·√(k/T): 0.03
// for nine labels, B = 10 and 10⁶ rounds, all of which is paid for in mistakes. The default is
// 10⁻⁴: it costs next to nothing, and no p is below q/k, so that 1/p stays bounded as the analysis
// needs. On noisy data a rare right guess with a tiny p still makes a step of length B/√2 by
// itself, and shortens all later ones: runs differ by half a percent on SynNonSep, for q = 0 as
// well.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct RdueOptions {
  double b = 10;
  double q = 1e-4;
};

LearnerInfo rdue_info();

std::unique_ptr<Learner> make_rdue(Shape shape, const RdueOptions& options);

}  // namespace soba
