// The multiclass Perceptron, told the true label of every round: the paper's yardstick.
//
//   R. O. Duda, P. E. Hart, "Pattern Classification and Scene Analysis", Wiley 1973 (Kesler's
//   construction); mistake bound in the SOBA paper, Theorem 1.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) to update. It plays its greedy label.
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/registry.h"

namespace soba {

LearnerInfo perceptron_info();
std::unique_ptr<FullInformationLearner> make_perceptron(Shape shape);

}  // namespace soba
