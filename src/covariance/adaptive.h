// A in full while that is affordable, then its diagonal. The form begins as ExactCovariance. Before
// the first step at which kd is larger than allowed, or A takes more memory, it hands over to
// DiagonalCovariance, once and for all: the diagonal of A, which is kept beside it, and the weights
// stay (θ_j becomes A_jj·w_j). Scores are as before, but for their rounding to float.
//
// It starts without features, however many were announced: what decides is those that steps have
// met, so that a run is the same to the bit whether or not their number was known beforehand.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "covariance/covariance.h"
#include "covariance/diagonal.h"
#include "covariance/exact.h"

namespace soba {

class AdaptiveCovariance {
  // std::visit, but for the exception of a variant that holds nothing: this one always holds a
  // form.
  template <class Forms, class Call>
  static auto on_form(Forms& forms, Call&& call) {
    auto* const exact = std::get_if<ExactCovariance>(&forms);
    return exact != nullptr ? call(*exact) : call(*std::get_if<DiagonalCovariance>(&forms));
  }

 public:
  // Exact up to kd = `most_cells` and so many bytes of A. Never throws Error{kResource}.
  AdaptiveCovariance(Shape shape, double a, double most_cells, double memory);

  Shape shape() const {
    return on_form(form_, [](const auto& form) { return form.shape(); });
  }
  Index reserve(const Features& x);
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const {
    on_form(form_, [&](const auto& form) { form.scores(x, out); });
  }
  double quad_bound(const PairVector& v) const { return v.squared_norm() / a_; }
  double quad(const PairVector& v) {
    return on_form(form_, [&](auto& form) { return form.quad(v); });
  }
  bool step(const PairVector& v, double w, double g, double inner);
  double quad_step(const PairVector& v, double w, double g, double inner);
  // One that is now too large hands over with the next step.
  void limit_memory(double bytes);
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  bool exact() const { return std::holds_alternative<ExactCovariance>(form_); }

 private:
  bool affordable(Index features) const;  // Requires: exact()
  void add_to_diagonal(const PairVector& v, double w);
  void hand_over(Index features);

  double a_;
  double most_cells_;
  double memory_;
  Shape announced_;
  std::variant<ExactCovariance, DiagonalCovariance> form_;
  std::vector<double> diagonal_;             // of A, feature-major; empty once it has handed over
  std::optional<DiagonalCovariance> spare_;  // for hand_over(): empty but for its memory
};

static_assert(Covariance<AdaptiveCovariance>);

}  // namespace soba
