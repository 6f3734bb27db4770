// One-vs-rest logistic regression with AdaGrad on the played class: what everyone does.
//
//   The step is AdaGrad: J. Duchi, E. Hazan, Y. Singer, "Adaptive Subgradient Methods for Online
//   Learning and Stochastic Optimization", JMLR 12, 2011 (its diagonal form). Regressing the reward
//   of the action that was taken and playing the best prediction, with ε-greedy exploration, has no
//   one paper.
//
// State: W and the sums of squared gradients (2kd). A round costs O(k·nnz) to score and O(nnz) to
// update, with a root and a division for each feature. Exploration: UniformMix(γ), which is
// ε-greedy; γ may be 0, since a wrong guess pushes the played class down, which explores by itself.
//
// With c = 1 or 0 for right or wrong and P = 1/(1 + exp(−w_ỹ·x)), for each feature j of x:
//   g = (P − c)·x_j,   G_ỹj += g²,   w_ỹj −= η·g/√G_ỹj.
// No importance weights: what is estimated is the chance of being right given x and the label
// played, and whether a label was played for exploration or not says nothing about that. A
// feature's first step is ±η, whatever its scale; so what it adds to the score grows with its
// scale.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct OvaLogisticOptions {
  double eta = 0.2;
  double gamma = 0;
};

LearnerInfo ova_logistic_info();
std::unique_ptr<Learner> make_ova_logistic(Shape shape, const OvaLogisticOptions& options);

}  // namespace soba
