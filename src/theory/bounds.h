// The bounds on mistakes, term by term, as pure functions of what a run and a competitor show.
//
// Letters as in the paper: k classes, d features, T rounds, ‖x‖ <= X, a the regulariser, L a loss
// of the competitor U summed over the rounds, M mistakes. SOBA's bounds have one form. With q' =
// zᵀA_t⁻¹z of an update, V = E[Σ n_t·q'_t/p_t], G = E[Σ 1[ỹ ≠ ŷ]] and h = 1/(η(2−η)):
//   E[M] <= L_η + aη/(2−η)·‖U‖² + h·V + G                for η as eta_limit has it
//   E[M] <= N + G,  N <= L_0 + √((2X²N + a)·‖U‖²·V)      (fall-back: the hinge loss, any η)
// The second is the first step of the paper's proof (its Lemma 2, in expectation), at the best η:
// N <= L_0 + (η/2)(2X²N + a)‖U‖² + V/(2η). V and G are observed, or bounded:
//   γ fixed                V <= (k/γ)·Q,                G <= γT
//   γ adaptive, scale c    V <= kQ + (2/c)·√(kT(1+Q)),  G <= 2c·√(kT(1+Q))
//   explore gap-bounded    V <= kQ + (2/c)·√(kT·Qx),    G <= 2·√(kT(1+Q))
// with Q = E[Σ n_t·q'_t] <= kd·ln(1 + 2X²T/(akd)), and Qx <= Q the part of exploratory hits.
#pragma once

#include "soba/types.h"

namespace soba::theory {

struct Game {  // what is played
  double classes, features, rounds, largest_norm;
};

struct Terms {
  double competitor_loss = 0, regulariser = 0, quadratic = 0, exploration = 0;
  double total() const { return competitor_loss + regulariser + quadratic + exploration; }
};

// Theorem 1, of the Perceptron, on every run: M <= M^(1−1/q)·L_q^(1/q) + √2·X·‖U‖·√M for q in [1,
// 2], L_q = Σ ℓ^q. The largest M that satisfies it; the regulariser is what it has beyond L_q.
Terms perceptron_bound(double q, double loss, double norm, double largest_norm);

// The largest η of Theorem 2: min(1, 2/(2·max‖u_i‖·X + 1)); of the one-vs-rest theorem: min(1,
// 2/(max‖u_i‖·X + 1)).
double eta_limit(double longest, double largest_norm);
double one_vs_rest_eta_limit(double longest, double largest_norm);

// Lemma 3: kd·ln(1 + 2X²T/(akd)).
double most_quadratic(const Game& game, double a);
struct Noise {
  double variance, exploration;  // V and G of the header
};
Noise fixed_noise(const Game& game, double gamma, double quadratic);
Noise adaptive_noise(const Game& game, double scale, double quadratic);
Noise gap_noise(const Game& game, double floor, double quadratic, double explored);
// Requires: 0 < eta <= 1.
Terms soba_bound(double eta, double loss, double norm, double a, const Noise& noise);
Terms fall_back_bound(double loss, double norm, double largest_norm, double a, const Noise& noise);

// The hidden section's, for γ fixed: as V <= (k/γ)·(2X²/a)·N too, N <= L_0 + √(c·N) with c =
// 2kX²‖U‖²(1 + 2X²T/a)/γ. It is of use where a is about T·X², and c = 6kX²‖U‖²/γ; the section has
// 4, where it takes 1 + 2N/T for at most 2.
Terms large_a_bound(const Game& game, double loss, double norm, double a, double gamma);

// Algorithm 2 with the online Newton step and its theory's parameters: gradients up to 16Xk/γ and
// ηγ/(32k)-exp-concave losses, regret 5·(1/α + G·2D)·kd·ln T (Hazan, Agarwal, Kale 2007, Theorem
// 2).
Terms exp_concave_bound(const Game& game, double eta, double loss, double ball, double gamma);
// Claim 1 for l_η(m) over ‖W‖ <= D, η <= 1/max(2XD, 1), with the constants that hold: it is
// η(2−η)/8-exp-concave (the paper: η/32) and its gradient at most 4√2·X (the paper: 16X).
double claim_concavity(double eta);
double claim_gradient(double largest_norm);

// Newtron: L_α + min(c·exp(4αXD)·ln T, 6c·X·D·T^(2/3)), with c = k³d, the order that the paper
// gives it.
Terms newtron_bound(const Game& game, double alpha, double ball, double loss);

// Banditron, D = 2‖U‖²X²: L_0 + γT + 3·max{kD/γ, √(DγT)} + √(kD·L_0/γ).
Terms banditron_bound(const Game& game, double gamma, double loss, double norm);

// One-vs-rest SOBA (soba_ovr.h), L of that family, B = max‖u_i‖·X, Λ = ln(1 + X²T/(akd)).
double one_vs_rest_log(const Game& game, double a);  // Λ
// (1), with Q̄ and Q as observed; (2), e constant; (4), e confident with scale c, for slack 0; and
// (3), the hinge loss, for e = 1 and slack 0.
Terms one_vs_rest_bound(double eta, double loss, double norm, double a, double hit_variance,
                        double slack, double quadratic);
Terms one_vs_rest_constant(const Game& game, double eta, double loss, double norm, double a,
                           double rate, double slack);
Terms one_vs_rest_confident(const Game& game, double eta, double loss, double norm, double a,
                            double scale);
Terms one_vs_rest_hinge(const Game& game, double loss, double norm, double longest, double a);

// auto beyond the greedy labels of its member SOBA: (1+√2)·√(V_T·ln 200) + 8k·log₂V_T/(1−γ_1) +
// Σγ_t + 2·√(k·T_B(1+Q_B)) (mixture.h), V_T the mixture's squares, T_B and Q_B of its leader.
double mixture_cost(const Game& game, double squares, double rates, double unclaimed,
                    double unclaimed_quadratic);

}  // namespace soba::theory
