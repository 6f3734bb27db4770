#include "covariance/class_full.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/memory_limit.h"
#include "linalg/kernels.h"
#include "soba/error.h"

namespace soba {

namespace {

// The inner products of x with four columns, one after the other in memory. Each sum is in the order
// of the features, so that zeros among them change nothing; four at a time need not wait for each
// other.
std::array<double, 4> inner_products(const Features& x, const double* columns, std::size_t d) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* row = columns + x.feature(i);
    s0 += x.value[i] * row[0];
    s1 += x.value[i] * row[d];
    s2 += x.value[i] * row[2 * d];
    s3 += x.value[i] * row[3 * d];
  }
  return {s0, s1, s2, s3};
}

}  // namespace

FullClasses::FullClasses(Shape shape, double a, double memory)
    : a_(a),
      memory_(memory),
      waits_(static_cast<std::size_t>(shape.classes)),
      weights_({shape.classes, 0}) {
  reserve_features(shape.features);
  grow(shape.features);
}

double FullClasses::bytes(Shape shape) {
  const double k = shape.classes, d = shape.features;
  return 8 * k * d * (d + kBlock + 1);
}

void FullClasses::reserve_features(Index features) {
  const Label classes = shape().classes;
  const Index needed = std::max(features, shape().features);
  const auto fits = [&](Index d) { return bytes({classes, d}) <= memory_; };
  if (needed > shape().features && !fits(needed)) {
    throw Error(
        ErrorKind::kResource,
        fmt::format("a matrix over {} features for each of {} classes needs {:.1f} GiB, more "
                    "than the {:.1f} allowed; raise 'memory' or choose the diagonal covariance",
                    needed, classes, bytes({classes, needed}) / 0x1p30, memory_ / 0x1p30));
  }
  const Index room = linalg::features_ahead(room_, needed, fits);
  const auto k = static_cast<std::size_t>(classes), d = static_cast<std::size_t>(room);
  inverse_.reserve(k * d * d);
  waiting_.reserve(k * kBlock * d);
  weights_.reserve(room);
  column_.reserve(d + kBlock);
  factor_.reserve(d + kBlock);
  solved_.reserve(d);
  room_ = room;
}

void FullClasses::grow(Index features) {
  const Shape old = shape();
  if (features <= old.features) return;
  const auto from = static_cast<std::size_t>(old.features), to = static_cast<std::size_t>(features);
  const auto k = static_cast<std::size_t>(old.classes);
  linalg::widen_squares(inverse_, k, from, to);
  for (std::size_t label = 0; label < k; ++label) {
    for (std::size_t j = from; j < to; ++j) inverse_[(label * to + j) * to + j] = 1 / a_;
  }
  linalg::widen_rows(waiting_, k * kBlock, from, to);
  weights_.grow(features);
}

const double* FullClasses::inverse(Label label) const {
  const auto d = static_cast<std::size_t>(shape().features);
  return inverse_.data() + static_cast<std::size_t>(label) * d * d;
}

const double* FullClasses::waiting(Label label) const {
  const auto d = static_cast<std::size_t>(shape().features);
  return waiting_.data() + static_cast<std::size_t>(label) * kBlock * d;
}

std::size_t FullClasses::waits(Label label) const {
  return static_cast<std::size_t>(waits_[static_cast<std::size_t>(label)]);
}

double FullClasses::score(Label label, const Features& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x.value[i] * weights_[weights_.cell(x.feature(i), label)];
  }
  return sum;
}

double FullClasses::variance(Label label, const Features& x) const { return quad(label, x, false); }

double FullClasses::met_variance(Label label, const Features& x) const {
  return quad(label, first_features(x, shape().features), true);
}

double FullClasses::quad(Label label, const Features& x, bool met_only) const {
  // xᵀ(P − V·Vᵀ)x = xᵀPx − ‖Vᵀx‖², the first by one triangle:
  // xᵀPx = Σ_j x_j·(P_jj·x_j + 2·Σ_{i<j} P_ij·x_i)
  const auto d = static_cast<std::size_t>(shape().features);
  const double* matrix = inverse(label);
  double quad = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (met_only && !met(label, x.feature(j))) continue;
    const double* column = matrix + static_cast<std::size_t>(x.feature(j)) * d;
    double sum = 0;
    for (std::size_t i = 0; i < j; ++i) sum += x.value[i] * column[x.feature(i)];
    quad += x.value[j] * (2 * sum + x.value[j] * column[x.feature(j)]);
  }
  for (std::size_t c = 0; c < waits(label); c += 4) {
    for (const double inner : inner_products(x, waiting(label) + c * d, d)) quad -= inner * inner;
  }
  return std::max(0.0, quad);
}

