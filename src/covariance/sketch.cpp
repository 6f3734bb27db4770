#include "covariance/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "covariance/memory_limit.h"
#include "linalg/blas.h"
#include "linalg/finite.h"
#include "linalg/kernels.h"
#include "linalg/room.h"
#include "soba/error.h"

namespace soba {

namespace {

// What is left of ‖v‖² after B has explained its part is known to a rounding of ‖v‖² itself.
constexpr double kRounding = 1e-15;

}  // namespace

SketchCovariance::SketchCovariance(Shape shape, double a, std::size_t size, double memory)
    : size_(size), memory_(memory), rho_(a), weights_({shape.classes, 0}) {
  make_ready(shape.features);
  grow(shape.features);
}

double SketchCovariance::bytes(Shape shape, std::size_t size) {
  return 8.0 * (2 * static_cast<double>(size) + 3) * shape.classes * shape.features;
}

void SketchCovariance::make_ready(Index features) {
  const Shape larger{shape().classes, std::max(features, shape().features)};
  if (larger.features > shape().features && bytes(larger, size_) > memory_) {
    throw Error(
        ErrorKind::kResource,
        fmt::format("a sketch of size {} over {} weights needs {}, more than the {} allowed; "
                    "raise 'memory', lower 'sketch-size' or choose the diagonal covariance",
                    size_, static_cast<double>(larger.classes) * larger.features,
                    bytes_text(bytes(larger, size_)), bytes_text(memory_)));
  }
  const std::size_t needed = weights_.cell(larger.features, 0);
  if (needed > stride_) widen(needed);
  linalg::make_room(theta_, needed);
  linalg::make_room(combined_, needed);
  weights_.reserve(larger.features);
  solved_.reserve(2 * size_);
  factors_.reserve(2 * size_);
  columns_.reserve(2 * size_);
  linalg::make_room(factor_, factor_.size() + rows_ + 1);
  if (rows_ + 1 == 2 * size_) {
    shrinking_.gram.reserve(4 * size_ * size_);
    shrinking_.values.reserve(2 * size_);
    shrinking_.factors.reserve(2 * size_ * size_);
    shrinking_.work.reserve(
        std::max(linalg::eigenvector_room(2 * size_), linalg::combine_room(size_)));
  }
  ready_ = larger.features;
}

// Ahead of the features where they are discovered one by one, as far as memory allows.
void SketchCovariance::widen(std::size_t needed) {
  const auto allowed = static_cast<std::size_t>(memory_ / bytes({1, 1}, size_));
  const std::size_t stride =
      stride_ == 0 ? needed : std::max(needed, std::min(2 * stride_, allowed));
  std::vector<double> wider(2 * size_ * stride);
  for (std::size_t i = 0; i < rows_; ++i) {
    std::copy_n(row(i), weights_.cells().size(),
                wider.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  sketch_ = std::move(wider);
  stride_ = stride;
}

void SketchCovariance::grow(Index features) {
  if (features <= shape().features) return;
  const std::size_t needed = weights_.cell(features, 0);
  if (needed > stride_) widen(needed);
  theta_.resize(needed);
  weights_.grow(features);
}

double SketchCovariance::product(std::size_t i, const PairVector& v) const {
  const double* b = row(i);
  double sums[4] = {};
  for (std::size_t j = 0; j < v.x.size(); ++j) {
    const double* cells = b + weights_.cell(v.x.feature(j), 0);
    sums[j % 4] += v.x.value[j] * (cells[v.up] - cells[v.down]);
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

double SketchCovariance::quad(const PairVector& v) {
  const double norm = v.squared_norm();
  double explained = 0;
  solved_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double* factor = factor_row(i);
    solved_[i] = (product(i, v) - linalg::dot(factor, solved_.data(), i)) / factor[i];
    explained += solved_[i] * solved_[i];
  }
  quad_ = std::max(kRounding * norm, norm - explained) / rho_;
  return quad_;
}

void SketchCovariance::combine_rows(std::span<const double> factors, std::vector<double>& out) {
  columns_.clear();
  for (std::size_t i = 0; i < factors.size(); ++i) columns_.push_back(row(i));
  out.resize(weights_.cells().size());
  linalg::combine(factors, columns_.data(), out.data(), out.size());
}

bool SketchCovariance::step(const PairVector& v, double w, double g, double inner) {
  if (v.squared_norm() == 0) return true;  // v = 0 changes nothing
  ready_ = -1;
  const double along = (g - w * inner) / (1 + w * quad_);
  const double root = std::sqrt(w), pivot = std::sqrt(rho_ * (1 + w * quad_));
  // W += along·A⁻¹v = along/ρ·(v − Bᵀ·L⁻ᵀ(L⁻¹Bv)), back substitution by rows.
  factors_ = solved_;
  for (std::size_t i = rows_; i-- > 0;) {
    const double* factor = factor_row(i);
    factors_[i] /= factor[i];
    linalg::add_scaled(-factors_[i], factor, factors_.data(), i);
  }
  combine_rows(factors_, combined_);
  if (!std::isfinite(pivot) || !linalg::step_holds(combined_, 1, along / rho_) ||
      !linalg::step_holds(solved_, root, 0)) {
    return false;
  }
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::size_t cell = weights_.cell(v.x.feature(i), 0);
    theta_[cell + static_cast<std::size_t>(v.up)] += g * v.x.value[i];
    theta_[cell + static_cast<std::size_t>(v.down)] -= g * v.x.value[i];
  }
  linalg::add_scaled(-along / rho_, combined_.data(), weights_.cells().data(), combined_.size());
  weights_.add_difference(v.up, v.down, along / rho_, v.x);

  // The new row √w·v of B, and of L.
  double* b = row(rows_);
  std::fill_n(b, stride_, 0.0);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    double* cells = b + weights_.cell(v.x.feature(i), 0);
    cells[v.up] = root * v.x.value[i];
    cells[v.down] = -root * v.x.value[i];
  }
  for (const double t : solved_) factor_.push_back(root * t);
  factor_.push_back(pivot);
  ++rows_;
  if (rows_ == 2 * size_) shrink();
  return true;
}

double SketchCovariance::quad_step(const PairVector& v, double w, double g, double inner) {
  const double result = quad(v);
  return step(v, w, g, inner) ? result : std::nan("");
}

void SketchCovariance::shrink() {
  auto& [gram, values, factors, work] = shrinking_;
  // B·Bᵀ = L·Lᵀ − ρ·I, lower triangle
  gram.assign(rows_ * rows_, 0.0);
  values.assign(rows_, 0.0);
  work.resize(std::max(linalg::eigenvector_room(rows_), linalg::combine_room(size_)));
  for (std::size_t j = 0; j < rows_; ++j) {
    for (std::size_t i = j; i < rows_; ++i) {
      gram[j * rows_ + i] = linalg::dot(factor_row(i), factor_row(j), j + 1) - (i == j ? rho_ : 0);
    }
  }
  linalg::eigenvectors(rows_, gram.data(), values.data(), work);  // ascending
  const double cut = std::max(0.0, values[rows_ - 1 - size_]);
  factors.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t from = rows_ - 1 - i;
    const double scale = values[from] > cut ? std::sqrt(1 - cut / values[from]) : 0;
    for (std::size_t j = 0; j < rows_; ++j) factors.push_back(scale * gram[from * rows_ + j]);
  }
  linalg::combine_columns(weights_.cells().size(), stride_, sketch_.data(), rows_, size_,
                          factors.data(), work);
  rho_ += cut / 2;
  // The new rows are orthogonal, so that M and L are diagonal.
  factor_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    factor_.insert(factor_.end(), i, 0.0);
    factor_.push_back(std::sqrt(rho_ + std::max(0.0, values[rows_ - 1 - i] - cut)));
  }
  rows_ = size_;
  shrinking_ = Shrinking{};
  recompute_weights();
}

