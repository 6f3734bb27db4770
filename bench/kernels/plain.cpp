// What one writes down first, in the order of memory, for the compiler to do its best with.
#include <algorithm>
#include <vector>

#include "kernels/contender.h"

namespace soba::bench {

namespace {

void plain_scores(const float* weights, std::size_t k, const Features& x, double* out) {
  thread_local std::vector<float> sums;
  sums.assign(k, 0.0F);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float* row = weights + static_cast<std::size_t>(x.feature(i)) * k;
    const auto v = static_cast<float>(x.value[i]);
    for (std::size_t c = 0; c < k; ++c) sums[c] += v * row[c];
  }
  std::copy(sums.begin(), sums.end(), out);
}

std::size_t plain_argmax(const double* values, std::size_t n) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (values[i] > values[best]) best = i;
  }
  return best;
}

double plain_step_class(const linalg::ClassMove& move, const Features& x, linalg::ClassCell* cells,
                        float* weights) {
  const double variance = linalg::reference::class_variance(move, x, cells);
  linalg::reference::step_class(move, x, cells, weights);
  return variance;
}

}  // namespace

Kernels plain_kernels() {
  return {.name = "plain loops",
          .scores = plain_scores,
          .argmax = plain_argmax,
          .step_diagonal = linalg::reference::step_diagonal,
          .step_class = plain_step_class};
}

}  // namespace soba::bench
