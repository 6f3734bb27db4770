// Bandit multiclass classification by reduction to online exp-concave optimization.
//
//   A. Beygelzimer, F. Orabona, C. Zhang, "Efficient Online Bandit Multiclass Learning with Õ(√T)
//   Regret", ICML 2017, Algorithm 2 (appendix "Connections to Online Exp-concave
//   Optimization"). Its oracle is one of E. Hazan, A. Agarwal, S. Kale,
//   "Logarithmic Regret Algorithms for Online Convex Optimization", Machine Learning 69, 2007: the
//   online Newton step (ons) or follow-the-approximate-leader (ftal).
//
// Where ỹ = y and ŷ ≠ y, with m = s_y − s_ŷ <= 0 and g the gradient of the loss at W:
//   l_η(m) = 1 − 2/(2−η)·m + η/(2−η)·m²,   l_η'(m) = (2ηm − 2)/(2 − η)
//   g = l_η'(m)·(e_y − e_ŷ) ⊗ x
//   A += ggᵀ;   ons: W = Π(W − A⁻¹g/β);   ftal: W = Π(A⁻¹b), b += ggᵀW − g/β
// with A starting at ε·I and Π the projection onto ‖W‖_F <= D in the norm of A
// (covariance/leader.h, where the two are one). In all other rounds the loss is 0 and nothing
// changes.
//
// State: A (kd × kd, or its diagonal), b, W. A round costs O(k·nnz) to score. An update costs O(kd)
// with the diagonal and O((kd)³) with the full matrix; but it takes a mistake that exploration has
// corrected, at most a share γ/k of the rounds. Exploration: UniformMix(γ).
//
// The theory wants X >= ‖x‖, η <= 1/max(2XD, 1), and then, as gradients reach G = 16X and the loss
// is η/32-exp-concave, β = ½·min(1/(8GD), η/32) and ε = 1/(2βD)²: option 0 for each of the three.
// This ε is so large (10⁵ and more) that A hardly leaves ε·I in any run of ours: it is then a
// Perceptron on the corrected mistakes. The defaults let A follow the data. There is little between
// them (SynNonSep, γ = 0.02: 11.1 % with the defaults, 11.4 % with the theory's and X = 7;
// Covertype 48.1 and 50.9 %).
//
// Deviations:
// - We send l_η where the paper sends k/γ·l_η: 1/p = k/γ in all these rounds, and a constant
//   factor only rescales β and ε, which are stated for l_η here (the paper's are γ/k times that β,
//   and (k/γ)² times that ε). For a late answer, whose ŷ was another when it was played, p is
//   larger and the loss is multiplied by γ/(kp), so that it stays the importance weight.
// - The diagonal form is ours.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct ExpConcaveOptions {
  std::string oracle = "ons";
  std::string covariance = "diagonal";
  double eta = 0.1;
  double D = 10;
  double X = 1;
  double beta = 10;
  double eps = 1;
  double gamma = 0.02;
  double memory = 1024;
};

// The options with those that are 0 replaced by the values of the theory.
ExpConcaveOptions with_theory(ExpConcaveOptions options);

LearnerInfo expconcave_info();

// Throws Error{kResource} where the full matrix needs more than `memory`.
std::unique_ptr<Learner> make_expconcave(Shape shape, const ExpConcaveOptions& options);

}  // namespace soba
