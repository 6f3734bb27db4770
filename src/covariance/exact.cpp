#include "covariance/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "covariance/memory_limit.h"
#include "linalg/room.h"
#include "soba/error.h"

namespace soba {

ExactCovariance::ExactCovariance(Shape shape, double a, double memory)
    : a_(a), memory_(memory), weights_({shape.classes, 0}), form_(DualForm(a)) {
  grow(shape.features);
}

void ExactCovariance::make_ready(const Features& x) {
  // Up to the largest x since the last step, so that most come when all is ready.
  const DualForm::Size own = DualForm::Size::of(x);
  DualForm::Size most{std::max(own.extent, ready_.extent), std::max(own.entries, ready_.entries)};
  ready_ = kNothing;
  const Index features = std::max(own.extent, shape().features);
  const Shape larger{shape().classes, features};
  const std::size_t cells = weights_.cell(features, 0);
  const auto reserve_weights = [&] {
    linalg::make_room(theta_, cells);
    weights_.reserve(features);
  };
  if (auto* primal = std::get_if<PrimalForm>(&form_)) {
    if (features > shape().features && !primal_fits(larger)) {
      throw Error(ErrorKind::kResource,
                  fmt::format("exact covariance over {} weights needs {}, more than the {} "
                              "allowed; raise 'memory' or choose the diagonal covariance",
                              static_cast<double>(larger.classes) * larger.features,
                              bytes_text(PrimalForm::bytes(larger)), bytes_text(memory_)));
    }
    reserve_weights();
    reserve_primal(*primal, features);
    ready_ = {features, static_cast<std::size_t>(features)};
    return;
  }
  DualForm& dual = std::get<DualForm>(form_);
  if (dual.bytes_after(own) > memory_) {
    if (!primal_fits(larger)) {
      throw Error(
          ErrorKind::kResource,
          fmt::format("exact covariance needs more than the {} allowed: {} updates, {} weights; "
                      "raise 'memory' or choose the diagonal covariance",
                      bytes_text(memory_), dual.updates(), cells));
    }
    reserve_weights();
    dual.reserve_quad(own);
    if (!spare_) spare_.emplace(Shape{larger.classes, 0}, a_);
    reserve_primal(*spare_, features);
    spare_->reserve_refresh();
    return;  // ready for this x; a smaller one may still fit into the dual form
  }
  reserve_weights();
  if (dual.bytes_after(most) > memory_) most = own;
  dual.reserve(most);
  ready_ = most;
}

void ExactCovariance::reserve_primal(PrimalForm& primal, Index features) {
  const auto fits = [&](Index d) { return primal_fits({shape().classes, d}); };
  primal.reserve(features <= primal.room() ? features
                                           : linalg::features_ahead(primal.room(), features, fits));
}

void ExactCovariance::grow(Index features) {
  if (features <= shape().features) return;
  if (auto* primal = std::get_if<PrimalForm>(&form_)) primal->grow(features);
  theta_.resize(weights_.cell(features, 0));
  weights_.grow(features);
}

namespace {

// Time of a multiply-add in a blocked operation of BLAS, in those of a plain loop over memory.
constexpr double kBlocked = 0.2;

// Beyond this many updates L does not stay in the cache, and a multiply-add with it takes as long
// as so many (docs/performance.md).
constexpr double kCachedUpdates = 1500;
constexpr double kBeyondCache = 2;

}  // namespace

double ExactCovariance::dual_cost(const Features& x) const {
  const auto updates = static_cast<double>(std::get<DualForm>(form_).updates());
  const double walk = updates > kCachedUpdates ? kBeyondCache * updates / 2 : updates / 2;
  return updates * (walk + static_cast<double>(x.size()));
}

double ExactCovariance::waiting() const {
  return static_cast<double>(PrimalForm::block(PrimalForm::size(shape()))) / 2;
}

double ExactCovariance::primal_solve_cost(const Features& x) const {
  const double cells = 2 * static_cast<double>(x.size());
  return cells * (cells + waiting());
}

double ExactCovariance::primal_update_cost(const Features& x) const {
  const auto n = static_cast<double>(PrimalForm::size(shape()));
  return n * (2 * static_cast<double>(x.size()) + waiting()) + kBlocked * n * n;
}

double ExactCovariance::quad(const PairVector& v) {
  if (dual()) overpaid_ = std::max(0.0, overpaid_ + dual_cost(v.x) - primal_solve_cost(v.x));
  quad_ = std::visit([&](auto& form) { return form.quad(v); }, form_);
  return quad_;
}

bool ExactCovariance::step(const PairVector& v, double w, double g, double inner) {
  if (v.x.size() == 0) return true;  // v = 0 changes nothing
  ready_ = kNothing;
  leave_dual_if_full(v);
  // From (A + w·v·vᵀ)·W' = θ + g·v and A·W = θ:  W' = W + (g − w·⟨W,v⟩)/(1 + w·vᵀA⁻¹v)·A⁻¹v
  const double along = (g - w * inner) / (1 + w * quad_);
  if (dual()) return dual_step(v, w, g, along);
  PrimalForm& primal = std::get<PrimalForm>(form_);
  if (!primal.prepare(w, quad_, along)) return false;
  add_theta(v, g);
  primal.step(v, w, quad_, along, theta_, weights_);
  return true;
}

void ExactCovariance::add_theta(const PairVector& v, double g) {
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    const std::size_t row = weights_.cell(v.x.feature(i), 0);
    theta_[row + v.up] += g * v.x.value[i];
    theta_[row + v.down] -= g * v.x.value[i];
  }
}

