// The generalized projection onto the ball ‖w‖ <= R: the point of the ball nearest to u in the norm
// of A, argmin (w − u)ᵀA(w − u), for A symmetric and positive definite.
//
// Inside the ball it is u. Outside, w(λ) = (A + λI)⁻¹Au with the λ > 0 for which ‖w(λ)‖ = R: the
// only root of 1/‖w(λ)‖ − 1/R, which is concave and ascends in λ >= 0. Newton's method on it, from
// anywhere, passes the root at most in its first step and then ascends to it; no safeguard is
// needed but λ >= 0 (Conn, Gould, Toint, "Trust-Region Methods", Section 7.3).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace soba::linalg {

// A is a diagonal; u becomes w. Returns λ. O(n) for each step of Newton's method, 3 to 8 of them.
double project_diagonal(std::span<const double> a, double radius, std::span<double> u);

// A is written out, n × n with columns `stride` apart, of which the lower triangle is read. Given
// Au rather than u, so that a minimiser of ½wᵀAw − wᵀ(Au) over the ball needs no solve for u first.
// O(n³/3) for each step.
class DenseProjection {
 public:
  // Room for n numbers: project() does not throw then.
  void reserve(std::size_t n);
  // Starts at `lambda`, such as that of a similar A before, and leaves the new one there. False,
  // and nothing changed, where numbers are too large or too unlike to work with. Requires: lambda
  // >= 0.
  bool project(const double* a, std::size_t stride, std::span<const double> au, double radius,
               double& lambda, std::span<double> w);

 private:
  std::vector<double> factor_, solved_, lower_;  // room to work in, no state
};

}  // namespace soba::linalg
