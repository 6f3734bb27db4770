#include <Eigen/Core>

#include "kernels/contender.h"

namespace soba::bench {

namespace {

using Weights = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>>;

void eigen_scores(const float* weights, std::size_t k, const Features& x, double* out) {
  const auto classes = static_cast<Eigen::Index>(k);
  thread_local Eigen::VectorXf sums;
  const Weights columns(weights, classes, x.extent());  // a column for each feature
  if (x.dense()) {
    thread_local Eigen::VectorXf value;
    value = Eigen::Map<const Eigen::VectorXd>(x.value.data(), x.extent()).cast<float>();
    sums.noalias() = columns * value;
  } else {
    sums.setZero(classes);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sums.noalias() += static_cast<float>(x.value[i]) * columns.col(x.feature(i));
    }
  }
  Eigen::Map<Eigen::VectorXd>(out, classes) = sums.cast<double>();
}

std::size_t eigen_argmax(const double* values, std::size_t n) {
  Eigen::Index best = 0;
  Eigen::Map<const Eigen::VectorXd>(values, static_cast<Eigen::Index>(n)).maxCoeff(&best);
  return static_cast<std::size_t>(best);
}

}  // namespace

Kernels eigen_kernels() {
  return {.name = "Eigen",
          .scores = eigen_scores,
          .argmax = eigen_argmax,
          .step_diagonal = nullptr,
          .step_class = nullptr};
}

}  // namespace soba::bench
