// A second-order state for each class apart: A_i (d × d, starting at a·I) and the weights w_i, for
// learners that regress on one class at a time.
//
//   shape()                  k classes and the features known so far
//   grow(d)                  room for d features
//   scores(x, out)           w_i·x, a number for each class
//   variance(i, x)           xᵀA_i⁻¹x. Requires: x.extent() <= features
//   variances(x, out)        the same for every class, but for rounding. Requires the same
//   step(i, x, w, along)     w_i += along·A_i⁻¹x, then A_i += w·x·xᵀ. Requires the same
//   visit(visitor)           every field
//
// The step towards a target t with weight w of recursive least squares is along = w·(t − w_i·x)/(1 +
// w·variance): in the full form w_i stays the minimiser of Σ w·(t − w_i·x)² + a‖w_i‖².
#pragma once

#include <concepts>
#include <span>

#include "soba/state.h"
#include "soba/types.h"

namespace soba {

template <class C>
concept ClassCovariance = requires(C c, const C cc, Label label, Features x, Index features,
                                   double number, std::span<double> out, StateVisitor& visitor) {
  c.grow(features);
  cc.scores(x, out);
  { cc.shape() } -> std::same_as<Shape>;
  { cc.variance(label, x) } -> std::same_as<double>;
  cc.variances(x, out);
  c.step(label, x, number, number);
  c.visit(visitor);
};

}  // namespace soba
