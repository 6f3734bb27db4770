// Intervals for the value of a policy (docs/evaluation.md): one that holds at every n, and two that
// are approximate.
#pragma once

#include <optional>

#include "evaluate/column.h"
#include "soba/evaluate.h"

namespace soba {

// What is averaged over the decisions of a column.
enum class Gain {
  kRight,           // w·r: the policy's value
  kWrong,           // w·(1 − r): what it lacks to 1
  kRightOrRefused,  // w·r + 1 − r: its value above the log's own, plus 1
  kWrongOrKept,     // w·(1 − r) + r: the log's own above its value, plus 1
};

// The betting mixture (Waudby-Smith, Wu, Ramdas, Karampatziakis, Mineiro, arXiv 2210.10768):
//
//   inf{m : (1/14)·Σ_{j=1..14} Π_t (1 + 2^−j·(X_t/m − 1)) < 1/alpha}
//
// a lower bound on the mean of X >= 0 that fails with probability alpha at most, at whatever n one
// looks, also where the logging policy depends on what came before. At most `cap`.
double betting_lower(const Column& column, Gain gain, double alpha, double cap);
// An upper bound in the same way for w·r <= bound, from Π_t (1 + 2^−j·(m − X_t)/(bound − m)): the
// narrower one where rewards are rare.
double betting_upper(const Column& column, double bound, double alpha);

// Both sides, each failing with probability (1 − confidence)/2 at most. With a bound on all weights
// that could come, the better of two upper bounds, at half of that each.
Interval betting_interval(const Column& column, double confidence, std::optional<double> bound);
// For the policy's value minus that of the log's own policy, on the same decisions.
Interval betting_difference(const Column& column, double confidence);

// Approximate: SNIPS ± z·sd(w(r − SNIPS)/w̄)/√n, and empirical likelihood without a limit on
// weights, by a chi-squared (F) quantile.
Interval delta_interval(const Column& column, double confidence);
Interval cressie_read_interval(const Column& column, double confidence);

// x with P(|Z| > x) = 1 − confidence for a normal Z.
double normal_quantile(double confidence);

}  // namespace soba