bool ExactCovariance::dual_step(const PairVector& v, double w, double g, double along) {
  if (!std::get<DualForm>(form_).step(v, w, quad_, along, weights_)) return false;
  add_theta(v, g);
  overpaid_ = std::max(0.0, overpaid_ + dual_cost(v.x) - primal_update_cost(v.x));
  const auto n = static_cast<double>(PrimalForm::size(shape()));
  if (overpaid_ < kBlocked * n * n * n || !primal_fits(shape())) return true;
  try {
    make_primal();
  } catch (const std::bad_alloc&) {
    overpaid_ = 0;  // no memory for the cheaper form: the dual one goes on
  }
  return true;
}

double ExactCovariance::quad_step(const PairVector& v, double w, double g, double inner) {
  const double result = quad(v);
  return step(v, w, g, inner) ? result : std::nan("");
}

void ExactCovariance::leave_dual_if_full(const PairVector& v) {
  const auto* dual = std::get_if<DualForm>(&form_);
  if (dual == nullptr || dual->bytes_after(DualForm::Size::of(v.x)) <= memory_) return;
  make_primal();
  quad(v);
}

void ExactCovariance::make_primal() {
  const auto* dual = std::get_if<DualForm>(&form_);
  if (dual == nullptr) return;
  PrimalForm primal = spare_ ? std::move(*spare_) : PrimalForm({shape().classes, 0}, a_);
  spare_.reset();
  primal.reserve(shape().features);
  primal.grow(shape().features);
  dual->for_each([&](const PairVector& v, double w) { primal.add(v, w); });
  if (!primal.refresh(theta_, weights_)) {
    // A has no Cholesky factor in working precision: come to A⁻¹ one update after the other.
    primal.restart();
    dual->for_each([&](const PairVector& v, double w) {
      const double quad = primal.quad(v);
      if (primal.prepare(w, quad, 0)) primal.update(v, w, quad);
    });
  }
  form_ = std::move(primal);
}

std::size_t ExactCovariance::moved() const {
  const auto* primal = std::get_if<PrimalForm>(&form_);
  return primal == nullptr ? 0 : primal->moved();
}

double ExactCovariance::bytes() const {
  const auto* dual = std::get_if<DualForm>(&form_);
  return dual != nullptr ? dual->bytes_after({}) : PrimalForm::bytes(shape());
}

void ExactCovariance::limit_memory(double bytes) {
  check_memory_limit(this->bytes(), memory_, bytes);
  memory_ = bytes;
  ready_ = kNothing;
  spare_.reset();
}

void ExactCovariance::add_classes(Label classes) {
  const Shape larger{classes, shape().features};
  if (!dual() && !primal_fits(larger)) {
    throw Error(ErrorKind::kResource,
                fmt::format("exact covariance over {} classes x {} features needs {}, more than "
                            "the {} allowed; raise 'memory' first",
                            larger.classes, larger.features, bytes_text(PrimalForm::bytes(larger)),
                            bytes_text(memory_)));
  }
  theta_ = linalg::longer_runs(theta_, theta_.size(), static_cast<std::size_t>(shape().classes),
                               static_cast<std::size_t>(classes), 0.0);
  weights_.add_classes(classes);
  std::visit([&](auto& form) { form.add_classes(classes); }, form_);
  ready_ = kNothing;
  spare_.reset();
}

void ExactCovariance::visit(StateVisitor& visitor) {
  weights_.visit("weights", visitor);
  visitor.field("covariance.theta", theta_);
  visitor.require(theta_.size() == weights_.cells().size(), "theta has one number for each weight");
  visitor.field("covariance.overpaid", overpaid_);
  std::int64_t is_primal = dual() ? 0 : 1;
  visitor.field("covariance.is_primal", is_primal);
  visitor.require(is_primal == 0 || is_primal == 1, "the covariance is dual or primal");
  if (visitor.loading()) {
    ready_ = kNothing;
    spare_.reset();
    if (is_primal == 1) form_ = PrimalForm({shape().classes, 0}, a_);
  }
  std::visit([&](auto& form) { form.visit(shape(), visitor); }, form_);
}

}  // namespace soba
