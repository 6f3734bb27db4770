#include "covariance/class_full.h"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/kernels.h"
#include "soba/error.h"

namespace soba {

FullClasses::FullClasses(Shape shape, double a, double memory)
    : a_(a), memory_(memory), weights_({shape.classes, 0}) {
  grow(shape.features);
}

double FullClasses::bytes(Shape shape) {
  const double k = shape.classes, d = shape.features;
  return 8 * k * d * (d + 1);
}

void FullClasses::grow(Index features) {
  const Shape old = shape();
  if (features <= old.features) return;
  const Shape larger{old.classes, features};
  if (bytes(larger) > memory_) {
    throw Error(
        ErrorKind::kResource,
        fmt::format("a matrix over {} features for each of {} classes needs {:.1f} GiB, more "
                    "than the {:.1f} allowed; raise 'memory' or choose the diagonal covariance",
                    features, old.classes, bytes(larger) / 0x1p30, memory_ / 0x1p30));
  }
  const auto from = static_cast<std::size_t>(old.features), to = static_cast<std::size_t>(features);
  std::vector<double> inverse(static_cast<std::size_t>(old.classes) * to * to);
  for (Label label = 0; label < old.classes; ++label) {
    double* out = inverse.data() + static_cast<std::size_t>(label) * to * to;
    for (std::size_t j = 0; j < from; ++j) {
      std::copy_n(this->inverse(label) + j * from, from, out + j * to);
    }
    for (std::size_t j = from; j < to; ++j) out[j * to + j] = 1 / a_;
  }
  inverse_ = std::move(inverse);
  weights_.grow(features);
}

const double* FullClasses::inverse(Label label) const {
  const auto d = static_cast<std::size_t>(shape().features);
  return inverse_.data() + static_cast<std::size_t>(label) * d * d;
}

double FullClasses::score(Label label, Features x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x.value[i] * weights_[weights_.cell(x.feature(i), label)];
  }
  return sum;
}

double FullClasses::variance(Label label, Features x) const {
  // One triangle: xᵀPx = Σ_j x_j·(P_jj·x_j + 2·Σ_{i<j} P_ij·x_i)
  const auto d = static_cast<std::size_t>(shape().features);
  const double* matrix = inverse(label);
  double quad = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double* column = matrix + static_cast<std::size_t>(x.feature(j)) * d;
    double sum = 0;
    for (std::size_t i = 0; i < j; ++i) sum += x.value[i] * column[x.feature(i)];
    quad += x.value[j] * (2 * sum + x.value[j] * column[x.feature(j)]);
  }
  return std::max(0.0, quad);
}

double FullClasses::met_variance(Label label, Features x) const {
  // A feature that was never met has a row of its own in A⁻¹, with nothing beside the diagonal.
  const auto d = static_cast<std::size_t>(shape().features);
  const double* matrix = inverse(label);
  const double unmet = 1 / a_;
  double quad = 0;
  for (std::size_t j = 0; j < x.size() && x.feature(j) < shape().features; ++j) {
    const double* column = matrix + static_cast<std::size_t>(x.feature(j)) * d;
    if (column[x.feature(j)] == unmet) continue;
    double sum = 0;
    for (std::size_t i = 0; i < j; ++i) sum += x.value[i] * column[x.feature(i)];
    quad += x.value[j] * (2 * sum + x.value[j] * column[x.feature(j)]);
  }
  return std::max(0.0, quad);
}

void FullClasses::variances(Features x, std::span<double> out) const {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = variance(static_cast<Label>(c), x);
}

void FullClasses::step(Label label, Features x, double w, double along) {
  const auto d = static_cast<std::size_t>(shape().features);
  double* matrix = inverse_.data() + static_cast<std::size_t>(label) * d * d;
  column_.clear();
  for (std::size_t i = 0; i < x.size(); ++i) {
    column_.push_back(matrix + static_cast<std::size_t>(x.feature(i)) * d);
  }
  solved_.resize(d);
  linalg::combine(x.value, column_.data(), solved_.data(), d);
  for (std::size_t j = 0; j < d; ++j) {
    weights_[weights_.cell(static_cast<Index>(j), label)] += along * solved_[j];
  }
  // Sherman–Morrison: A⁻¹ −= w·u·uᵀ/(1 + w·xᵀu), where u = A⁻¹x
  const double quad = std::max(0.0, linalg::sparse_dot(x, solved_.data()));
  const double factor = w / (1 + w * quad);
  linalg::add_outer(-factor, solved_.data(), matrix, d);
}

void FullClasses::visit(StateVisitor& visitor) {
  weights_.visit("weights", visitor);
  visitor.field("covariance.inverse", inverse_);
  const auto k = static_cast<std::size_t>(shape().classes);
  const auto d = static_cast<std::size_t>(shape().features);
  visitor.require(inverse_.size() == k * d * d, "there is a d x d matrix for each class");
  visitor.require(all_finite(inverse_), "every number of the matrices is finite");
}

}  // namespace soba
