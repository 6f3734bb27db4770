#include "covariance/block.h"

namespace soba {

double BlockCovariance::quad(const PairVector& v) const {
  return classes_.variance(v.up, v.x) + classes_.variance(v.down, v.x);
}

double BlockCovariance::quad_step(const PairVector& v, double w, double g, double /*inner*/) {
  const double up = class_step(v.up, v.x, w, g);
  return up + class_step(v.down, v.x, w, -g);
}

// From (A + w·x·xᵀ)·W' = θ + g·x and A·W = θ: W' = W + (g − w·⟨W,x⟩)/(1 + w·xᵀA⁻¹x)·A⁻¹x
double BlockCovariance::class_step(Label label, const Features& x, double w, double g) {
  const double variance = classes_.solve(label, x);
  const double along = (g - w * classes_.score(label, x)) / (1 + w * variance);
  return classes_.step(label, x, w, along) ? variance : std::nan("");
}

}  // namespace soba
