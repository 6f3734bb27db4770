// The second-order state of a learner: A (kd × kd, starting at a·I), θ (kd) and the weights W =
// A⁻¹θ, behind a few verbs that keep W = A⁻¹θ true. A diagonal form cannot borrow the exact form's
// formula for W, so the learner must not hold it.
//
//   shape()             k classes and the features known so far
//   reserve(x)          all the memory that grow(x.extent()), and quad and step along a v of this
//                       x, may need; throws where there is none, or where the form would outgrow
//                       what it is allowed. Changes nothing else; returns what
//                       Predictor::reserve() does
//   grow(d)             d features at least. This and all below do not throw after reserve(x)
//   scores(x, out)      W·x, a number for each class
//   quad_bound(v)       vᵀA⁻¹v is at most this; costs O(nnz(x)) whatever the form
//   quad(v)             vᵀA⁻¹v; remembers what a step along the same v will need
//   step(v, w, g, t)    A += w·v·vᵀ and θ += g·v, where t = ⟨W, v⟩. Requires: quad(v) came before.
//                       False where the numbers are too large for it: then it is left out
//   quad_step(v, …)     both at once, for a caller who steps whatever quad(v) is; returns it, or
//                       NaN where the step is left out
//   limit_memory(b)     from now on b bytes at most; throws Error{kUsage} where more are held
//   add_classes(k)      k classes, the new ones as all are at the start. Throws as reserve() does,
//                       and is then of no use: learners call it on a copy
//   visit(visitor)      every field
//
// Only steps change what the state stands for.
#pragma once

#include <concepts>
#include <span>

#include "covariance/pair_vector.h"
#include "soba/state.h"
#include "soba/types.h"

namespace soba {

template <class C>
concept Covariance = requires(C c, const C cc, const PairVector& v, const Features& x,
                              Index features, double number, std::span<double> out,
                              StateVisitor& visitor) {
  { c.reserve(x) } -> std::same_as<Index>;
  c.grow(features);
  cc.scores(x, out);
  { cc.shape() } -> std::same_as<Shape>;
  { cc.quad_bound(v) } -> std::same_as<double>;
  { c.quad(v) } -> std::same_as<double>;
  { c.step(v, number, number, number) } -> std::same_as<bool>;
  { c.quad_step(v, number, number, number) } -> std::same_as<double>;
  c.limit_memory(number);
  c.add_classes(Label{});
  c.visit(visitor);
};

}  // namespace soba
