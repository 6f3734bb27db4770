#include "covariance/class_diagonal.h"

#include <algorithm>
#include <cmath>

#include "linalg/finite.h"

namespace soba {

DiagonalClasses::DiagonalClasses(Shape shape, double a) : a_(a), rounded_({shape.classes, 0}) {
  grow(shape.features);
}

void DiagonalClasses::reserve_features(Index features) {
  linalg::make_room(cells_, rounded_.cell(features, 0));
  rounded_.reserve(features);
}

void DiagonalClasses::grow(Index features) {
  if (features <= shape().features) return;
  cells_.resize(rounded_.cell(features, 0), {1 / a_, 0});
  rounded_.grow(features);
}

void DiagonalClasses::set(Index feature, Label label, double entry, double weight) {
  const std::size_t place = rounded_.cell(feature, label);
  cells_[place] = {1 / entry, weight};
  rounded_[place] = static_cast<float>(weight);
}

linalg::ClassMove DiagonalClasses::move(Label label) const {
  return {.k = static_cast<std::size_t>(shape().classes),
          .label = static_cast<std::size_t>(label),
          .far = cells_.size() * sizeof(cells_[0]) > linalg::kNear};
}

double DiagonalClasses::variance(Label label, const Features& x) const {
  return linalg::class_variance(move(label), x, cells_.data());
}

// Feature by feature, whose cells lie side by side.
void DiagonalClasses::variances(const Features& x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const std::size_t k = out.size();
  double* sums = out.data();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double square = x.value[i] * x.value[i];
    const linalg::ClassCell* row = cells_.data() + rounded_.cell(x.feature(i), 0);
    for (std::size_t c = 0; c < k; ++c) sums[c] += square * row[c].inverse;
  }
}

// Whether no weight gets too large for a float.
bool DiagonalClasses::holds(Label label, const Features& x, double along) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const linalg::ClassCell& cell = cells_[rounded_.cell(x.feature(i), label)];
    const double weight = cell.weight + along * (x.value[i] * cell.inverse);
    if (!(std::fabs(weight) <= linalg::kLargestFloat)) return false;
  }
  return true;
}

bool DiagonalClasses::step(Label label, const Features& x, double w, double along) {
  // |x_j|/A_jj <= √(xᵀA⁻¹x/a): steps so small cannot add up to what holds() would refuse.
  const bool small = std::fabs(along) * std::sqrt(variance_ / a_) <= 1e15;
  if (!small && !holds(label, x, along)) return false;
  linalg::ClassMove move = this->move(label);
  move.w = w;
  move.along = along;
  linalg::step_class(move, x, cells_.data(), rounded_.cells().data());
  return true;
}

void DiagonalClasses::visit(StateVisitor& visitor) {
  std::vector<double> inverse, weight;
  for (const linalg::ClassCell& cell : cells_) {
    inverse.push_back(cell.inverse);
    weight.push_back(cell.weight);
  }
  visitor.field("covariance.inverse", inverse);
  visitor.field("covariance.weight", weight);
  rounded_.visit("weights", visitor);
  const std::size_t size = rounded_.cells().size();
  visitor.require(inverse.size() == size && weight.size() == size,
                  "the inverse and the exact weights have one number for each weight");
  for (const double number : inverse) {
    visitor.require(number >= 0, "the inverse of A is not negative");
  }
  if (!visitor.loading()) return;
  cells_.resize(size);
  for (std::size_t i = 0; i < size; ++i) cells_[i] = {inverse[i], weight[i]};
}

}  // namespace soba
