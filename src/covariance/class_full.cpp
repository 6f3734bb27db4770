#include "covariance/class_full.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/memory_limit.h"
#include "linalg/blas.h"
#include "linalg/finite.h"
#include "linalg/kernels.h"
#include "soba/error.h"

namespace soba {

namespace {

// The inner products of x with four columns, `stride` apart in memory. Each sum is in the order
// of the features, so that zeros among them change nothing; four at a time need not wait for each
// other.
std::array<double, 4> inner_products(const Features& x, const double* columns, std::size_t stride) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double* row = columns + x.feature(i);
    s0 += x.value[i] * row[0];
    s1 += x.value[i] * row[stride];
    s2 += x.value[i] * row[2 * stride];
    s3 += x.value[i] * row[3 * stride];
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

void FullClasses::make_room(Index features) {
  const Label classes = shape().classes;
  const Index needed = std::max(features, shape().features);
  const auto fits = [&](Index d) { return bytes({classes, d}) <= memory_; };
  if (needed > shape().features && !fits(needed)) refuse({classes, needed});
  const Index room = linalg::features_ahead(room_, needed, fits);
  const auto d = static_cast<std::size_t>(room);
  if (d > stride_) widen(d);
  weights_.reserve(room);
  column_.reserve(d + kBlock);
  factor_.reserve(d + kBlock);
  solved_.reserve(d);
  room_ = room;
}

void FullClasses::refuse(Shape needed) const {
  throw Error(
      ErrorKind::kResource,
      fmt::format("a matrix over {} features for each of {} classes needs {:.1f} GiB, more "
                  "than the {:.1f} allowed; raise 'memory' or choose the diagonal covariance",
                  needed.features, needed.classes, bytes(needed) / 0x1p30, memory_ / 0x1p30));
}

void FullClasses::add_classes(Label classes, Label groups) {
  const Shape old = shape(), larger{classes, old.features};
  if (old.features > 0 && bytes(larger) > memory_) refuse(larger);
  const auto from = static_cast<std::size_t>(old.classes / groups);
  const auto to = static_cast<std::size_t>(classes / groups);
  const std::size_t cells = stride_ * stride_, columns = kBlock * stride_;
  inverse_ = linalg::longer_runs(inverse_, inverse_.size(), from * cells, to * cells, 0.0);
  waiting_ = linalg::longer_runs(waiting_, waiting_.size(), from * columns, to * columns, 0.0);
  waits_ = linalg::longer_runs(waits_, waits_.size(), from, to, std::int64_t{0});
  weights_.add_classes(classes, groups);
  room_ = -1;
  const auto d = static_cast<std::size_t>(old.features);
  for (Label label = 0; label < classes; ++label) {
    if (static_cast<std::size_t>(label) % to < from) continue;
    double* matrix = inverse_.data() + inverse_at(label);
    for (std::size_t j = 0; j < d; ++j) matrix[j * stride_ + j] = 1 / a_;
  }
}

void FullClasses::grow(Index features) {
  const Shape old = shape();
  if (features <= old.features) return;
  const auto from = static_cast<std::size_t>(old.features), to = static_cast<std::size_t>(features);
  if (to > stride_) widen(to);
  for (Label label = 0; label < old.classes; ++label) {
    double* matrix = inverse_.data() + inverse_at(label);
    for (std::size_t j = from; j < to; ++j) matrix[j * stride_ + j] = 1 / a_;
  }
  weights_.grow(features);
}

// Copies of both before either changes: there may be no memory for them.
void FullClasses::widen(std::size_t stride) {
  std::vector<double> inverse = inverse_by(stride), waiting = waiting_by(stride);
  inverse_.swap(inverse);
  waiting_.swap(waiting);
  stride_ = stride;
}

std::vector<double> FullClasses::inverse_by(std::size_t stride) const {
  const auto k = static_cast<std::size_t>(shape().classes);
  const auto d = static_cast<std::size_t>(shape().features);
  std::vector<double> out(k * stride * stride);
  for (std::size_t i = 0; i < k; ++i) {
    linalg::copy_rows(d, d, inverse_.data() + i * stride_ * stride_, stride_,
                      out.data() + i * stride * stride, stride);
  }
  return out;
}

std::vector<double> FullClasses::waiting_by(std::size_t stride) const {
  const std::size_t rows = static_cast<std::size_t>(shape().classes) * kBlock;
  std::vector<double> out(rows * stride);
  linalg::copy_rows(rows, static_cast<std::size_t>(shape().features), waiting_.data(), stride_,
                    out.data(), stride);
  return out;
}

std::size_t FullClasses::inverse_at(Label label) const {
  return static_cast<std::size_t>(label) * stride_ * stride_;
}

std::size_t FullClasses::waiting_at(Label label) const {
  return static_cast<std::size_t>(label) * kBlock * stride_;
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
  const double* matrix = inverse(label);
  double quad = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (met_only && !met(label, x.feature(j))) continue;
    const double* column = matrix + static_cast<std::size_t>(x.feature(j)) * stride_;
    double sum = 0;
    for (std::size_t i = 0; i < j; ++i) sum += x.value[i] * column[x.feature(i)];
    quad += x.value[j] * (2 * sum + x.value[j] * column[x.feature(j)]);
  }
  for (std::size_t c = 0; c < waits(label); c += 4) {
    for (const double inner : inner_products(x, waiting(label) + c * stride_, stride_)) {
      quad -= inner * inner;
    }
  }
  return std::max(0.0, quad);
}

bool FullClasses::met(Label label, Index feature) const {
  // A feature that was never met has a row of its own in A⁻¹, with nothing beside the diagonal. The
  // products are subtracted as flush() does, so that it changes no answer.
  const auto j = static_cast<std::size_t>(feature);
  double diagonal = inverse(label)[j * stride_ + j];
  for (std::size_t c = 0; c < waits(label); ++c) {
    const double v = waiting(label)[c * stride_ + j];
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
    column_[i] = matrix + static_cast<std::size_t>(x.feature(i)) * stride_;
    factor_[i] = x.value[i];
  }
  for (std::size_t i = picked; i < all; columns += 4 * stride_) {
    const std::array<double, 4> inner = inner_products(x, columns, stride_);
    for (std::size_t c = 0; c < 4 && i < all; ++c, ++i) {
      column_[i] = columns + c * stride_;
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

bool FullClasses::step(Label label, const Features& /*x*/, double w, double along) {
  // Sherman–Morrison: A⁻¹ −= w·u·uᵀ/(1 + w·xᵀu), where u = A⁻¹x
  const auto d = static_cast<std::size_t>(shape().features);
  const auto k = static_cast<std::size_t>(shape().classes), own = static_cast<std::size_t>(label);
  const double scale = std::sqrt(w / (1 + w * quad_));
  if (!std::isfinite(quad_) || !linalg::step_holds(solved_, scale, along)) return false;
  double* column = waiting_.data() + waiting_at(label) + waits(label) * stride_;
  double* weight = weights_.cells().data() + own;
  for (std::size_t j = 0; j < d; ++j) {
    weight[j * k] += along * solved_[j];
    column[j] = scale * solved_[j];
  }
  if (++waits_[own] == kBlock) flush(label);
  return true;
}

void FullClasses::flush(Label label) {
  double* columns = waiting_.data() + waiting_at(label);
  linalg::subtract_outer(columns, kBlock, inverse_.data() + inverse_at(label),
                         static_cast<std::size_t>(shape().features), stride_);
  std::fill_n(columns, kBlock * stride_, 0.0);
  waits_[static_cast<std::size_t>(label)] = 0;
}

void FullClasses::start(Label label, Index feature, double entry) {
  const auto j = static_cast<std::size_t>(feature);
  inverse_[inverse_at(label) + j * stride_ + j] = 1 / entry;
}

void FullClasses::raise(Label label, Index feature, double amount) {
  flush(label);
  const auto d = static_cast<std::size_t>(shape().features), j = static_cast<std::size_t>(feature);
  const auto k = static_cast<std::size_t>(shape().classes);
  double* matrix = inverse_.data() + inverse_at(label);
  double* weight = weights_.cells().data() + static_cast<std::size_t>(label);
  // With u = A⁻¹e_j: A⁻¹ −= u·uᵀ·amount/(1 + amount·u_j), of which row j is u/(1 + amount·u_j).
  solved_.assign(matrix + j * stride_, matrix + j * stride_ + d);
  const double left = 1 / (1 + amount * solved_[j]), w = weight[j * k];
  const double root = std::sqrt(amount * left);  // on either side, so that A⁻¹ stays symmetric
  for (double& entry : solved_) entry *= root;
  for (std::size_t row = 0; row < d; ++row) {
    if (row == j) continue;
    weight[row * k] -= root * w * solved_[row];
    linalg::add_scaled(-solved_[row], solved_.data(), matrix + row * stride_, d);
    matrix[row * stride_ + j] = matrix[j * stride_ + row] *= left;
  }
  matrix[j * stride_ + j] *= left;
  weight[j * k] *= left;
}

std::span<const double> FullClasses::take_diagonal(Label label, std::span<double> room) {
  flush(label);
  const auto d = static_cast<std::size_t>(shape().features);
  double* matrix = inverse_.data() + inverse_at(label);
  solved_.resize(d);
  for (std::size_t j = 0; j < d; ++j) {
    solved_[j] = matrix[j * stride_ + j];
    if (stride_ > d) std::copy_n(matrix + j * stride_, d, matrix + j * d);
  }
  const bool inverted = linalg::invert(d, matrix, room);
  for (std::size_t j = 0; j < d; ++j) {
    // Without a Cholesky factor: A_jj is at least the inverse of its entry in A⁻¹. And A is at
    // least a·I, and nothing that is not finite.
    const double entry = inverted ? matrix[j * d + j] : 1 / solved_[j];
    solved_[j] = entry > a_ && std::isfinite(entry) ? entry : a_;
  }
  return solved_;
}

void FullClasses::limit_memory(double bytes) {
  check_memory_limit(FullClasses::bytes(shape()), memory_, bytes);
  memory_ = bytes;
  room_ = -1;  // what was reserved under another limit does not count
}

void FullClasses::visit(StateVisitor& visitor) {
  const auto k = static_cast<std::size_t>(shape().classes);
  const auto d = static_cast<std::size_t>(shape().features);
  if (visitor.loading()) {
    room_ = -1;
    stride_ = d;
  }
  weights_.visit("weights", visitor);
  // A file has no stride.
  const bool plain = stride_ == d;
  std::vector<double> own_inverse, own_waiting;
  if (!plain) {
    own_inverse = inverse_by(d);
    own_waiting = waiting_by(d);
  }
  std::vector<double>& inverse = plain ? inverse_ : own_inverse;
  std::vector<double>& waiting = plain ? waiting_ : own_waiting;
  visitor.field("covariance.inverse", inverse);
  visitor.field("covariance.waiting", waiting);
  visitor.field("covariance.waits", waits_);
  visitor.require(inverse.size() == k * d * d, "there is a d x d matrix for each class");
  visitor.require(waiting.size() == k * kBlock * d && waits_.size() == k,
                  "there is room for the updates of each class that wait");
  for (Label label = 0; label < shape().classes; ++label) {
    const double* columns = waiting.data() + static_cast<std::size_t>(label) * kBlock * d;
    visitor.require(waits(label) < kBlock, "fewer updates wait than there is room for");
    visitor.require(std::all_of(columns + waits(label) * d, columns + kBlock * d,
                                [](double v) { return v == 0; }),
                    "where no update waits there are zeros");
  }
  visitor.require(all_finite(inverse) && all_finite(waiting),
                  "every number of the matrices is finite");
}

}  // namespace soba
