#include "covariance/primal.h"

#include <algorithm>
#include <cmath>

#include "linalg/finite.h"
#include "linalg/kernels.h"
#include "linalg/room.h"

namespace soba {

namespace {

// Grows the matrix; its further blocks on the diagonal, one for each feature, are `diagonal` on
// theirs and `other` beside it.
void extend(linalg::GrowingSquare& matrix, std::size_t size, std::size_t block, double diagonal,
            double other) {
  std::size_t start = matrix.size();
  matrix.grow(size);
  for (; start < size; start += block) {
    for (std::size_t j = start; j < start + block; ++j) {
      for (std::size_t i = start; i < start + block; ++i) {
        matrix.row(j)[i] = i == j ? diagonal : other;
      }
    }
  }
}

}  // namespace

PrimalForm::PrimalForm(Shape shape, double a, std::size_t block)
    : shape_({shape.classes, 0}), dropped_(shape.classes - 1), a_(a), given_block_(block) {
  reserve(shape.features);
  grow(shape.features);
}

std::size_t PrimalForm::size(Shape shape) {
  return static_cast<std::size_t>(shape.classes - 1) * static_cast<std::size_t>(shape.features);
}

double PrimalForm::bytes(Shape shape) {
  const auto n = static_cast<double>(size(shape));
  const double panel = size(shape) < linalg::kLarge ? 0 : linalg::kPanel;
  return 8 * n * (3 * n + static_cast<double>(block(size(shape))) + panel + 1);
}

void PrimalForm::reserve(Index features) {
  if (features > room_) {
    const std::size_t n = size({shape_.classes, features});
    const std::size_t columns = given_block_ == 0 ? block(n) : given_block_;
    const std::size_t cells = 2 * static_cast<std::size_t>(features);  // of v' at most
    a_matrix_.reserve(n);
    a_inverse_.reserve(n);
    touched_.reserve(static_cast<std::size_t>(shape_.classes) * static_cast<std::size_t>(features));
    waiting_.reserve(columns * n);
    waiting_product_.reserve(columns);
    solved_.reserve(n);
    cell_.reserve(cells);
    cell_value_.reserve(cells);
    column_.reserve(cells + columns);
    factor_.reserve(cells + columns);
    if (!own_.team && n >= linalg::kLarge) own_.team = Team::of_two();
    room_ = features;
  }
  if (refresh_is_due()) reserve_refresh();
}

void PrimalForm::reserve_refresh() {
  const std::size_t n = size({shape_.classes, std::max(room_, shape_.features)});
  fresh_.reserve(n * n);
  panels_.reserve(linalg::invert_room(n));
}

bool PrimalForm::refresh_is_due() const {
  const std::size_t period = std::max<std::size_t>(1024, 32 * size());
  return since_refresh_ + 1 >= static_cast<std::int64_t>(period);
}

void PrimalForm::list_cells(const PairVector& v) {
  cell_.clear();
  cell_value_.clear();
  const auto block = static_cast<std::size_t>(shape_.classes - 1);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(v.x.feature(i)) * block;
    if (v.up != dropped_) {
      cell_.push_back(row + place(v.up));
      cell_value_.push_back(v.x.value[i]);
    }
    if (v.down != dropped_) {
      cell_.push_back(row + place(v.down));
      cell_value_.push_back(-v.x.value[i]);
    }
  }
}

void PrimalForm::add(const PairVector& v, double w) {
  list_cells(v);
  add_listed(v, w);
}

void PrimalForm::add_listed(const PairVector& v, double w) {
  for (std::size_t j = 0; j < cell_.size(); ++j) {
    double* column = a_matrix_.row(cell_[j]);
    const double factor = w * cell_value_[j];
    // Cells ascend, but for the two of one feature.
    for (std::size_t i = j == 0 ? 0 : j - 1; i < cell_.size(); ++i) {
      if (cell_[i] >= cell_[j]) column[cell_[i]] += factor * cell_value_[i];
    }
  }
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    double* row = touched_.data() + static_cast<std::size_t>(v.x.feature(i)) *
                                        static_cast<std::size_t>(shape_.classes);
    row[v.up] = 1;
    row[v.down] = 1;
  }
}

