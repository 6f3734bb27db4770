#include "covariance/leader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "covariance/memory_limit.h"
#include "soba/error.h"

namespace soba {

namespace {

// c −= λW
void subtract(double lambda, std::span<const double> weights, std::vector<double>& c) {
  linalg::add_scaled(-lambda, weights.data(), c.data(), c.size());
}

}  // namespace

FullLeader::FullLeader(Shape shape, double a, double radius, double memory)
    : a_(a), radius_(radius), memory_(memory), weights_({shape.classes, 0}) {
  reserve_features(shape.features);
  grow(shape.features);
}

double FullLeader::bytes(Index features) const {
  const auto n = static_cast<double>(weights_.cell(features, 0));
  return 16 * n * n;
}

void FullLeader::reserve_features(Index features) {
  const Index needed = std::max(features, shape().features);
  if (needed > shape().features && bytes(needed) > memory_) refuse(needed);
  const Index room =
      linalg::features_ahead(room_, needed, [&](Index d) { return bytes(d) <= memory_; });
  const std::size_t n = weights_.cell(room, 0);
  matrix_.reserve(n);
  c_.reserve(n);
  weights_.reserve(room);
  projection_.reserve(n);
  place_.reserve(n);
  delta_.reserve(n);
  room_ = room;
}

void FullLeader::refuse(Index features) const {
  throw Error(
      ErrorKind::kResource,
      fmt::format("a matrix over {} classes x {} features needs {}, more than the {} "
                  "allowed; raise 'memory' or choose a diagonal form",
                  shape().classes, features, bytes_text(bytes(features)), bytes_text(memory_)));
}

void FullLeader::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(shape().classes);
  const auto to = static_cast<std::size_t>(classes);
  weights_.add_classes(classes);
  if (bytes(shape().features) > memory_ && shape().features > 0) refuse(shape().features);
  linalg::GrowingSquare wider;
  wider.grow(weights_.cells().size());
  for (std::size_t cell = 0; cell < wider.size(); ++cell) {
    double* row = wider.row(cell);
    row[cell] = a_;
    if (cell % to >= from) continue;
    const double* old = matrix_.row(cell / to * from + cell % to);
    for (std::size_t other = 0; other < wider.size(); ++other) {
      if (other % to < from) row[other] = old[other / to * from + other % to];
    }
  }
  matrix_ = std::move(wider);
  c_ = linalg::longer_runs(c_, c_.size(), from, to, 0.0);
  room_ = -1;
}

void FullLeader::grow(Index features) {
  if (features <= shape().features) return;
  const std::size_t from = c_.size(), to = weights_.cell(features, 0);
  matrix_.grow(to);
  for (std::size_t j = from; j < to; ++j) matrix_.row(j)[j] = a_;
  c_.resize(to);
  weights_.grow(features);
}

bool FullLeader::add(const Features& x, std::span<const double> factor, double w, double slope) {
  place_.clear();
  delta_.clear();
  double inner = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t label = 0; label < factor.size(); ++label) {
      if (factor[label] == 0) continue;
      place_.push_back(weights_.cell(x.feature(i), static_cast<Label>(label)));
      delta_.push_back(factor[label] * x.value[i]);
      inner += delta_.back() * weights_[place_.back()];
    }
  }
  add_listed(w, w * inner - slope);
  const bool found =
      projection_.project(matrix_.row(0), matrix_.stride(), c_, radius_, lambda_, weights_.cells());
  if (found) return true;
  add_listed(-w, slope - w * inner);  // as if the round had not been
  return false;
}

void FullLeader::add_listed(double w, double push) {
  for (std::size_t j = 0; j < place_.size(); ++j) {
    double* column = matrix_.row(place_[j]);
    for (std::size_t i = 0; i < place_.size(); ++i) column[place_[i]] += w * delta_[j] * delta_[i];
    c_[place_[j]] += push * delta_[j];
  }
}

void FullLeader::recenter() {
  subtract(lambda_, weights_.cells(), c_);
  lambda_ = 0;
}

void FullLeader::limit_memory(double bytes) {
  check_memory_limit(FullLeader::bytes(shape().features), memory_, bytes);
  memory_ = bytes;
  room_ = -1;  // what was reserved under another limit does not count
}

void FullLeader::visit(StateVisitor& visitor) {
  if (visitor.loading()) room_ = -1;
  visitor.field("leader.lambda", lambda_);
  matrix_.visit("leader.matrix", visitor);
  visitor.field("leader.c", c_);
  weights_.visit("weights", visitor);
  const std::size_t n = weights_.cells().size();
  visitor.require(lambda_ >= 0 && std::isfinite(lambda_), "lambda is not negative");
  visitor.require(matrix_.size() == n && c_.size() == n,
                  "the matrix and c have a row for each weight");
  visitor.require(all_finite(c_), "c is finite");
}

DiagonalLeader::DiagonalLeader(Shape shape, double a, double radius)
    : a_(a), radius_(radius), weights_({shape.classes, 0}) {
  grow(shape.features);
}

void DiagonalLeader::reserve_features(Index features) {
  weights_.reserve(features);
  linalg::make_room(diagonal_, weights_.cell(features, 0));
  linalg::make_room(c_, weights_.cell(features, 0));
}

void DiagonalLeader::add_classes(Label classes) {
  const auto from = static_cast<std::size_t>(shape().classes);
  const auto to = static_cast<std::size_t>(classes);
  diagonal_ = linalg::longer_runs(diagonal_, diagonal_.size(), from, to, a_);
  c_ = linalg::longer_runs(c_, c_.size(), from, to, 0.0);
  weights_.add_classes(classes);
}

void DiagonalLeader::grow(Index features) {
  if (features <= shape().features) return;
  weights_.grow(features);
  diagonal_.resize(weights_.cells().size(), a_);
  c_.resize(weights_.cells().size());
}

bool DiagonalLeader::add(const Features& x, std::span<const double> factor, double w,
                         double slope) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t label = 0; label < factor.size(); ++label) {
      if (factor[label] == 0) continue;
      const std::size_t place = weights_.cell(x.feature(i), static_cast<Label>(label));
      const double delta = factor[label] * x.value[i];
      diagonal_[place] += w * delta * delta;
      c_[place] += (w * delta * weights_[place] - slope) * delta;
    }
  }
  const std::span<double> weights = weights_.cells();
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = c_[i] / diagonal_[i];
  lambda_ = linalg::project_diagonal(diagonal_, radius_, weights);
  return true;
}

void DiagonalLeader::recenter() {
  subtract(lambda_, weights_.cells(), c_);
  lambda_ = 0;
}

void DiagonalLeader::visit(StateVisitor& visitor) {
  visitor.field("leader.lambda", lambda_);
  visitor.field("leader.diagonal", diagonal_);
  visitor.field("leader.c", c_);
  weights_.visit("weights", visitor);
  const std::size_t n = weights_.cells().size();
  visitor.require(lambda_ >= 0 && std::isfinite(lambda_), "lambda is not negative");
  visitor.require(diagonal_.size() == n && c_.size() == n &&
                      std::all_of(diagonal_.begin(), diagonal_.end(),
                                  [](double a) { return a > 0 && std::isfinite(a); }),
                  "there is a number of c and a positive one of the diagonal for each weight");
}

}  // namespace soba
