// A_i as its diagonal: O(nnz(x)) for everything. State: kd numbers each of A⁻¹ and w in double, and
// of w in float for scoring.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "covariance/class_covariance.h"
#include "linalg/class_matrix.h"

namespace soba {

class DiagonalClasses {
 public:
  DiagonalClasses(Shape shape, double a);

  Shape shape() const { return rounded_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > shape().features) reserve_features(x.extent());
    return std::max(x.extent(), shape().features);
  }
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const { rounded_.scores(x, out); }
  double variance(Label label, const Features& x) const;
  void variances(const Features& x, std::span<double> out) const;
  double solve(Label label, const Features& x) { return variance_ = variance(label, x); }
  bool step(Label label, const Features& x, double w, double along);
  void limit_memory(double /*bytes*/) {}  // takes what the weights take
  void visit(StateVisitor& visitor);

  void reserve_features(Index features);
  // Takes over A_jj and w_j of a class from another form. Requires: entry > 0.
  void set(Index feature, Label label, double entry, double weight);

 private:
  linalg::ClassMove move(Label label) const;
  bool holds(Label label, const Features& x, double along) const;

  double a_;
  std::vector<linalg::ClassCell> cells_;  // feature-major, like the weights
  ClassMatrix<float> rounded_;            // the weights, for scoring
  double variance_ = 0;                   // what solve() said last
};

static_assert(ClassCovariance<DiagonalClasses>);

}  // namespace soba
