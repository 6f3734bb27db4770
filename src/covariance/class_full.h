// A_i written out as its inverse, d × d for each class: exact, for d up to about a thousand. A
// variance costs O(nnz²), a step O(d·nnz + d²). State: k·d·(d + b + 1) numbers, where b updates of
// a class wait until one pass over its matrix takes them all: until then A_i⁻¹ = P_i − V_i·V_iᵀ.
//
// Rows and columns begin a stride apart, which grows by half whenever features outgrow it: until
// then a new feature costs O(k).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "covariance/class_covariance.h"
#include "linalg/class_matrix.h"

namespace soba {

class FullClasses {
 public:
  // `memory` bounds the bytes of all A_i; the constructor and reserve() throw Error{kResource}
  // beyond it.
  FullClasses(Shape shape, double a, double memory);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) { return reserve_features(x.extent()); }
  void grow(Index features);
  // Feature 0 of x is this one's `first`.
  void scores(const Features& x, std::span<double> out, Index first = 0) const {
    weights_.scores(x, out, first);
  }
  // w_label·x. Requires: x.extent() <= features.
  double score(Label label, const Features& x) const;
  double variance(Label label, const Features& x) const;
  // The same over those features alone that a step of this class has met; x may have unknown ones.
  double met_variance(Label label, const Features& x) const;
  void variances(const Features& x, std::span<double> out) const;
  double solve(Label label, const Features& x);
  bool step(Label label, const Features& x, double w, double along);
  void limit_memory(double bytes);
  // Of several groups of classes, which are equally many, each gets its share of the new ones.
  void add_classes(Label classes, Label groups = 1);
  void visit(StateVisitor& visitor);

  // Throws as reserve() does. Returns for how many features there is room.
  Index reserve_features(Index features) {
    if (features > room_) make_room(features);
    return room_;
  }
  // Lets A_jj of a class start at `entry` instead of a. Requires: no step of this class has met
  // feature j, and j < features.
  void start(Label label, Index feature, double entry);
  // A_jj += amount, θ as it is: the step of recursive least squares along e_j towards 0, without
  // the cancellation that it would have in row j. Requires: amount >= 0, j < features.
  void raise(Label label, Index feature, double amount);

  double weight(Index feature, Label label) const {
    return weights_[weights_.cell(feature, label)];
  }
  // The diagonal of A_i, by one inversion; valid until the next call. The matrix is lost.
  // Requires: invert_room(features) numbers in `room`.
  std::span<const double> take_diagonal(Label label, std::span<double> room);

  static double bytes(Shape shape);

 private:
  static constexpr std::int64_t kBlock = 12;  // b
  static_assert(kBlock % 4 == 0);             // inner products are taken four at a time

  void make_room(Index features);
  [[noreturn]] void refuse(Shape needed) const;  // for want of memory
  void widen(std::size_t stride);
  // P and V as they are with another stride.
  std::vector<double> inverse_by(std::size_t stride) const;
  std::vector<double> waiting_by(std::size_t stride) const;
  std::size_t inverse_at(Label label) const;
  std::size_t waiting_at(Label label) const;
  const double* inverse(Label label) const { return inverse_.data() + inverse_at(label); }
  const double* waiting(Label label) const { return waiting_.data() + waiting_at(label); }
  std::size_t waits(Label label) const;
  double quad(Label label, const Features& x, bool met_only) const;
  bool met(Label label, Index feature) const;
  void flush(Label label);

  double a_;
  double memory_;
  Index room_ = -1;  // features that there is memory for; −1: not yet known
  std::size_t stride_ = 0;
  std::vector<double> inverse_;      // P_i, class after class, both triangles; zeros beyond d
  std::vector<double> waiting_;      // V_i, class after class, with zeros up to kBlock columns
  std::vector<std::int64_t> waits_;  // columns of V_i
  ClassMatrix<double> weights_;
  // What solve() works on: the columns of P_i that x picks and those of V_i, and a factor for each.
  // What it leaves for step(): A_i⁻¹x, their combination, and xᵀA_i⁻¹x.
  std::vector<const double*> column_;
  std::vector<double> factor_;
  std::vector<double> solved_;
  double quad_ = 0;
};

static_assert(ClassCovariance<FullClasses>);

}  // namespace soba
