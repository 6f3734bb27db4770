#include "covariance/dual.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "linalg/finite.h"
#include "linalg/kernels.h"
#include "linalg/room.h"

namespace soba {

namespace {

constexpr double kRounding = 1e-15;

}  // namespace

void DualForm::reserve_quad(const Size& x) {
  pairs_.reserve_products(x);
  linalg::make_room(solved_, pairs_.size());
}

void DualForm::reserve(const Size& x) {
  reserve_quad(x);
  pairs_.reserve(x);
  linalg::make_room(factor_, factor_.size() + pairs_.size() + 1);
}

double DualForm::quad(const PairVector& v) {
  const double norm = v.squared_norm();
  pairs_.products(v, solved_);
  linalg::solve_packed(factor_.data(), solved_.data(), solved_.size());
  double explained = 0;
  for (const double t : solved_) explained += t * t;
  // What is left of ‖v‖² is known to a rounding of ‖v‖² itself; less than that would be noise,
  // which later rows of L would blow up.
  return std::max(kRounding * norm, norm - explained) / a_;
}

bool DualForm::step(const PairVector& v, double w, double quad, double along,
                    ClassMatrix<double>& weights) {
  const std::size_t updates = pairs_.size();
  assert(solved_.size() == updates);
  const double root = std::sqrt(w), pivot = std::sqrt(a_ * (1 + w * quad));
  if (!std::isfinite(pivot) || !linalg::step_holds(solved_, root, 0)) return false;

  // The new row of L, before solved_ is used up: Lᵢ = √w·L⁻¹Zᵀv, and the rest of the pivot a +
  // w‖v‖².
  for (std::size_t i = 0; i < updates; ++i) factor_.push_back(root * solved_[i]);
  factor_.push_back(pivot);

  // weights += along·A⁻¹v = along/a·(v − Z·L⁻ᵀ(L⁻¹Zᵀv))
  const double scale = along / a_;
  linalg::solve_packed_transposed(factor_.data(), solved_.data(), updates);
  double most = std::fabs(scale);
  for (std::size_t i = 0; i < updates; ++i)
    most += std::fabs(scale * pairs_.root_weight(i) * solved_[i]);
  if (!(most * kMaxValue <= linalg::kLargestStep)) {
    factor_.resize(factor_.size() - updates - 1);
    return false;
  }
  for (std::size_t i = updates; i-- > 0;) {
    const PairVector z = pairs_.pair(i);
    weights.add_difference(z.up, z.down, -scale * pairs_.root_weight(i) * solved_[i], z.x);
  }
  weights.add_difference(v.up, v.down, scale, v.x);

  pairs_.push_back(v, root);
  return true;
}

double DualForm::bytes_after(const Size& x) const {
  const double u = static_cast<double>(updates() + 1);
  return 8 * u * (u + 1) / 2 + 8 * u + pairs_.bytes_after(x);
}

void DualForm::visit(Shape shape, StateVisitor& visitor) {
  pairs_.visit(shape, visitor);
  visitor.field("covariance.dual.factor", factor_);
  const std::size_t updates = pairs_.size();
  visitor.require(factor_.size() == updates * (updates + 1) / 2,
                  "the factor has a row for each stored update");
  for (std::size_t i = 0; i < updates; ++i) {
    visitor.require(factor_row(i)[i] > 0, "every pivot is positive");
  }
}

}  // namespace soba
