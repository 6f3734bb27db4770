#include "covariance/primal.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linalg/blas.h"
#include "linalg/kernels.h"

namespace soba {

namespace {

std::size_t coordinates(Shape shape) {
  return static_cast<std::size_t>(shape.classes) * static_cast<std::size_t>(shape.features);
}

// Copies an old × old matrix into the corner of a new one that is `diagonal` on the rest.
std::vector<double> extended(const std::vector<double>& matrix, std::size_t old, std::size_t size,
                             double diagonal) {
  std::vector<double> out(size * size);
  for (std::size_t j = 0; j < old; ++j) {
    std::copy_n(matrix.begin() + static_cast<std::ptrdiff_t>(j * old), old,
                out.begin() + static_cast<std::ptrdiff_t>(j * size));
  }
  for (std::size_t j = old; j < size; ++j) out[j * size + j] = diagonal;
  return out;
}

}  // namespace

PrimalForm::PrimalForm(Shape shape, double a) : shape_(shape), a_(a) {
  matrix_ = extended({}, 0, size(), a_);
  inverse_ = extended({}, 0, size(), 1 / a_);
}

std::size_t PrimalForm::size() const { return coordinates(shape_); }

double PrimalForm::bytes(Shape shape) {
  const double n = static_cast<double>(shape.classes) * shape.features;
  return 8 * n * (2 * n + kBlock + 1);
}

void PrimalForm::add(const PairVector& v, double w) {
  const std::size_t n = size(), k = static_cast<std::size_t>(shape_.classes);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(v.x.feature(i)) * k;
    const std::size_t row_up = row + static_cast<std::size_t>(v.up);
    const std::size_t row_down = row + static_cast<std::size_t>(v.down);
    for (std::size_t j = 0; j <= i; ++j) {
      const double product = w * v.x.value[i] * v.x.value[j];
      const std::size_t column = static_cast<std::size_t>(v.x.feature(j)) * k;
      const std::size_t column_up = column + static_cast<std::size_t>(v.up);
      const std::size_t column_down = column + static_cast<std::size_t>(v.down);
      matrix_[column_up * n + row_up] += product;
      matrix_[column_down * n + row_down] += product;
      // On the diagonal block of a feature, one of the two mixed cells is in the upper triangle; it
      // is kept as well, and never read.
      matrix_[column_up * n + row_down] -= product;
      matrix_[column_down * n + row_up] -= product;
    }
  }
}

bool PrimalForm::refresh(const std::vector<double>& theta, ClassMatrix<double>& weights) {
  since_refresh_ = 0;
  flush();
  std::vector<double> fresh = matrix_;
  if (!linalg::invert(size(), fresh.data())) return false;
  inverse_ = std::move(fresh);
  const std::span<double> out = weights.cells();
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < size(); ++j) {
    linalg::add_scaled(theta[j], inverse_.data() + j * size(), out.data(), size());
  }
  return true;
}

void PrimalForm::grow(Index features) {
  if (features <= shape_.features) return;
  flush();
  const std::size_t old = size();
  shape_.features = features;
  matrix_ = extended(matrix_, old, size(), a_);
  inverse_ = extended(inverse_, old, size(), 1 / a_);
}

double PrimalForm::quad(const PairVector& v) {
  const std::size_t n = size(), k = static_cast<std::size_t>(shape_.classes);
  const auto up = [&](std::size_t i) {
    return static_cast<std::size_t>(v.x.feature(i)) * k + static_cast<std::size_t>(v.up);
  };
  const auto down = [&](std::size_t i) {
    return static_cast<std::size_t>(v.x.feature(i)) * k + static_cast<std::size_t>(v.down);
  };
  // u = P·v − V·(Vᵀv)
  solved_.assign(n, 0.0);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    linalg::add_scaled_difference(v.x.value[i], inverse_.data() + up(i) * n,
                                  inverse_.data() + down(i) * n, solved_.data(), n);
  }
  for (std::size_t column = 0; column < waiting_.size(); column += n) {
    const double* c = waiting_.data() + column;
    double inner = 0;
    for (std::size_t i = 0; i < v.x.size(); ++i) inner += v.x.value[i] * (c[up(i)] - c[down(i)]);
    linalg::add_scaled(-inner, c, solved_.data(), n);
  }
  double quad = 0;
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    quad += v.x.value[i] * (solved_[up(i)] - solved_[down(i)]);
  }
  return std::max(0.0, quad);
}

void PrimalForm::step(const PairVector& v, double w, double quad, double along,
                      const std::vector<double>& theta, ClassMatrix<double>& weights) {
  assert(solved_.size() == size());
  linalg::add_scaled(along, solved_.data(), weights.cells().data(), size());
  update(v, w, quad);
  const std::size_t period = std::max<std::size_t>(1024, 8 * size());
  if (since_refresh_ >= static_cast<std::int64_t>(period)) refresh(theta, weights);
}

void PrimalForm::update(const PairVector& v, double w, double quad) {
  add(v, w);
  // Sherman–Morrison: A⁻¹ −= w·u·uᵀ/(1 + w·vᵀu)
  const double scale = std::sqrt(w / (1 + w * quad));
  for (const double u : solved_) waiting_.push_back(scale * u);
  if (waiting_.size() == kBlock * size()) flush();
  ++since_refresh_;
}

void PrimalForm::flush() {
  if (waiting_.empty()) return;
  linalg::subtract_products(size(), waiting_.data(), waiting_.size() / size(), inverse_.data());
  waiting_.clear();
}

void PrimalForm::visit(Shape shape, StateVisitor& visitor) {
  shape_ = shape;
  visitor.field("covariance.primal.matrix", matrix_);
  visitor.field("covariance.primal.inverse", inverse_);
  visitor.field("covariance.primal.waiting", waiting_);
  visitor.field("covariance.primal.since_refresh", since_refresh_);
  const std::size_t n = size();
  visitor.require(n > 0 && matrix_.size() == n * n && inverse_.size() == n * n,
                  "the matrices have a row for each weight");
  visitor.require(waiting_.size() % n == 0 && waiting_.size() < kBlock * n && since_refresh_ >= 0,
                  "the waiting updates are whole columns");
}

}  // namespace soba
