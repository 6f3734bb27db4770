#include "covariance/block.h"

namespace soba {

double BlockCovariance::quad(const PairVector& v) {
  up_ = classes_.variance(v.up, v.x);
  down_ = classes_.variance(v.down, v.x);
  return up_ + down_;
}

// In each block apart, from (A + w·x·xᵀ)·W' = θ ± g·x and A·W = θ:
// W' = W + (±g − w·⟨W,x⟩)/(1 + w·xᵀA⁻¹x)·A⁻¹x
void BlockCovariance::step(const PairVector& v, double w, double g, double /*inner*/) {
  const double up = (g - w * classes_.score(v.up, v.x)) / (1 + w * up_);
  const double down = (-g - w * classes_.score(v.down, v.x)) / (1 + w * down_);
  classes_.step(v.up, v.x, w, up);
  classes_.step(v.down, v.x, w, down);
}

double BlockCovariance::quad_step(const PairVector& v, double w, double g, double inner) {
  const double result = quad(v);
  step(v, w, g, inner);
  return result;
}

}  // namespace soba
