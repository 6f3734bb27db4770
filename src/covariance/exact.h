// The exact form of A: dual while updates are few, primal once that is cheaper. One state, one
// switch, the same results up to rounding.
//
// When to switch is the old question of renting or buying: with every solve and update the dual
// form adds what it cost beyond the primal one, in multiply-adds, and when the sum reaches the
// price of computing A⁻¹ once, it is computed. So the cost is at most about twice that of the
// better form in hindsight. It counts operations, not seconds: the switch falls on the same round
// on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "covariance/covariance.h"
#include "covariance/dual.h"
#include "covariance/primal.h"
#include "linalg/class_matrix.h"

namespace soba {

class ExactCovariance {
 public:
  // `memory` bounds the bytes of A; reserve() throws Error{kResource} where both forms need more.
  ExactCovariance(Shape shape, double a, double memory);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) {
    if (!ready_.holds(x)) make_ready(x);
    return -1;  // every step uses up some of the room
  }
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const { weights_.scores(x, out); }
  double quad_bound(const PairVector& v) const { return v.squared_norm() / a_; }
  double quad(const PairVector& v);
  bool step(const PairVector& v, double w, double g, double inner);
  double quad_step(const PairVector& v, double w, double g, double inner);
  void limit_memory(double bytes);
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  double bytes() const;  // of A
  bool dual() const { return std::holds_alternative<DualForm>(form_); }
  std::span<const double> weights() const { return weights_.cells(); }
  std::span<const double> theta() const { return theta_; }
  // Changes to the primal form now, whatever it costs: for tests and benchmarks.
  void make_primal();
  // Numbers of the primal form's matrices that growing has copied; 0 in the dual form.
  std::size_t moved() const;

 private:
  static constexpr DualForm::Size kNothing = {-1, 0};  // not even the empty x
  void make_ready(const Features& x);
  void add_theta(const PairVector& v, double g);
  bool dual_step(const PairVector& v, double w, double g, double along);
  void reserve_primal(PrimalForm& primal, Index features);
  bool primal_fits(Shape shape) const { return PrimalForm::bytes(shape) <= memory_; }
  // What the next solve and the next update along x cost in either form, in multiply-adds.
  double dual_cost(const Features& x) const;
  double waiting() const;  // updates that wait in the primal form, on average
  double primal_solve_cost(const Features& x) const;
  double primal_update_cost(const Features& x) const;
  // Leaves the dual form where one more update along v would not fit into the memory allowed.
  // Requires: quad(v) was called.
  void leave_dual_if_full(const PairVector& v);

  double a_;
  double memory_;
  std::vector<double> theta_;
  ClassMatrix<double> weights_;  // W = A⁻¹θ, at all times
  double quad_ = 0;              // what quad() said last
  double overpaid_ = 0;          // what the dual form has cost beyond the primal one so far
  std::variant<DualForm, PrimalForm> form_;
  DualForm::Size ready_ = kNothing;  // a step may be as large as this; one uses it up
  std::optional<PrimalForm> spare_;  // empty but for its memory: for a dual form that is full
};

static_assert(Covariance<ExactCovariance>);

}  // namespace soba