void SketchCovariance::recompute_weights() {
  // W = (θ − Bᵀ·M⁻¹·B·θ)/ρ with a diagonal M
  factors_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double pivot = factor_row(i)[i];
    factors_[i] = linalg::dot(row(i), theta_.data(), theta_.size()) / (pivot * pivot);
  }
  combine_rows(factors_, combined_);
  for (std::size_t j = 0; j < theta_.size(); ++j) {
    weights_[j] = (theta_[j] - combined_[j]) / rho_;
  }
}

void SketchCovariance::limit_memory(double bytes) {
  check_memory_limit(SketchCovariance::bytes(shape(), size_), memory_, bytes);
  memory_ = bytes;
  ready_ = -1;  // what was reserved under another limit does not count
}

void SketchCovariance::add_classes(Label classes) {
  const Shape larger{classes, shape().features};
  if (larger.features > 0 && bytes(larger, size_) > memory_) {
    throw Error(ErrorKind::kResource,
                fmt::format("a sketch of size {} over {} classes x {} features needs {}, more than "
                            "the {} allowed; raise 'memory' first",
                            size_, larger.classes, larger.features,
                            bytes_text(bytes(larger, size_)), bytes_text(memory_)));
  }
  const auto from = static_cast<std::size_t>(shape().classes);
  const auto to = static_cast<std::size_t>(classes);
  const std::size_t before = theta_.size(), stride = before / from * to;
  std::vector<double> sketch(2 * size_ * stride);
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::vector<double> own(row(i), row(i) + before);
    std::ranges::copy(linalg::longer_runs(own, before, from, to, 0.0),
                      sketch.begin() + static_cast<std::ptrdiff_t>(i * stride));
  }
  sketch_ = std::move(sketch);
  stride_ = stride;
  theta_ = linalg::longer_runs(theta_, before, from, to, 0.0);
  weights_.add_classes(classes);
  ready_ = -1;
}

void SketchCovariance::visit(StateVisitor& visitor) {
  weights_.visit("weights", visitor);
  visitor.field("covariance.theta", theta_);
  visitor.field("covariance.rho", rho_);
  const std::size_t n = weights_.cells().size();
  std::vector<double> sketch;
  for (std::size_t i = 0; i < rows_; ++i) sketch.insert(sketch.end(), row(i), row(i) + n);
  visitor.field("covariance.sketch", sketch);
  visitor.field("covariance.factor", factor_);
  visitor.require(theta_.size() == n && rho_ > 0, "theta has one number for each weight");
  visitor.require(all_finite(theta_) && all_finite(sketch) && all_finite(factor_),
                  "every number of the sketch is finite");
  visitor.require(n == 0 ? sketch.empty() : sketch.size() % n == 0 && sketch.size() / n < 2 * size_,
                  "the sketch has whole rows, fewer than twice its size");
  const std::size_t rows = n == 0 ? 0 : sketch.size() / n;
  visitor.require(factor_.size() == rows * (rows + 1) / 2, "the factor has a row for each row");
  for (std::size_t i = 0; i < rows; ++i) {
    visitor.require(factor_row(i)[i] > 0, "the factor's pivots are positive");
  }
  if (!visitor.loading()) return;
  ready_ = -1;
  rows_ = rows;
  stride_ = n;
  sketch_.assign(2 * size_ * n, 0.0);
  std::copy(sketch.begin(), sketch.end(), sketch_.begin());
}

}  // namespace soba
