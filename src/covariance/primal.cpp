#include "covariance/primal.h"

#include <algorithm>
#include <cmath>

#include "linalg/blas.h"
#include "linalg/kernels.h"

namespace soba {

namespace {

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

std::size_t PrimalForm::size(Shape shape) {
  return static_cast<std::size_t>(shape.classes) * static_cast<std::size_t>(shape.features);
}

double PrimalForm::bytes(Shape shape) {
  const auto n = static_cast<double>(size(shape));
  return 8 * n * (3 * n + kBlock + 1);
}

void PrimalForm::list_cells(const PairVector& v) {
  cell_.clear();
  cell_value_.clear();
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::size_t row =
        static_cast<std::size_t>(v.x.feature(i)) * static_cast<std::size_t>(shape_.classes);
    cell_.push_back(row + static_cast<std::size_t>(v.up));
    cell_value_.push_back(v.x.value[i]);
    cell_.push_back(row + static_cast<std::size_t>(v.down));
    cell_value_.push_back(-v.x.value[i]);
  }
}

void PrimalForm::add(const PairVector& v, double w) {
  list_cells(v);
  for (std::size_t j = 0; j < cell_.size(); ++j) {
    double* column = matrix_.data() + cell_[j] * size();
    const double factor = w * cell_value_[j];
    for (std::size_t i = 0; i < cell_.size(); ++i) {
      if (cell_[i] >= cell_[j]) column[cell_[i]] += factor * cell_value_[i];
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
  const Shape larger{shape_.classes, features};
  std::vector<double> matrix = extended(matrix_, size(), size(larger), a_);
  inverse_ = extended(inverse_, size(), size(larger), 1 / a_);
  matrix_ = std::move(matrix);
  shape_ = larger;
}

double PrimalForm::inner_product(const double* column, std::size_t count) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += cell_value_[i] * column[cell_[i]];
  return sum;
}

double PrimalForm::quad(const PairVector& v) {
  // vᵀ(P − V·Vᵀ)v = vᵀPv − ‖Vᵀv‖², the first by one triangle of P
  list_cells(v);
  double quad = 0;
  for (std::size_t j = 0; j < cell_.size(); ++j) {
    const double* column = inverse_.data() + cell_[j] * size();
    const double own = cell_value_[j] * column[cell_[j]];
    quad += cell_value_[j] * (own + 2 * inner_product(column, j));
  }
  for (std::size_t start = 0; start < waiting_.size(); start += size()) {
    const double inner = inner_product(waiting_.data() + start, cell_.size());
    quad -= inner * inner;
  }
  return std::max(0.0, quad);
}

void PrimalForm::solve() {
  // A⁻¹v = P·v − V·(Vᵀv)
  column_.clear();
  factor_ = cell_value_;
  for (const std::size_t cell : cell_) column_.push_back(inverse_.data() + cell * size());
  for (std::size_t start = 0; start < waiting_.size(); start += size()) {
    column_.push_back(waiting_.data() + start);
    factor_.push_back(-inner_product(column_.back(), cell_.size()));
  }
  solved_.resize(size());
  linalg::combine(factor_, column_.data(), solved_.data(), size());
}

void PrimalForm::step(const PairVector& v, double w, double quad, double along,
                      const std::vector<double>& theta, ClassMatrix<double>& weights) {
  update(v, w, quad);
  linalg::add_scaled(along, solved_.data(), weights.cells().data(), size());
  const std::size_t period = std::max<std::size_t>(1024, 32 * size());
  if (since_refresh_ >= static_cast<std::int64_t>(period)) refresh(theta, weights);
}

void PrimalForm::update(const PairVector& v, double w, double quad) {
  add(v, w);
  solve();
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
