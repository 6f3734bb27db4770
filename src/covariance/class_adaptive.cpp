#include "covariance/class_adaptive.h"

#include "linalg/blas.h"

namespace soba {

AdaptiveClasses::AdaptiveClasses(Shape shape, double a, Index most_features, double memory)
    : a_(a),
      most_features_(most_features),
      memory_(memory),
      start_(shape),
      form_(FullClasses({shape.classes, 0}, a, memory)) {
  if (affordable(shape.features)) form_ = make_full(shape.features);
}

bool AdaptiveClasses::affordable(Index features) const {
  return features <= most_features_ && FullClasses::bytes({start_.classes, features}) <= memory_;
}

// Whether or not it is affordable.
FullClasses AdaptiveClasses::make_full(Index features) const {
  const Shape shape{start_.classes, features};
  return {shape, a_, std::max(memory_, FullClasses::bytes(shape))};
}

Index AdaptiveClasses::reserve(const Features& x) {
  if (auto* diagonal = std::get_if<DiagonalClasses>(&form_)) return diagonal->reserve(x);
  FullClasses& full = std::get<FullClasses>(form_);
  const Index features = std::max(x.extent(), full.shape().features);
  if (affordable(features)) return std::min(full.reserve(x), most_features_);
  if (!spare_) spare_.emplace(Shape{start_.classes, 0}, a_);
  spare_->reserve_features(features);
  room_.reserve(linalg::invert_room(static_cast<std::size_t>(full.shape().features)));
  return -1;  // until it has handed over
}

void AdaptiveClasses::grow(Index features) {
  const Index larger = std::max(features, shape().features);
  if (full() && !affordable(larger)) hand_over(larger);
  std::visit([&](auto& form) { form.grow(features); }, form_);
}

void AdaptiveClasses::hand_over(Index features) {
  FullClasses& full = std::get<FullClasses>(form_);
  const Shape known = full.shape();
  DiagonalClasses diagonal = spare_ ? std::move(*spare_) : DiagonalClasses({known.classes, 0}, a_);
  spare_.reset();
  diagonal.grow(features);
  room_.resize(linalg::invert_room(static_cast<std::size_t>(known.features)));
  for (Label label = 0; label < known.classes; ++label) {
    const std::span<const double> entries = full.take_diagonal(label, room_);
    for (Index j = 0; j < known.features; ++j) {
      diagonal.set(j, label, entries[static_cast<std::size_t>(j)], full.weight(j, label));
    }
  }
  form_ = std::move(diagonal);
  std::vector<double>().swap(room_);
}

void AdaptiveClasses::limit_memory(double bytes) {
  memory_ = bytes;
  auto* full = std::get_if<FullClasses>(&form_);
  if (full != nullptr && affordable(full->shape().features)) full->limit_memory(bytes);
}

void AdaptiveClasses::add_classes(Label classes) {
  start_.classes = classes;
  spare_.reset();
  if (full() && !affordable(shape().features)) hand_over(shape().features);
  std::visit([&](auto& form) { form.add_classes(classes); }, form_);
}

void AdaptiveClasses::visit(StateVisitor& visitor) {
  std::int64_t is_full = full() ? 1 : 0;
  visitor.field("covariance.is_full", is_full);
  visitor.require(is_full == 0 || is_full == 1, "the covariance is full or diagonal");
  if (visitor.loading()) {
    spare_.reset();
    if (is_full == 1) {
      form_ = make_full(start_.features);
    } else {
      form_ = DiagonalClasses(start_, a_);
    }
  }
  std::visit([&](auto& form) { form.visit(visitor); }, form_);
}

}  // namespace soba
