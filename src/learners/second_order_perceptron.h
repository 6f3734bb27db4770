// The second-order Perceptron for many classes, told the true label of every round: a yardstick.
//
//   N. Cesa-Bianchi, A. Conconi, C. Gentile, "A Second-Order Perceptron Algorithm", SIAM Journal on
//   Computing 34(3), 2005, is the binary learner; the multiclass form below is ours (Kesler's
//   construction, with a matrix for each class).
//
// State: for each class θ_i and A_i, which starts at a·I (diagonal, or d × d). A round costs
// O(k·nnz) to score with the diagonal and O(k·nnz²) with full matrices; an update O(nnz), or
// O(d·nnz + d²). It plays its greedy label.
//
// The binary learner predicts with the sign of θᵀ(A + x·xᵀ)⁻¹x: the current x counts before its
// label is known. On a mistake it keeps x: θ ± = x, A += x·xᵀ. Here each class i predicts so by
// itself,
//   s_i = θ_iᵀ(A_i + x·xᵀ)⁻¹x,   and on a mistake θ_y += x, θ_ŷ −= x, and A += x·xᵀ for both.
// By Sherman–Morrison, with w_i = A_i⁻¹θ_i and q_i = xᵀA_i⁻¹x,
//   s_i = w_i·x − (w_i·x)·q_i/(1 + q_i) = w_i·x/(1 + q_i).
// For two classes of one matrix 1/(1 + q) changes no sign; between classes with matrices of their
// own it shrinks the score of the class that knows less about x. The diagonal form has A_i + x·xᵀ
// replaced by its diagonal,
//   s_i = Σ_j θ_ij·x_j/(A_ijj + x_j²).
//
// Decided here: q_i leaves out the features that no update of class i has met (θ_ij = 0 there, so
// that in the diagonal form they drop out by themselves). Features unknown to the learner then
// count as zero, as everywhere else, and it does not matter whether they were announced.
#pragma once

#include <memory>
#include <string>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct SecondOrderPerceptronOptions {
  std::string covariance = "diagonal";
  double a = 1;
  double memory = 4096;
};

LearnerInfo second_order_perceptron_info();

// Throws Error{kResource} where full matrices need more than `memory`.
std::unique_ptr<FullInformationLearner> make_second_order_perceptron(
    Shape shape, const SecondOrderPerceptronOptions& options);

}  // namespace soba
