// A good linear competitor U in hindsight: what the bounds compare a learner with.
//
//   minimise  P(U) = ½‖U‖² + C·Σ_t ℓ_η(m_t(U)),   m_t the multiclass or the one-vs-rest margin
//
// by dual coordinate descent, an example at a time. For the multiclass hinge (η = 0) this is
//   K. Crammer, Y. Singer, "On the Algorithmic Implementation of Multiclass Kernel-based Vector
//   Machines", JMLR 2, 2001; S. S. Keerthi, S. Sundararajan, K.-W. Chang, C.-J. Hsieh, C.-J. Lin,
//   "A Sequential Dual Method for Large Scale Multi-Class Linear SVMs", KDD 2008.
// The other losses are ours by the same steps. With ξ = [1 − m]_+, ℓ_η = (1 − c)·ξ + c·ξ²
// (losses.h) is convex in U everywhere, so the minimum is global. An example has numbers β_i >= 0,
// one for each class that its margin may hang on, s = Σ β_i, and
//   multiclass:   u_y += s·x,  u_i −= β_i·x for i ≠ y
//   one-vs-rest:  u_y += β_y·x,  u_i −= β_i·x for i ≠ y
//   maximise  D = Σ_t (s_t − [s_t − C(1−c)]²_+/(4Cc)) − ½‖U‖²,   s_t <= C where c = 0.
// With all else fixed, with A = ‖x‖² and b_i what β_i would gain first, the best β_i are [b_i −
// τ]_+/A, with τ from a sort of the b_i. P − D >= 0 is what is left to gain at most.
//
// State: U (kd) and the β (k for each example). An epoch costs O(Σ k·nnz + k·log k); epochs over
// the examples that moved lately alternate with those over all.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "soba/data.h"
#include "soba/lab/theory.h"

namespace soba::theory {

enum class MarginKind { kMulticlass, kOneVsRest };

struct FitLimits {
  double gap = 1e-2;  // (P − D)/P at which a fit ends
  int epochs = 100;   // over all examples
};

struct Fit {
  double primal = 0, dual = 0;
  int epochs = 0;  // over all examples
  double gap() const { return primal > 0 ? (primal - dual) / primal : 0; }
};

// After each epoch over all examples: the gap so far. False ends the fit, as it stands.
using FitProgress = std::function<bool(double gap)>;

class CompetitorSolver {
 public:
  // Requires: 0 <= eta <= 1, and every example has a label; the block outlives the solver.
  CompetitorSolver(const Block& block, Shape shape, MarginKind kind, double eta);

  // Starts where the last fit ended: a path with rising weights is cheap.
  // Requires: weight >= that of the last fit.
  Fit fit(double weight, const FitLimits& limits, const FitProgress& progress = {});

  // U, feature after feature: class i of feature j is at j·k + i.
  const std::vector<double>& weights() const { return weights_; }

 private:
  struct Threshold {
    double tau, sum;  // Σ [b_i − τ]_+
  };
  Threshold threshold(double rho, double offset) const;
  bool improve(std::size_t example);
  void choose(double norm, double own);
  Threshold settle(double norm, double own) const;
  double spent(std::size_t example) const;  // s
  void measure(Fit& fit) const;

  const Block& block_;
  Shape shape_;
  MarginKind kind_;
  double share_;       // c
  double weight_ = 0;  // C
  std::vector<double> weights_;
  std::vector<double> beta_;   // k for each example; of its own label in multiclass: s
  std::vector<double> norms_;  // ‖x‖²
  std::vector<double> scores_, b_, chosen_, sorted_;  // of one example
};

// s = U·x for U as CompetitorSolver::weights has it; features beyond it count as never met.
void linear_scores(const std::vector<double>& weights, const Features& x, std::span<double> scores);

// Adds an example to what is known of a competitor: its losses, and whether it errs.
void add_example(const Features& x, Label label, std::span<double> scratch, Competitor& competitor);
// Its norms, from its weights.
void measure_norms(Label classes, Competitor& competitor);

}  // namespace soba::theory
