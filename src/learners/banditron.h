// The Banditron.
//
//   S. M. Kakade, S. Shalev-Shwartz, A. Tewari, "Efficient Bandit Algorithms for Online Multiclass
//   Prediction", ICML 2008, Algorithm 1.
//
// State: W (kd). A round costs O(k·nnz) to score and O(nnz) to update; W changes in nearly every
// round. Exploration: UniformMix(γ), as SOBA's. (Section 3 of the paper says "with probability 1−γ"
// of exploring; the algorithm explores with probability γ, and so do we.)
#pragma once

#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct BanditronOptions {
  double gamma = 0.02;
};

LearnerInfo banditron_info();
std::unique_ptr<Learner> make_banditron(Shape shape, const BanditronOptions& options);

}  // namespace soba
