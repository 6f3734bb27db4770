// A_i in full while that is affordable, then as its diagonal. The form begins as FullClasses.
// Before the first step at which there are more features than allowed, in number or in memory, it
// hands over to DiagonalClasses, once and for all: A_i is computed by one inversion, its diagonal
// is kept, and so are the weights (θ_j becomes A_jj·w_j). Scores are as before, but for their
// rounding to float.
//
// What decides is the features that steps have met, not those that were announced: a run is the
// same to the bit whether or not their number was known beforehand.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "covariance/class_covariance.h"
#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"

namespace soba {

class AdaptiveClasses {
  // std::visit, but for the exception of a variant that holds nothing: this one always holds a
  // form.
  template <class Forms, class Call>
  static auto on_form(Forms& forms, Call&& call) {
    auto* const full = std::get_if<FullClasses>(&forms);
    return full != nullptr ? call(*full) : call(*std::get_if<DiagonalClasses>(&forms));
  }

 public:
  // Full up to so many features, and so many bytes of all A_i. Never throws Error{kResource}.
  AdaptiveClasses(Shape shape, double a, Index most_features, double memory);

  Shape shape() const {
    return on_form(form_, [](const auto& form) { return form.shape(); });
  }
  Index reserve(const Features& x);
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const {
    on_form(form_, [&](const auto& form) { form.scores(x, out); });
  }
  double variance(Label label, const Features& x) const {
    return on_form(form_, [&](const auto& form) { return form.variance(label, x); });
  }
  void variances(const Features& x, std::span<double> out) const {
    on_form(form_, [&](const auto& form) { form.variances(x, out); });
  }
  double solve(Label label, const Features& x) {
    return on_form(form_, [&](auto& form) { return form.solve(label, x); });
  }
  bool step(Label label, const Features& x, double w, double along) {
    return on_form(form_, [&](auto& form) { return form.step(label, x, w, along); });
  }
  // One that is now too large hands over with the next step.
  void limit_memory(double bytes);
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  bool full() const { return std::holds_alternative<FullClasses>(form_); }

 private:
  bool affordable(Index features) const;
  FullClasses make_full(Index features) const;
  void hand_over(Index features);

  double a_;
  Index most_features_;
  double memory_;
  Shape start_;
  std::variant<FullClasses, DiagonalClasses> form_;
  // For hand_over(): a form that is empty but for its memory, and what the inversion needs.
  std::optional<DiagonalClasses> spare_;
  std::vector<double> room_;
};

static_assert(ClassCovariance<AdaptiveClasses>);

}  // namespace soba
