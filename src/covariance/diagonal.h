// The diagonal form: only the diagonal of A is kept, as in the paper's experiments (SOBAdiag).
// State: kd numbers each of A and θ in double (a float A stops counting after 2²⁴ increments of 1),
// and of W in float for scoring. A step costs O(nnz(x)).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "covariance/covariance.h"
#include "linalg/class_matrix.h"

namespace soba {

class DiagonalCovariance {
 public:
  DiagonalCovariance(Shape shape, double a);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > shape().features) reserve_features(x.extent());
    return std::max(x.extent(), shape().features);
  }
  void grow(Index features) {
    if (features > shape().features) grow_to(features);
  }
  void scores(const Features& x, std::span<double> out) const { weights_.scores(x, out); }
  double quad_bound(const PairVector& v) const { return v.squared_norm() / a_; }
  double quad(const PairVector& v) const {
    return linalg::quad_diagonal(static_cast<std::size_t>(shape().classes),
                                 static_cast<std::size_t>(v.up), static_cast<std::size_t>(v.down),
                                 v.x, cells_.data());
  }
  bool step(const PairVector& v, double w, double g, double inner) {
    return !std::isnan(quad_step(v, w, g, inner));
  }
  double quad_step(const PairVector& v, double w, double g, double /*inner*/) {
    // With |g| <= w a weight is at most √(Σw/a)/2, by Cauchy and Schwarz.
    const bool small = std::fabs(g) <= w && w <= certain_;
    if (!small && !holds(v, w, g)) return std::nan("");
    const linalg::DiagonalStep step{static_cast<std::size_t>(shape().classes),
                                    static_cast<std::size_t>(v.up),
                                    static_cast<std::size_t>(v.down),
                                    w,
                                    g,
                                    cells_.size() * sizeof(cells_[0]) > linalg::kNear};
    return linalg::step_diagonal(step, v.x, cells_.data(), weights_.cells().data());
  }
  void limit_memory(double /*bytes*/) {}  // takes what the weights take
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  void reserve_features(Index features);
  // Takes over A_jj and w_j of a cell from another form. Requires: diagonal > 0.
  void set(std::size_t cell, double diagonal, double weight);

  // The diagonal of A and θ at (feature, label): for tests and for looking inside.
  double diagonal(Index feature, Label label) const;
  double theta(Index feature, Label label) const;

 private:
  void grow_to(Index features);
  bool holds(const PairVector& v, double w, double g) const;

  double a_;
  double certain_;                           // steps with w up to this stay in range, whatever x is
  std::vector<linalg::DiagonalCell> cells_;  // feature-major, like the weights
  ClassMatrix<float> weights_;               // W = θ/A, rounded
};

static_assert(Covariance<DiagonalCovariance>);

}  // namespace soba
