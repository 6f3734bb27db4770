#include "covariance/adaptive.h"

#include <algorithm>
#include <cmath>

namespace soba {

AdaptiveCovariance::AdaptiveCovariance(Shape shape, double a, double most_cells, double memory)
    : a_(a),
      most_cells_(most_cells),
      memory_(memory),
      announced_(shape),
      form_(ExactCovariance({shape.classes, 0}, a, memory)) {}

bool AdaptiveCovariance::affordable(Index features) const {
  const Shape shape{announced_.classes, features};
  return static_cast<double>(shape.classes) * features <= most_cells_ &&
         PrimalForm::bytes(shape) <= memory_ && std::get<ExactCovariance>(form_).bytes() <= memory_;
}

Index AdaptiveCovariance::reserve(const Features& x) {
  if (auto* diagonal = std::get_if<DiagonalCovariance>(&form_)) return diagonal->reserve(x);
  const Index features = std::max(x.extent(), shape().features);
  if (!affordable(features)) {
    if (!spare_) spare_.emplace(Shape{announced_.classes, 0}, a_);
    spare_->reserve_features(features);
    return -1;  // until it has handed over
  }
  linalg::make_room(
      diagonal_, static_cast<std::size_t>(features) * static_cast<std::size_t>(announced_.classes));
  return std::get<ExactCovariance>(form_).reserve(x);
}

void AdaptiveCovariance::grow(Index features) {
  const Index larger = std::max(features, shape().features);
  if (exact() && !affordable(larger)) hand_over(larger);
  on_form(form_, [&](auto& form) { form.grow(features); });
  if (exact()) {
    diagonal_.resize(
        static_cast<std::size_t>(larger) * static_cast<std::size_t>(announced_.classes), a_);
  }
}

void AdaptiveCovariance::hand_over(Index features) {
  const auto& exact = std::get<ExactCovariance>(form_);
  const Shape known = exact.shape();
  DiagonalCovariance diagonal =
      spare_ ? std::move(*spare_) : DiagonalCovariance({known.classes, 0}, a_);
  spare_.reset();
  diagonal.grow(features);
  for (std::size_t cell = 0; cell < diagonal_.size(); ++cell) {
    diagonal.set(cell, diagonal_[cell], exact.weights()[cell]);
  }
  form_ = std::move(diagonal);
  std::vector<double>().swap(diagonal_);
}

void AdaptiveCovariance::add_to_diagonal(const PairVector& v, double w) {
  if (!exact()) return;
  const auto k = static_cast<std::size_t>(announced_.classes);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    double* row = diagonal_.data() + static_cast<std::size_t>(v.x.feature(i)) * k;
    const double square = w * v.x.value[i] * v.x.value[i];
    row[v.up] += square;
    row[v.down] += square;
  }
}

bool AdaptiveCovariance::step(const PairVector& v, double w, double g, double inner) {
  const bool done = on_form(form_, [&](auto& form) { return form.step(v, w, g, inner); });
  if (done) add_to_diagonal(v, w);
  return done;
}

double AdaptiveCovariance::quad_step(const PairVector& v, double w, double g, double inner) {
  const double quad = on_form(form_, [&](auto& form) { return form.quad_step(v, w, g, inner); });
  if (!std::isnan(quad)) add_to_diagonal(v, w);
  return quad;
}

void AdaptiveCovariance::limit_memory(double bytes) {
  memory_ = bytes;
  auto* exact = std::get_if<ExactCovariance>(&form_);
  if (exact != nullptr && affordable(exact->shape().features)) exact->limit_memory(bytes);
}

void AdaptiveCovariance::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(announced_.classes);
  announced_.classes = classes;
  spare_.reset();
  if (exact() && !affordable(shape().features)) hand_over(shape().features);
  on_form(form_, [&](auto& form) { form.add_classes(classes); });
  diagonal_ =
      linalg::longer_runs(diagonal_, diagonal_.size(), from, static_cast<std::size_t>(classes), a_);
}

void AdaptiveCovariance::visit(StateVisitor& visitor) {
  std::int64_t is_exact = exact() ? 1 : 0;
  std::int64_t features = shape().features;
  visitor.field("covariance.is_exact", is_exact);
  visitor.field("covariance.features", features);
  visitor.require(is_exact == 0 || is_exact == 1, "the covariance is exact or diagonal");
  visitor.require(features >= 0 && features <= std::max(announced_.features, shape().features),
                  "the covariance knows no more features than the model");
  if (visitor.loading()) {
    spare_.reset();
    diagonal_.clear();
    const Shape shape{announced_.classes, static_cast<Index>(features)};
    if (is_exact == 1) {
      form_ = ExactCovariance(shape, a_, memory_);
    } else {
      form_ = DiagonalCovariance(shape, a_);
    }
  }
  on_form(form_, [&](auto& form) { form.visit(visitor); });
  if (!exact()) return;
  visitor.field("covariance.diagonal", diagonal_);
  const auto positive = [](double number) { return number > 0; };
  visitor.require(diagonal_.size() == static_cast<std::size_t>(features) *
                                          static_cast<std::size_t>(announced_.classes) &&
                      std::all_of(diagonal_.begin(), diagonal_.end(), positive),
                  "the diagonal has one positive number for each weight");
}

}  // namespace soba
