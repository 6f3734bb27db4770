#include "covariance/dual.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linalg/kernels.h"

namespace soba {

namespace {

constexpr double kRounding = 1e-15;

// Room for `more` elements; grows geometrically.
template <class T>
void make_room(std::vector<T>& values, std::size_t more) {
  const std::size_t needed = values.size() + more;
  if (needed > values.capacity()) values.reserve(std::max(needed, 2 * values.capacity()));
}

// (e_up − e_down)·(e_up' − e_down'), one of −2, −1, 0, 1, 2.
int label_product(Label up, Label down, Label up2, Label down2) {
  return (up == up2) - (up == down2) - (down == up2) + (down == down2);
}

}  // namespace

PairVector DualForm::pair(std::size_t i) const {
  const auto first = static_cast<std::size_t>(begin_[i]);
  const auto count = static_cast<std::size_t>(begin_[i + 1]) - first;
  return {up_[i], down_[i], {{index_.data() + first, count}, {value_.data() + first, count}}};
}

double DualForm::quad(const PairVector& v) {
  const std::size_t updates = root_weight_.size();
  const double norm = v.squared_norm();
  // Zᵀv, with x written out so that each product costs as much as the stored pair is long.
  const auto extent = static_cast<std::size_t>(v.x.extent());
  if (dense_.size() < extent) dense_.resize(extent);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    dense_[static_cast<std::size_t>(v.x.feature(i))] = v.x.value[i];
  }
  solved_.resize(updates);
  for (std::size_t i = 0; i < updates; ++i) {
    const int labels = label_product(v.up, v.down, up_[i], down_[i]);
    solved_[i] =
        labels == 0 ? 0 : labels * root_weight_[i] * linalg::sparse_dot(pair(i).x, dense_.data());
  }
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    dense_[static_cast<std::size_t>(v.x.feature(i))] = 0;
  }
  // L⁻¹Zᵀv, forward substitution.
  double explained = 0;
  for (std::size_t i = 0; i < updates; ++i) {
    const double* row = factor_row(i);
    solved_[i] = (solved_[i] - linalg::dot(row, solved_.data(), i)) / row[i];
    explained += solved_[i] * solved_[i];
  }
  // What is left of ‖v‖² is known to a rounding of ‖v‖² itself; less than that would be noise,
  // which later rows of L would blow up.
  return std::max(kRounding * norm, norm - explained) / a_;
}

void DualForm::step(const PairVector& v, double w, double quad, double along,
                    ClassMatrix<double>& weights) {
  const std::size_t updates = root_weight_.size();
  assert(solved_.size() == updates);
  const double root = std::sqrt(w);
  // All memory before the first change, so that a failure leaves the state as it was.
  make_room(up_, 1);
  make_room(down_, 1);
  make_room(root_weight_, 1);
  make_room(begin_, 1);
  make_room(index_, v.x.size());
  make_room(value_, v.x.size());
  make_room(factor_, updates + 1);

  // The new row of L, before solved_ is used up: Lᵢ = √w·L⁻¹Zᵀv, and the rest of the pivot a +
  // w‖v‖².
  for (std::size_t i = 0; i < updates; ++i) factor_.push_back(root * solved_[i]);
  factor_.push_back(std::sqrt(a_ * (1 + w * quad)));

  // weights += along·A⁻¹v = along/a·(v − Z·L⁻ᵀ(L⁻¹Zᵀv)), back substitution by rows.
  const double scale = along / a_;
  for (std::size_t i = updates; i-- > 0;) {
    const double* row = factor_row(i);
    const double t = solved_[i] / row[i];
    linalg::add_scaled(-t, row, solved_.data(), i);
    const PairVector z = pair(i);
    weights.add_difference(z.up, z.down, -scale * root_weight_[i] * t, z.x);
  }
  weights.add_difference(v.up, v.down, scale, v.x);

  up_.push_back(v.up);
  down_.push_back(v.down);
  root_weight_.push_back(root);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    if (v.x.value[i] == 0) continue;
    index_.push_back(v.x.feature(i));
    value_.push_back(v.x.value[i]);
  }
  begin_.push_back(static_cast<std::int64_t>(index_.size()));
}

double DualForm::bytes_after(Features x) const {
  const double u = static_cast<double>(updates() + 1);
  return 8 * u * (u + 1) / 2 + 12 * static_cast<double>(index_.size() + x.size()) + 32 * u;
}

void DualForm::visit(Shape shape, StateVisitor& visitor) {
  visitor.field("covariance.dual.up", up_);
  visitor.field("covariance.dual.down", down_);
  visitor.field("covariance.dual.root_weight", root_weight_);
  visitor.field("covariance.dual.begin", begin_);
  visitor.field("covariance.dual.index", index_);
  visitor.field("covariance.dual.value", value_);
  visitor.field("covariance.dual.factor", factor_);

  const std::size_t updates = root_weight_.size();
  visitor.require(up_.size() == updates && down_.size() == updates &&
                      begin_.size() == updates + 1 && index_.size() == value_.size() &&
                      factor_.size() == updates * (updates + 1) / 2,
                  "the stored updates agree in number");
  visitor.require(begin_.front() == 0 && std::is_sorted(begin_.begin(), begin_.end()) &&
                      begin_.back() == static_cast<std::int64_t>(index_.size()),
                  "the stored updates follow one another");
  for (std::size_t i = 0; i < updates; ++i) {
    visitor.require(up_[i] >= 0 && up_[i] < shape.classes && down_[i] >= 0 &&
                        down_[i] < shape.classes && factor_row(i)[i] > 0,
                    "every stored update is a pair of classes with a positive pivot");
  }
  for (const Index j : index_) {
    visitor.require(j >= 0 && j < shape.features, "every stored feature is a known one");
  }
  dense_.assign(static_cast<std::size_t>(shape.features), 0.0);
}

}  // namespace soba
