// Steps that stay within what doubles hold. Where a matrix has lost its digits to rounding, as with
// columns beyond 10⁸, A⁻¹x may be anything; what is within these bounds can be multiplied by any
// value of the data, and added up, for as many rounds as there will ever be.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace soba::linalg {

inline constexpr double kLargestColumn = 1e140;  // its square is an entry of a matrix
inline constexpr double kLargestStep = 1e180;    // of a weight
inline constexpr double kLargestFloat = 1e37;    // of a weight that is rounded to float

// Whether u·scale may enter a matrix, and u·along the weights.
inline bool step_holds(std::span<const double> u, double scale, double along) {
  if (!std::isfinite(scale) || !std::isfinite(along)) return false;
  const double limit = std::min(kLargestColumn / std::fabs(scale), kLargestStep / std::fabs(along));
  bool holds = true;
  for (const double entry : u) holds = holds & (std::fabs(entry) <= limit);
  return holds;
}

}  // namespace soba::linalg
