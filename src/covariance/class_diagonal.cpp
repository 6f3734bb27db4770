#include "covariance/class_diagonal.h"

#include <algorithm>
#include <cmath>

#include "linalg/finite.h"

namespace soba {

DiagonalClasses::DiagonalClasses(Shape shape, double a)
    : a_(a), small_(std::min(1e30 * a, 1e300)), inverse_(1 / a), rounded_({shape.classes, 0}) {
  grow(shape.features);
}

DiagonalClasses DiagonalClasses::unstarted(Shape shape, double least) {
  DiagonalClasses made({shape.classes, 0}, least);
  made.inverse_ = 0;
  made.grow(shape.features);
  return made;
}

void DiagonalClasses::reserve_features(Index features) {
  linalg::make_room(cells_, rounded_.cell(features, 0));
  rounded_.reserve(features);
}

void DiagonalClasses::grow_to(Index features) {
  cells_.resize(rounded_.cell(features, 0), {inverse_, 0});
  rounded_.grow(features);
}

void DiagonalClasses::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(shape().classes);
  cells_ = linalg::longer_runs(cells_, cells_.size(), from, static_cast<std::size_t>(classes),
                               {inverse_, 0});
  rounded_.add_classes(classes);
}

void DiagonalClasses::set(Index feature, Label label, double entry, double weight) {
  const std::size_t place = rounded_.cell(feature, label);
  const double kept = std::clamp(weight, -linalg::kLargestFloat, linalg::kLargestFloat);
  cells_[place] = {1 / entry, kept};
  rounded_[place] = static_cast<float>(kept);
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

// Whether all is finite, and no weight gets too large for a float.
bool DiagonalClasses::holds(Label label, const Features& x, double along) const {
  if (!std::isfinite(variance_) || !std::isfinite(along)) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const linalg::ClassCell& cell = cells_[rounded_.cell(x.feature(i), label)];
    const double weight = cell.weight + along * (x.value[i] * cell.inverse);
    if (!(std::fabs(weight) <= linalg::kLargestFloat)) return false;
  }
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