bool FullClasses::met(Label label, Index feature) const {
  // A feature that was never met has a row of its own in A⁻¹, with nothing beside the diagonal. The
  // products are subtracted as flush() does, so that it changes no answer.
  const auto d = static_cast<std::size_t>(shape().features);
  const auto j = static_cast<std::size_t>(feature);
  double diagonal = inverse(label)[j * d + j];
  for (std::size_t c = 0; c < waits(label); ++c) {
    const double v = waiting(label)[c * d + j];
    diagonal -= v * v;
  }
  return diagonal != 1 / a_;
}

void FullClasses::variances(const Features& x, std::span<double> out) const {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = variance(static_cast<Label>(c), x);
}

double FullClasses::solve(Label label, const Features& x) {
  // A⁻¹x = P·x − V·(Vᵀx)
  const auto d = static_cast<std::size_t>(shape().features);
  const double* matrix = inverse(label);
  const double* columns = waiting(label);
  const std::size_t picked = x.size(), all = picked + waits(label);
  column_.resize(all);
  factor_.resize(all);
  for (std::size_t i = 0; i < picked; ++i) {
    column_[i] = matrix + static_cast<std::size_t>(x.feature(i)) * d;
    factor_[i] = x.value[i];
  }
  for (std::size_t i = picked; i < all; columns += 4 * d) {
    const std::array<double, 4> inner = inner_products(x, columns, d);
    for (std::size_t c = 0; c < 4 && i < all; ++c, ++i) {
      column_[i] = columns + c * d;
      factor_[i] = -inner[c];
    }
  }
  solved_.resize(d);
  linalg::combine(factor_, column_.data(), solved_.data(), d);
  double quad = 0;
  for (std::size_t i = 0; i < picked; ++i) quad += x.value[i] * solved_[x.feature(i)];
  quad_ = std::max(0.0, quad);
  return quad_;
}

void FullClasses::step(Label label, const Features& /*x*/, double w, double along) {
  // Sherman–Morrison: A⁻¹ −= w·u·uᵀ/(1 + w·xᵀu), where u = A⁻¹x
  const auto d = static_cast<std::size_t>(shape().features);
  const auto k = static_cast<std::size_t>(shape().classes), own = static_cast<std::size_t>(label);
  const double scale = std::sqrt(w / (1 + w * quad_));
  double* column = waiting_.data() + (own * kBlock + waits(label)) * d;
  double* weight = weights_.cells().data() + own;
  for (std::size_t j = 0; j < d; ++j) {
    weight[j * k] += along * solved_[j];
    column[j] = scale * solved_[j];
  }
  if (++waits_[own] == kBlock) flush(label);
}

void FullClasses::flush(Label label) {
  const auto d = static_cast<std::size_t>(shape().features), own = static_cast<std::size_t>(label);
  double* columns = waiting_.data() + own * kBlock * d;
  linalg::subtract_outer(columns, kBlock, inverse_.data() + own * d * d, d);
  std::fill_n(columns, kBlock * d, 0.0);
  waits_[own] = 0;
}

void FullClasses::limit_memory(double bytes) {
  check_memory_limit(FullClasses::bytes(shape()), memory_, bytes);
  memory_ = bytes;
  room_ = -1;  // what was reserved under another limit does not count
}

void FullClasses::visit(StateVisitor& visitor) {
  if (visitor.loading()) room_ = -1;
  weights_.visit("weights", visitor);
  visitor.field("covariance.inverse", inverse_);
  visitor.field("covariance.waiting", waiting_);
  visitor.field("covariance.waits", waits_);
  const auto k = static_cast<std::size_t>(shape().classes);
  const auto d = static_cast<std::size_t>(shape().features);
  visitor.require(inverse_.size() == k * d * d, "there is a d x d matrix for each class");
  visitor.require(waiting_.size() == k * kBlock * d && waits_.size() == k,
                  "there is room for the updates of each class that wait");
  for (Label label = 0; label < shape().classes; ++label) {
    visitor.require(waits(label) < kBlock, "fewer updates wait than there is room for");
    visitor.require(std::all_of(waiting(label) + waits(label) * d, waiting(label) + kBlock * d,
                                [](double v) { return v == 0; }),
                    "where no update waits there are zeros");
  }
  visitor.require(all_finite(inverse_) && all_finite(waiting_),
                  "every number of the matrices is finite");
}

}  // namespace soba
