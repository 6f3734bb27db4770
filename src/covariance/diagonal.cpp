#include "covariance/diagonal.h"

#include "linalg/finite.h"

namespace soba {

DiagonalCovariance::DiagonalCovariance(Shape shape, double a)
    : a_(a), certain_(a >= 1e-100 ? 1e40 * std::min(1.0, a) : 0), weights_({shape.classes, 0}) {
  grow(shape.features);
}

void DiagonalCovariance::reserve_features(Index features) {
  linalg::make_room(cells_, weights_.cell(features, 0));
  weights_.reserve(features);
}

void DiagonalCovariance::grow_to(Index features) {
  cells_.resize(weights_.cell(features, 0), {a_, 0});
  weights_.grow(features);
}

void DiagonalCovariance::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(shape().classes);
  cells_ =
      linalg::longer_runs(cells_, cells_.size(), from, static_cast<std::size_t>(classes), {a_, 0});
  weights_.add_classes(classes);
}

void DiagonalCovariance::set(std::size_t cell, double diagonal, double weight) {
  const double kept = std::clamp(weight, -linalg::kLargestFloat, linalg::kLargestFloat);
  const double theta = diagonal * kept;
  cells_[cell] = {diagonal, std::isfinite(theta) ? theta : 0};
  weights_[cell] = static_cast<float>(cells_[cell].theta / diagonal);
}

// Whether no weight gets too large for a float.
bool DiagonalCovariance::holds(const PairVector& v, double w, double g) const {
  double quad = 0;
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const double x = v.x.value[i];
    for (const Label label : {v.up, v.down}) {
      const linalg::DiagonalCell& cell = cells_[weights_.cell(v.x.feature(i), label)];
      const double theta = cell.theta + (label == v.up ? g * x : -g * x);
      const double diagonal = cell.diagonal + w * x * x;
      if (!(std::fabs(theta / diagonal) <= linalg::kLargestFloat && diagonal <= 1e300))
        return false;
      quad += x * x / cell.diagonal;
    }
  }
  return std::isfinite(quad);
}

double DiagonalCovariance::diagonal(Index feature, Label label) const {
  return cells_[weights_.cell(feature, label)].diagonal;
}

double DiagonalCovariance::theta(Index feature, Label label) const {
  return cells_[weights_.cell(feature, label)].theta;
}

void DiagonalCovariance::visit(StateVisitor& visitor) {
  std::vector<double> diagonal, theta;
  for (const linalg::DiagonalCell& cell : cells_) {
    diagonal.push_back(cell.diagonal);
    theta.push_back(cell.theta);
  }
  visitor.field("covariance.diagonal", diagonal);
  visitor.field("covariance.theta", theta);
  weights_.visit("weights", visitor);
  const std::size_t size = weights_.cells().size();
  visitor.require(diagonal.size() == size && theta.size() == size,
                  "the diagonal and theta have one number for each weight");
  for (const double number : diagonal) visitor.require(number > 0, "the diagonal is positive");
  if (!visitor.loading()) return;
  cells_.resize(size);
  for (std::size_t i = 0; i < size; ++i) cells_[i] = {diagonal[i], theta[i]};
}

}  // namespace soba
