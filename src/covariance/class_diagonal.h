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
  // A whose entries start only with start(), each at `least` or more.
  static DiagonalClasses unstarted(Shape shape, double least);

  Shape shape() const { return rounded_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > shape().features) reserve_features(x.extent());
    return std::max(x.extent(), shape().features);
  }
  void grow(Index features) {
    if (features > shape().features) grow_to(features);
  }
  // Feature 0 of x is this one's `first`.
  void scores(const Features& x, std::span<double> out, Index first = 0) const {
    rounded_.scores(x, out, first);
  }
  double variance(Label label, const Features& x) const {
    return linalg::class_variance(move(label), x, cells_.data());
  }
  void variances(const Features& x, std::span<double> out) const;
  double solve(Label label, const Features& x) { return variance_ = variance(label, x); }
  bool step(Label label, const Features& x, double w, double along) {
    // |x_j|/A_jj <= √(xᵀA⁻¹x/a): steps so small cannot add up to what holds() would refuse, and
    // nothing that is not finite is so small.
    const bool small = along * along * variance_ <= small_;
    if (!small && !holds(label, x, along)) return false;
    linalg::ClassMove move = this->move(label);
    move.w = w;
    move.along = along;
    linalg::step_class(move, x, cells_.data(), rounded_.cells().data());
    return true;
  }
  void limit_memory(double /*bytes*/) {}  // takes what the weights take
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  void reserve_features(Index features);
  // Takes over A_jj and w_j of a class from another form. Requires: entry > 0.
  void set(Index feature, Label label, double entry, double weight);
  double weight(Index feature, Label label) const {
    return rounded_[rounded_.cell(feature, label)];
  }
  // Lets the entries of a class that x meets first start at entry(value of x), where they have not
  // started. Requires: an unstarted() form, x.extent() <= features.
  template <class Entry>
  void start(Label label, const Features& x, Entry&& entry) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      double& inverse = cells_[rounded_.cell(x.feature(i), label)].inverse;
      if (inverse == 0 && x.value[i] != 0) inverse = 1 / std::max(a_, entry(x.value[i]));
    }
  }

 private:
  void grow_to(Index features);
  linalg::ClassMove move(Label label) const {
    return {.k = static_cast<std::size_t>(shape().classes),
            .label = static_cast<std::size_t>(label),
            .far = cells_.size() * sizeof(cells_[0]) > linalg::kNear};
  }
  bool holds(Label label, const Features& x, double along) const;

  double a_;                              // no entry of A is below it
  double small_;                          // along²·xᵀA⁻¹x of steps that need no second look
  double inverse_;                        // of a new entry; 0: it has not started
  std::vector<linalg::ClassCell> cells_;  // feature-major, like the weights
  ClassMatrix<float> rounded_;            // the weights, for scoring
  double variance_ = 0;                   // what solve() said last
};

static_assert(ClassCovariance<DiagonalClasses>);

}  // namespace soba
