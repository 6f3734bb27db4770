// The block form: of A only the d × d blocks of each class with itself are kept, so that features
// correlate within a class and classes do not. A step touches two blocks: O(d·nnz + d²).
#pragma once

#include <cmath>
#include <span>

#include "covariance/class_full.h"
#include "covariance/covariance.h"

namespace soba {

class BlockCovariance {
 public:
  // `memory` bounds the bytes of A; the constructor and reserve() throw Error{kResource} beyond it.
  BlockCovariance(Shape shape, double a, double memory) : a_(a), classes_(shape, a, memory) {}

  Shape shape() const { return classes_.shape(); }
  Index reserve(const Features& x) { return classes_.reserve(x); }
  void grow(Index features) { classes_.grow(features); }
  void scores(const Features& x, std::span<double> out) const { classes_.scores(x, out); }
  double quad_bound(const PairVector& v) const { return v.squared_norm() / a_; }
  double quad(const PairVector& v) const;
  // Each class apart: one whose numbers are too large leaves the other's step as it is.
  bool step(const PairVector& v, double w, double g, double inner) {
    return !std::isnan(quad_step(v, w, g, inner));
  }
  double quad_step(const PairVector& v, double w, double g, double inner);
  void limit_memory(double bytes) { classes_.limit_memory(bytes); }
  void add_classes(Label classes) { classes_.add_classes(classes); }
  void visit(StateVisitor& visitor) { classes_.visit(visitor); }

 private:
  double class_step(Label label, const Features& x, double w, double g);

  double a_;
  FullClasses classes_;
};

static_assert(Covariance<BlockCovariance>);

}  // namespace soba
