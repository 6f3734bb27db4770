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
// explore=gap-bounded puts a floor under that rate, and with it has a bound: e_t is the larger of
// gap's and min(1, c·√(k(1 + Qx)/t)), where c is gap-floor and Qx = Σ q_s/(1 + q_s) runs over the
// exploratory hits alone (ŷ_s ≠ y_s), whose 1/p is the large one; Q runs over all updates. For A
// exact, answers without delay, every U and 0 < η <= min(1, 2/(2·max‖u_i‖·X + 1)):
//
//   E[M] <= L_η(U) + a·η/(2 − η)·‖U‖² + h·((2/c)·√(kT·E[Qx]) + k·E[Q]) + 2·√(kT·(1 + E[Q])),
//   h = 1/(η(2 − η)), E[Qx] <= E[Q] <= kd·ln(1 + 2X²T/(akd)).
//
// Proof. e_t is known before the draw and positive, so Lemma 1 holds with it, and the paper's proof
// of E[M̂] up to its step 1/p <= k/γ, with Σ q'_t/p_t in the place of (k/γ)·Σ q'_t (q' = q/(1 + q),
// over updates). There are two kinds of them.
// (a) Exploratory hits: p_t = e_t/k, so 1/p_t <= k + √(kt)/(c·√(1 + Qx before t)). As q'_t < 1,
//     1 + Qx before t >= Qx after t, and q'_t/√(Qx after t) <= 2·(the growth of √Qx): together at
//     most k·Qx + (2/c)·√(kT·Qx).
// (b) Hits of the greedy label: p_t = 1 − e_t + e_t/k >= 1/k: at most k·(Q − Qx). By convexity
//     1/p_t <= 1 + (k − 1)·e_t, so that it is Q − Qx + (k − 1)·Σ e_t·q'_t, less where e_t is small.
// M <= M̂ + Σ 1[ỹ_t ≠ ŷ_t], of mean at most Σ e_t; Δ >= 0, r <= 1, c <= 1 and Qx <= Q leave e_t <=
// √(k(1 + Q before t)/t), and Σ 1/√t <= 2√T. Jensen's inequality takes E under the roots; Lemma 3
// bounds E[Q], for any p > 0. ∎
// c = 1 is the order of Appendix A; a smaller c costs 1/c in one term. Nothing is proved of the
// other forms, since Lemmas 2 and 3 are about the exact A, or with late answers, whose ŷ is not
// that of p.
//
// Letters, as in the paper: a the regulariser; y the label that was right; ȳ the best other label;
// v = (e_ȳ − e_y) ⊗ x; p the probability with which y was played; z = v/√p; g = v/p; q = zᵀA⁻¹z;
// Δ = s_y − s_ȳ = −⟨W, v⟩.
//
// Option step is η of a section that the paper's source has and its page does not: θ −= η·n_t·g_t,
// to recover Banditron's bounds with a = T·X² (a=theory-hinge). Its lemma needs m_t = (⟨W,z⟩² +
// 2η⟨W,g⟩)/(1 + q), which the section does not say. With it, W and Δ of η are η times those of η =
// 1 and m is η² times as large: every decision is the same. So η is a device of the proof, which
// holds for the learner with η = 1 too; what the section changes is a alone.
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
  std::int64_t exact_cells = 600;
  std::int64_t sketch_size = 32;
  Rate a = {Rate::Rule::kFixed, 1};
  double x = 1;
  double step = 1;
  std::string explore = "uniform";
  Rate gamma = {Rate::Rule::kFixed, 0.02};
  double gamma_scale = 0.02;
  double gap_floor = 0.03;
  std::int64_t horizon = 0;
  double hinge_loss = 0;
  double memory = 4096;
};

LearnerInfo soba_info();

// Throws Error{kUsage}.
std::unique_ptr<Learner> make_soba(Shape shape, const SobaOptions& options);

// γ = √(k²·d·ln T / T), at most 1: the tuning of Theorem 2 with the constant of its O() set to 1.
double theorem_rate(Shape shape, std::int64_t horizon);

// The tuning of the fall-back theorem for a competitor's hinge loss L_0 and a = X²: with H =
// dk²·a·ln T, min(1, √(H/T)) up to L_0 = √(HT) and min(1, (H·L_0/T²)^(1/3)) beyond. The paper has
// the border at (‖U‖² + 1)·√(HT), which asks for ‖U‖; with this one its bounds keep their form.
double fall_back_rate(Shape shape, std::int64_t horizon, double a, double hinge_loss);

}  // namespace soba
