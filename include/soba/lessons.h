// Learning from a log: decisions that somebody else has taken, with their answers.
#pragma once

#include "soba/model.h"

namespace soba {

// For each example of the block: its label was played, with this probability, and `correct` says
// whether rightly. Learns and counts what an answer to a decision of the model's own would. Throws
// Error{kInput} where a probability is not in (0, 1] or a label is no class, and Error{kUsage} for
// a learner that must be told the label; then nothing is learnt. What reserve() throws comes
// between two examples: those before it are learnt. Requires: as many of each.
void learn_lessons(const Block& block, std::span<const bool> correct,
                   std::span<const double> probability, Model& model);

}  // namespace soba
