// Epoch-Greedy: one round of exploration, then about √ℓ rounds of exploitation, over and over.
//
//   J. Langford, T. Zhang, "The Epoch-Greedy Algorithm for Contextual Multi-armed Bandits", NIPS
//   2007.
//
// State: for each class w_i and the diagonal of A_i (2kd). A round costs O(k·nnz) to score; only
// rounds of exploration have an update, O(nnz). Exploration: epoch ℓ = 1, 2, … begins with a
// uniform draw, UniformMix{1}, and goes on with ⌊√ℓ⌋ greedy rounds, UniformMix{0}; so there are
// about (3T/2)^(2/3) uniform draws in T rounds. No γ.
//
// It learns from the uniform draws alone, which it knows by their probability 1/k: a log of uniform
// draws is a sample for any learner, and that is where the guarantee comes from.
//
// Decided here:
// - The paper runs any empirical risk minimiser over all exploration rounds, in each epoch. Ours is
//   online: a step of AROW on the played class, towards +1 or −1, as bandit-arow takes it. The
//   importance weight 1/p is k in each of these rounds, a constant that only rescales r, and so is
//   left out.
// - The paper's number of greedy rounds follows from a bound on the sample complexity of the
//   policies; for √-rates that is c·√ℓ, and we take c = 1, rounded down.
#pragma once

#include <cstdint>
#include <memory>

#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

struct EpochGreedyOptions {
  double r = 1;
};

LearnerInfo epoch_greedy_info();
std::unique_ptr<Learner> make_epoch_greedy(Shape shape, const EpochGreedyOptions& options);

// Whether an epoch begins with this round (1, 2, …).
bool begins_epoch(std::int64_t round);

}  // namespace soba
