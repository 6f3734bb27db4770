// A second-order state for each class apart: A_i (d × d, starting at a·I) and the weights w_i, for
// learners that regress on one class at a time.
//
//   shape()                  k classes and the features known so far
//   reserve(x)               all the memory that grow(x.extent()), solve and step along x may need;
//                            throws where there is none, or where the form would outgrow what it is
//                            allowed. Changes nothing else; returns what
//                            Predictor::reserve() does
//   grow(d)                  d features at least. This and all below do not throw after reserve(x)
//   scores(x, out)           w_i·x, a number for each class
//   variance(i, x)           xᵀA_i⁻¹x. Requires: x.extent() <= features
//   variances(x, out)        the same for every class, but for rounding. Requires the same
//   solve(i, x)              the same as variance(i, x), but for rounding; remembers what a step
//                            along the same x will need. Requires the same
//   step(i, x, w, along)     w_i += along·A_i⁻¹x, then A_i += w·x·xᵀ. Requires: solve(i, x) came
//                            last. False, with nothing changed, where the numbers are too large for
//                            it, or `along` or what solve() said is not finite
//   limit_memory(b)          from now on b bytes at most; throws Error{kUsage} where more are held
//   add_classes(k)           k classes, the new ones as all are at the start. Throws as reserve()
//                            does, and is then of no use: learners call it on a copy
//   visit(visitor)           every field
//
#pragma once

#include <concepts>
#include <span>

#include "soba/state.h"
#include "soba/types.h"

namespace soba {

template <class C>
concept ClassCovariance = requires(C c, const C cc, Label label, const Features& x, Index features,
                                   double number, std::span<double> out, StateVisitor& visitor) {
  { c.reserve(x) } -> std::same_as<Index>;
  c.grow(features);
  cc.scores(x, out);
  { cc.shape() } -> std::same_as<Shape>;
  { cc.variance(label, x) } -> std::same_as<double>;
  cc.variances(x, out);
  { c.solve(label, x) } -> std::same_as<double>;
  { c.step(label, x, number, number) } -> std::same_as<bool>;
  c.limit_memory(number);
  c.add_classes(label);
  c.visit(visitor);
};

// The step of recursive least squares towards `target` with weight w, where s = w_i·x: in the full
// form w_i stays the minimiser of Σ w·(target − w_i·x)² + a‖w_i‖². False, with nothing changed but
// room for the features, where numbers go beyond what doubles hold.
template <ClassCovariance C>
bool regress(C& classes, Label label, const Features& x, double s, double target, double w) {
  classes.grow(x.extent());
  const double variance = classes.solve(label, x);
  return classes.step(label, x, w, w * (target - s) / (1 + w * variance));
}

}  // namespace soba
