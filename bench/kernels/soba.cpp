#include "kernels/contender.h"

namespace soba::bench {

Kernels soba_kernels() {
  return {.name = "soba",
          .scores = [](const float* weights, std::size_t k, const Features& x,
                       double* out) { linalg::scores(weights, k, x, false, out); },
          .argmax = linalg::argmax,
          .step_diagonal = linalg::step_diagonal,
          .step_class =
              [](const linalg::ClassMove& move, const Features& x, linalg::ClassCell* cells,
                 float* weights) {
                const double variance = linalg::class_variance(move, x, cells);
                linalg::step_class(move, x, cells, weights);
                return variance;
              }};
}

}  // namespace soba::bench
