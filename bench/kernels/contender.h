// The loops of a round, as ours, as plain loops and as Eigen has them.
#pragma once

#include <cstddef>
#include <string>

#include "linalg/kernels.h"

namespace soba::bench {

// Null where a contender has none.
struct Kernels {
  std::string name;
  // Feature-major weights, k to a feature; see linalg/kernels.h.
  void (*scores)(const float* weights, std::size_t k, const Features& x, double* out);
  std::size_t (*argmax)(const double* values, std::size_t n);
  double (*step_diagonal)(const linalg::DiagonalStep& step, const Features& x,
                          linalg::DiagonalCell* cells, float* weights);
  // Bandit-AROW's update: the variance, then the step.
  double (*step_class)(const linalg::ClassMove& move, const Features& x, linalg::ClassCell* cells,
                       float* weights);
};

Kernels soba_kernels();
Kernels plain_kernels();
Kernels eigen_kernels();

}  // namespace soba::bench
