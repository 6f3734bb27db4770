// One-vs-rest Perceptrons for separable data.
//
//   A. Beygelzimer, D. Pál, B. Szörényi, D. Thiruvenkatachari, C.-Y. Wei, C. Zhang, "Bandit
//   Multiclass Linear Classification: Efficient Algorithms for the Separable Case", ICML 2019.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) for each class that moves. Exploration:
// where a class claims x (s_i >= 0), the one with the highest score is played; where none does, a
// uniform draw (UniformMix of rate 0 or 1). No parameter; p is 1 or 1/k.
//
// With s = W·x of the moment of learning:
//   right: w_j −= x for every other class j with s_j >= 0;  w_ỹ += x if s_ỹ <= 0
//   wrong: w_ỹ −= x if s_ỹ >= 0
// Each class is a Perceptron that moves only where it is known to err, and then as a Perceptron
// does. Under strong linear separability with margin µ (some w_i with Σ‖w_i‖² <= 1 has w_y·x >= µ/2
// and w_j·x <= −µ/2 for the others, ‖x‖ <= R) it moves O((R/µ)²) times over all classes; each
// mistake moves a class with probability 1/k or more, hence O(k·(R/µ)²) expected mistakes, however
// long it runs.
//
// Decided here: the paper lets any class that claims x be played (ours: the highest score). That a
// right answer pushes down the other classes that claim x, too, is so in the authors' code; such a
// class errs for certain. A score of exactly 0 is a claim, and still moves up when it was right, so
// that W = 0 can begin.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/registry.h"

namespace soba {

LearnerInfo ova_perceptron_info();
std::unique_ptr<Learner> make_ova_perceptron(Shape shape);

}  // namespace soba
