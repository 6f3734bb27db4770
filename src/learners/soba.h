// SOBA, the Second Order Banditron.
//
//   A. Beygelzimer, F. Orabona, C. Zhang, "Efficient Online Bandit Multiclass Learning with Õ(√T)
//   Regret", ICML 2017, Algorithm 1; the adaptive exploration rate is its Appendix A.
//
// State: A (kd × kd; exact or its diagonal), θ (kd), W = A⁻¹θ, and the budget S = Σ n_s·m_s >= 0. A
// round costs O(k·nnz) to score. Exact: most rounds are then skipped by the certificate below, in
// O(nnz); the others cost O(U·nnz + U²) in U earlier updates, or O(kd·nnz) and O((kd)²) for an
// update, whichever is less. Diagonal: O(nnz). Exploration: UniformMix with γ fixed, adaptive
// (Appendix A) or tuned by the mistake bound (Theorem 2; Theorem 1 is the Perceptron's).
//
// With explore=gap (ours, not the paper's) the rate is e_t = min(1, γ_t)·r·max(1 − Δ, r): γ_t =
// √(k(1 + Σ n_s·q_s/(1 + q_s))/t) is Appendix A's, Δ the lead of the greedy label over the second,
// and r the share of wrong answers to about the last hundred plays of this label as the greedy one,
// 1 before the first. Exploring is cheap where the greedy label is wrong anyway (r), and of use
// where the lead is not yet 1, towards which SOBA regresses every margin; r under the maximum frees
// it from being sure and wrong, which a wrong answer alone does not teach it. p is known as ever,
// but it may become 0 in effect where a label has long been right, and the paper's bound turns into
// one with Σ e_t and Σ (k/e_t)·zᵀA⁻¹z, which we cannot bound beforehand: no guarantee. Small
// constant rates hurt by the weights 1/p of their rare hits; here p is small only where hits are
// rarer still.
//
// Letters, as in the paper: a the regulariser; y the label that was right; ȳ the best other label;
// v = (e_ȳ − e_y) ⊗ x; p the probability with which y was played; z = v/√p; g = v/p; q = zᵀA⁻¹z;
// Δ = s_y − s_ȳ = −⟨W, v⟩.
//
// Deviations from the paper's page:
// - Line 13 in scalars: m = (⟨W,z⟩² + 2⟨W,g⟩)/(1 + q) = (Δ² − 2Δ)/(p·(1 + q)).
// - Lines 13–14 are decided without q where any q in [0, ‖z‖²/a] gives the same answer: A >= a·I,
//   so that is where q lies. Same decisions, not an approximation.
// - Line 20 as a rank-one correction of W (recursive least squares); see ExactCovariance::step.
// - Appendix A's Σ z_sᵀA_s⁻¹z_s runs over the rounds with an update (n_s = 1), as in the bound
//   behind it (Lemma 3). There z_sᵀA_s⁻¹z_s = q/(1 + q), which is what we add for the diagonal
//   form, too: it stays below 1, as the appendix's lemma needs, where Σ z_i²/(A_i + z_i²) need not.
//   The factor in front of the square root is ours.
// - A late answer is learnt with p of the decision and W, A, S of now.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct SobaOptions {
  std::string covariance = "exact";
  std::int64_t sketch_size = 32;
  double a = 1;
  std::string explore = "uniform";
  Rate gamma = {Rate::Rule::kFixed, 0.02};
  double gamma_scale = 0.02;
  std::int64_t horizon = 0;
  double memory = 4096;
};

LearnerInfo soba_info();

// Throws Error{kUsage}.
std::unique_ptr<Learner> make_soba(Shape shape, const SobaOptions& options);

// γ = √(k²·d·ln T / T), at most 1: the tuning of Theorem 2 with the constant of its O() set to 1.
double theorem_rate(Shape shape, std::int64_t horizon);

}  // namespace soba
