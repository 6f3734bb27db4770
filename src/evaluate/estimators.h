// The value of a policy from the weights of another's log: w = π(a|x)/p, r = 1 where the label was
// right, n decisions (docs/evaluation.md).
#pragma once

#include "evaluate/column.h"

namespace soba {

// All of these require a column that is not empty.
double ips(const Column& column);                       // Σwr/n
double snips(const Column& column);                     // Σwr/Σw; 0 where no weight is positive
double clipped_ips(const Column& column, double most);  // Σ min(w, most)·r/n
// The point of empirical likelihood with weights of mean 1 and no upper limit (Karampatziakis,
// Langford, Mineiro, "Empirical likelihood for contextual bandits", 2020).
double cressie_read(const Column& column);

// Effective sample size (Σw)²/Σw², and the largest weight's share of Σw.
double effective_size(const Column& column);
double largest_share(const Column& column);
// The standard error of the mean weight.
double weight_error(const Column& column);

// Doubly robust: the mean of Σ_a π(a)·q̂(a) + w·(r − q̂(a_t)), its direct part, and the same with
// the correction only where w <= limit. q̂ must not depend on the round's own answer.
class DoublyRobust {
 public:
  explicit DoublyRobust(double limit) : limit_(limit) {}

  void add(double expected, double predicted, double weight, bool correct) {
    const double term = weight * ((correct ? 1 : 0) - predicted);
    ++count_;
    direct_ += expected;
    all_ += expected + term;
    squares_ += (expected + term) * (expected + term);
    switched_ += weight <= limit_ ? expected + term : expected;
  }

  bool empty() const { return count_ == 0; }
  double value() const { return all_ / n(); }
  double direct() const { return direct_ / n(); }
  double switched() const { return switched_ / n(); }
  double error() const;  // the standard error of value()

 private:
  double n() const { return static_cast<double>(count_); }

  double limit_;
  std::int64_t count_ = 0;
  double direct_ = 0, all_ = 0, squares_ = 0, switched_ = 0;
};

}  // namespace soba