bool PrimalForm::refresh(const std::vector<double>& theta, ClassMatrix<double>& weights) {
  reserve_refresh();
  since_refresh_ = 0;
  flush();
  a_matrix_.copy_to(fresh_);
  panels_.resize(linalg::invert_room(size()));
  if (!linalg::invert(size(), fresh_.data(), panels_, own_.team.get())) return false;
  const auto k = static_cast<std::size_t>(shape_.classes);
  solved_.assign(size(), 0.0);
  for (std::size_t j = 0; j < size(); ++j) {
    const std::size_t c = j % (k - 1), dropped = static_cast<std::size_t>(dropped_);
    const double theta_j = theta[j / (k - 1) * k + (c < dropped ? c : c + 1)];
    linalg::add_scaled(theta_j, fresh_.data() + j * size(), solved_.data(), size());
  }
  if (!linalg::step_holds(solved_, 0, 1) || !linalg::step_holds(fresh_, 1, 0)) return false;
  a_inverse_.copy_from(fresh_);
  std::vector<double>().swap(fresh_);
  std::vector<double>().swap(panels_);
  const std::span<double> out = weights.cells();
  std::fill(out.begin(), out.end(), 0.0);
  move(1, solved_, weights);
  return true;
}

// For each feature A'⁻¹v' is u_i − u_r for u = A⁻¹v, and Σ u_i = 0: so u_r = −Σ(u_i − u_r)/k.
void PrimalForm::move(double along, const std::vector<double>& solved,
                      ClassMatrix<double>& weights) const {
  const auto k = static_cast<std::size_t>(shape_.classes);
  const auto dropped = static_cast<std::size_t>(dropped_);
  const double* difference = solved.data();
  const double* touched = touched_.data();
  double* out = weights.cells().data();
  for (Index j = 0; j < shape_.features; ++j) {
    double sum = 0;
    for (std::size_t c = 0; c + 1 < k; ++c) sum += difference[c];
    const double own = -sum / static_cast<double>(k);  // u_r, r the class left out
    for (std::size_t c = 0; c < dropped; ++c) out[c] += along * touched[c] * (difference[c] + own);
    out[dropped] += along * touched[dropped] * own;
    for (std::size_t c = dropped + 1; c < k; ++c) {
      out[c] += along * touched[c] * (difference[c - 1] + own);
    }
    difference += k - 1;
    touched += k;
    out += k;
  }
}

void PrimalForm::grow(Index features) {
  if (features <= shape_.features) return;
  flush();
  const Shape larger{shape_.classes, features};
  const auto k = static_cast<std::size_t>(shape_.classes);
  const auto share = static_cast<double>(k);
  extend(a_matrix_, size(larger), k - 1, a_ * (1 - 1 / share), -a_ / share);
  extend(a_inverse_, size(larger), k - 1, 2 / a_, 1 / a_);
  touched_.resize(k * static_cast<std::size_t>(features));
  shape_ = larger;
}

void PrimalForm::add_classes(Label classes) {
  flush();
  while (shape_.classes < classes) add_class();
  room_ = -1;
}

// See the header for the formulas.
void PrimalForm::add_class() {
  const auto k = static_cast<std::size_t>(shape_.classes), block = k - 1;
  const auto share = static_cast<double>(k);
  const auto d = static_cast<std::size_t>(shape_.features);
  linalg::GrowingSquare matrix, inverse;
  matrix.grow(d * k);
  inverse.grow(d * k);
  for (std::size_t row = 0; row < d * block; ++row) {
    double* a_row = matrix.row(row / block * k + row % block);
    double* p_row = inverse.row(row / block * k + row % block);
    for (std::size_t j = 0; j < d; ++j) {
      const double* from = a_inverse_.row(row) + j * block;
      std::copy_n(a_matrix_.row(row) + j * block, block, a_row + j * k);
      std::copy_n(from, block, p_row + j * k);
      double sum = 0;
      for (std::size_t c = 0; c < block; ++c) sum += from[c];
      p_row[j * k + block] = sum / share;  // −(u_c − u_r)
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    double* a_row = matrix.row(i * k + block);
    double* p_row = inverse.row(i * k + block);
    for (std::size_t j = 0; j < d; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < block; ++c) {
        p_row[j * k + c] = inverse.row(j * k + c)[i * k + block];
        sum += inverse.row(i * k + c)[j * k + block];
      }
      const double own = i == j ? (1 + 1 / share) / a_ : 0;
      p_row[j * k + block] = own + sum / share;
    }
    for (std::size_t c = 0; c < block; ++c) {
      double* of_class = matrix.row(i * k + c);
      for (std::size_t e = 0; e < block; ++e) of_class[i * k + e] += a_ / (share * (share + 1));
      a_row[i * k + c] = of_class[i * k + block] = -a_ / (share + 1);
    }
    a_row[i * k + block] = a_ * (1 - 1 / (share + 1));
  }
  a_matrix_ = std::move(matrix);
  a_inverse_ = std::move(inverse);
  touched_ = linalg::longer_runs(touched_, touched_.size(), k, k + 1, 0.0);
  ++shape_.classes;
}

