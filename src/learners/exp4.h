// Exp4 over our own learners: a mixture (mixture.h) of members of the user's choice.
//
//   P. Auer, N. Cesa-Bianchi, Y. Freund, R. E. Schapire, "The Nonstochastic Multiarmed Bandit
//   Problem", SIAM J. Computing 32(1), 2002, section 7.
//
// State: that of the members. A round costs what theirs cost together. Exploration:
// ProportionalMix(γ) on the members' weighted advice; γ may be 0 where a member explores by itself.
//
// Deviations: the paper's experts are fixed; ours learn, from every round that the mixture plays,
// with the mixture's p: then the bound compares with what each member became in this company. Its
// rate η = √(2·ln N/(kT)) wants the horizon; the default adapts to how far the members' losses
// differ, which is much less than the worst case where they mostly agree. Advice is a member's
// greedy label by default, so that its own exploration is not paid for on top of γ.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct Exp4Options {
  std::string members = "sobadiag,bandit-arow,squarecb";  // with their default options
  std::string advice = "greedy";
  double gamma = 0.002;
  double eta = 0;  // 0 = adaptive
};

LearnerInfo exp4_info();

// Throws Error{kUsage} on members that cannot be.
std::unique_ptr<Learner> make_exp4(Shape shape, const Exp4Options& options);

}  // namespace soba
