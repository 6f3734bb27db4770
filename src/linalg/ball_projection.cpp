#include "linalg/ball_projection.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"
#include "linalg/kernels.h"
#include "linalg/room.h"

namespace soba::linalg {

namespace {

constexpr double kExact = 1e-12;  // relative to the radius
constexpr int kSteps = 100;       // far more than the method takes

// Newton's next λ, from ‖w‖² and wᵀ(A + λI)⁻¹w; λ itself where it is the root already.
double next(double lambda, double radius, double squares, double curvature) {
  const double norm = std::sqrt(squares);
  if (std::fabs(norm - radius) <= kExact * radius) return lambda;
  return std::max(0.0, lambda + squares / curvature * (norm - radius) / radius);
}

}  // namespace

double project_diagonal(std::span<const double> a, double radius, std::span<double> u) {
  if (dot(u.data(), u.data(), u.size()) <= radius * radius) return 0;
  double lambda = 0;
  for (int step = 0; step < kSteps; ++step) {
    double squares = 0, curvature = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double shifted = a[i] + lambda;
      const double w = a[i] * u[i] / shifted;
      squares += w * w;
      curvature += w * w / shifted;
    }
    const double better = next(lambda, radius, squares, curvature);
    if (!(better > lambda)) break;
    lambda = better;
  }
  for (std::size_t i = 0; i < u.size(); ++i) u[i] *= a[i] / (a[i] + lambda);
  return lambda;
}

void DenseProjection::reserve(std::size_t n) {
  factor_.reserve(n * n);
  solved_.reserve(n);
  lower_.reserve(n);
}

bool DenseProjection::project(const double* a, std::size_t stride, std::span<const double> au,
                              double radius, double& lambda, std::span<double> w) {
  const std::size_t n = au.size();
  double shift = lambda;
  for (int step = 0; step < kSteps; ++step) {
    factor_.resize(n * n);
    copy_rows(n, n, a, stride, factor_.data(), n);
    for (std::size_t i = 0; i < n; ++i) factor_[i * n + i] += shift;
    if (!factor(n, factor_.data())) return false;
    solved_.assign(au.begin(), au.end());
    solve_factored(n, factor_.data(), solved_.data());
    lower_ = solved_;
    solve_lower(n, factor_.data(), lower_.data());
    const double squares = dot(solved_.data(), solved_.data(), n);
    const double curvature = dot(lower_.data(), lower_.data(), n);
    if (!std::isfinite(squares) || !std::isfinite(curvature)) return false;
    const bool inside = shift == 0 && squares <= radius * radius;
    const double better = inside ? shift : next(shift, radius, squares, curvature);
    // Past the first step λ only ascends, until rounding stops it.
    if (better == shift || (step > 1 && better < shift)) break;
    shift = better;
  }
  lambda = shift;
  std::copy(solved_.begin(), solved_.end(), w.begin());
  return true;
}

}  // namespace soba::linalg
