// Ridge regressions of ±1 for each class apart, for one-vs-rest learners:
//
//   w_i = argmin Σ w·(σ − ⟨w_i, x⟩)² + a·Σ_j r_ij·w_ij²,   A_i = a·diag(r_ij) + Σ w·x·xᵀ
//
// Full form: a d × d matrix for each class (class_full.h), over x with a constant feature in front
// where one is wanted, and for several a at once. All of them take the same steps. Their scores are
// mixed by q_e ∝ exp(−⅛·Σ (clip(s^e) − σ)²), s^e the score of the played class before each answer,
// clipped to [−1, 1]: exponential weights on a loss that is 1/8-exp-concave, which cost at most
// 8·ln(number of a) in squared loss beyond the best of them.
//
// Scale-free, r_ij is ν·m_j²: m_j the largest |x_j| so far, grown by half at least whenever it
// grows, and ν the mean of Σ_j (x_j/m_j)² at that time, the constant feature included; it never
// falls. Multiplying a feature by a constant then changes nothing but rounding. A class takes a new
// r_ij before its next step that meets feature j, or look() at one: the diagonal of A_i is raised,
// as by a step along e_j towards 0. Otherwise r_ij = 1.
//
// Diagonal form: only the diagonal of A_i (class_diagonal.h), and one a, 1. r_ij is the mean of
// ‖x‖² when class i first steps along feature j, or looks at it: features keep the scale that they
// have, which carries meaning in text. Values beyond ±16 count as ±1 in that mean, and r_ij is x_j²
// times it: so that a column of large numbers among indicators neither hides them nor is hidden.
//
// The full form hands over to the diagonal one, once and for all, before the first round in which
// its matrices would outgrow the memory, or in which the matrix cells touched so far are more than
// `free_cells` and `cost` a round. Weights stay as they are, A_jj is that of the a that is weighted
// most. Counts, not seconds, so that a run can be repeated; and features that steps have met, not
// those announced. The constant feature stays where cost was the reason; where features were, x is
// sparse, and better off without.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"

namespace soba {

class RidgeClasses {
 public:
  enum class Form { kFull, kDiagonal, kAdaptive };
  struct Settings {
    Form form = Form::kAdaptive;
    std::vector<double> ridges = {1};  // every a, ascending
    bool constant = true;              // in the full form
    bool scale_free = true;            // likewise
    double cost = 0;                   // cells a round, of kAdaptive
    double free_cells = 1e9;           // beside those
    double memory = 0;                 // bytes of all matrices
  };

  // Throws Error{kResource} where the form is kFull and the memory does not suffice; reserve()
  // likewise.
  RidgeClasses(Shape shape, const Settings& settings);

  Shape shape() const;
  bool full() const { return std::holds_alternative<FullClasses>(form_); }
  std::size_t ridges() const { return settings_.ridges.size(); }
  // s_i of every class, and behind them s^e_i, k for each a (the first k only in the diagonal
  // form).
  void scores(const Features& x, std::span<double> mixed, std::span<double> each) const;

  // As Predictor::reserve(), for a round of meet() and steps.
  Index reserve(const Features& x);
  // Takes note of the x of a round, before its steps. What follows does not throw after reserve(x).
  void meet(const Features& x);
  // What a step of class i would start from, once its diagonal is raised: ⟨w_i, x⟩ and xᵀA_i⁻¹x, of
  // the middle a.
  struct Look {
    double score, variance;
  };
  Look look(Label label, std::span<const double> each);
  // A step of class i towards σ = ±1 with weight w, along the x that meet() was given last; `each`
  // are the scores of now. Returns q' = wV/(1 + wV), V = xᵀA_i⁻¹x (of the middle a), or nothing
  // where numbers were too large and the step was left out.
  std::optional<double> step(Label label, std::span<const double> each, double sigma, double w);
  // Weighs the a by how they foresaw the answer to class i.
  void judge(Label label, std::span<const double> each, double sigma);

  void limit_memory(double bytes);
  // Classes that no step has been for. Throws as reserve() does, and is then of no use: learners
  // call it on a copy.
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);
  std::string remarks() const;

 private:
  // Columns of the weights: one for each class and a.
  Shape columns(Index rows) const;
  Label column(std::size_t ridge, Label label) const;
  std::size_t middle() const { return full() ? ridges() / 2 : 0; }
  Index first() const { return settings_.constant ? 1 : 0; }  // row of feature 0
  bool fits(Index rows) const;                                // in memory
  bool due() const;                                           // to hand over, for what it has cost
  void extend(const Features& x);
  void note_scale();
  void note_norm();
  void prepare(Label label);
  void raise(Label label);
  double score(std::size_t ridge, Label label, std::span<const double> each) const;
  void hand_over(Index rows, bool keep_constant);
  void weigh();
  double& started(Index row, Label label);
  Settings settings_;
  Label classes_;
  Index announced_;
  std::variant<FullClasses, DiagonalClasses> form_;
  bool constant_;               // whether x has a constant feature in front now
  double rounds_ = 0;           // met
  double norms_ = 0;            // Σ of ν's terms, or of ‖x‖²
  double cells_ = 0;            // touched by steps of the full form
  Index met_ = 0;               // rows
  std::vector<double> losses_;  // ⅛·Σ (clip(s^e) − σ)² for each a
  std::vector<double> q_;       // follows from them
  // Of the full form, for each row: m_j, r_j; and for each row and class r_ij, 0 before its first
  // step.
  std::vector<double> largest_, level_, started_;
  // x as extend() has it, a unit vector, and what hand_over() needs.
  std::vector<Index> index_;
  std::vector<double> value_;
  Features x_;
  bool stale_ = false;  // the scores that the round came with, since meet()
  std::optional<DiagonalClasses> spare_;
  std::vector<double> room_;
};

}  // namespace soba