void PrimalForm::restart() {
  const Index features = shape_.features;
  touched_.clear();
  a_matrix_.clear();
  a_inverse_.clear();
  waiting_.clear();
  since_refresh_ = 0;
  shape_.features = 0;
  grow(features);
}

double PrimalForm::inner_product(const double* column, std::size_t count) const {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += cell_value_[i] * column[cell_[i]];
  return sum;
}

double PrimalForm::quad(const PairVector& v) {
  // v'ᵀ(P − V·Vᵀ)v' = v'ᵀPv' − ‖Vᵀv'‖², the first by one triangle of P
  list_cells(v);
  double quad = 0;
  for (std::size_t j = 0; j < cell_.size(); ++j) {
    const double* column = a_inverse_.row(cell_[j]);
    const double own = cell_value_[j] * column[cell_[j]];
    quad += cell_value_[j] * (own + 2 * inner_product(column, j));
  }
  waiting_product_.clear();
  for (std::size_t start = 0; start < waiting_.size(); start += size()) {
    const double inner = inner_product(waiting_.data() + start, cell_.size());
    waiting_product_.push_back(inner);
    quad -= inner * inner;
  }
  return std::max(0.0, quad);
}

void PrimalForm::solve() {
  // A'⁻¹v' = P·v' − V·(Vᵀv')
  column_.clear();
  factor_ = cell_value_;
  for (const std::size_t cell : cell_) column_.push_back(a_inverse_.row(cell));
  for (std::size_t c = 0; c < waiting_product_.size(); ++c) {
    column_.push_back(waiting_.data() + c * size());
    factor_.push_back(-waiting_product_[c]);
  }
  solved_.resize(size());
  linalg::combine(factor_, column_.data(), solved_.data(), size());
}

bool PrimalForm::prepare(double w, double quad, double along) {
  solve();
  return linalg::step_holds(solved_, std::sqrt(w / (1 + w * quad)), along);
}

void PrimalForm::step(const PairVector& v, double w, double quad, double along,
                      const std::vector<double>& theta, ClassMatrix<double>& weights) {
  const bool due = refresh_is_due();
  update(v, w, quad);
  move(along, solved_, weights);
  if (due) refresh(theta, weights);
}

void PrimalForm::update(const PairVector& v, double w, double quad) {
  add_listed(v, w);
  // Sherman–Morrison: A'⁻¹ −= w·u·uᵀ/(1 + w·v'ᵀu), where u = A'⁻¹v'
  const double scale = std::sqrt(w / (1 + w * quad));
  for (const double u : solved_) waiting_.push_back(scale * u);
  if (waiting_.size() == block() * size()) flush();
  ++since_refresh_;
}

void PrimalForm::flush() {
  if (waiting_.empty()) return;
  linalg::subtract_products(size(), waiting_.data(), waiting_.size() / size(), a_inverse_.row(0),
                            a_inverse_.stride(), own_.team.get());
  waiting_.clear();
}

void PrimalForm::visit(Shape shape, StateVisitor& visitor) {
  if (visitor.loading()) {
    shape_ = shape;
    room_ = -1;
  }
  std::int64_t dropped = dropped_;
  if (visitor.version() >= 2) visitor.field("covariance.primal.dropped", dropped);
  visitor.require(dropped >= 0 && dropped < shape.classes, "the class left out is one of them");
  dropped_ = static_cast<Label>(dropped);
  visitor.field("covariance.primal.touched", touched_);
  a_matrix_.visit("covariance.primal.matrix", visitor);
  a_inverse_.visit("covariance.primal.inverse", visitor);
  visitor.field("covariance.primal.waiting", waiting_);
  visitor.field("covariance.primal.since_refresh", since_refresh_);
  const std::size_t n = size();
  visitor.require(touched_.size() == static_cast<std::size_t>(shape.classes) *
                                         static_cast<std::size_t>(shape.features),
                  "there is a mark for each weight");
  visitor.require(n > 0 && a_matrix_.size() == n && a_inverse_.size() == n,
                  "the matrices have a row for each weight but the last class's");
  visitor.require(waiting_.size() % n == 0 && waiting_.size() < block() * n && since_refresh_ >= 0,
                  "the waiting updates are whole columns");
  visitor.require(all_finite(waiting_), "every number of the waiting updates is finite");
}

}  // namespace soba
