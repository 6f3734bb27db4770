// A_i written out as its inverse, d × d for each class: exact, for d up to about a thousand. A
// variance costs O(nnz²), a step O(d·nnz + d²). State: k·d·(d + 1) numbers.
#pragma once

#include <span>
#include <vector>

#include "covariance/class_covariance.h"
#include "linalg/class_matrix.h"

namespace soba {

class FullClasses {
 public:
  // `memory` bounds the bytes of all A_i; grow() throws Error{kResource} beyond it.
  FullClasses(Shape shape, double a, double memory);

  Shape shape() const { return weights_.shape(); }
  void grow(Index features);
  void scores(Features x, std::span<double> out) const { weights_.scores(x, out); }
  // w_label·x. Requires: x.extent() <= features.
  double score(Label label, Features x) const;
  double variance(Label label, Features x) const;
  // The same over those features alone that a step of this class has met; x may have unknown ones.
  double met_variance(Label label, Features x) const;
  void variances(Features x, std::span<double> out) const;
  void step(Label label, Features x, double w, double along);
  void visit(StateVisitor& visitor);

  static double bytes(Shape shape);

 private:
  const double* inverse(Label label) const;

  double a_;
  double memory_;
  std::vector<double> inverse_;  // A_i⁻¹, class after class, both triangles
  ClassMatrix<double> weights_;
  // Room for one step: the columns of A_i⁻¹ that x picks, and A_i⁻¹x.
  std::vector<const double*> column_;
  std::vector<double> solved_;
};

static_assert(ClassCovariance<FullClasses>);

}  // namespace soba
