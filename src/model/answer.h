// The second half of a round whose first was a decision (play.h has both in one).
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "soba/model.h"

namespace soba {

// Learns the answer to the decision that waits under this id; false where none does. Scores are
// those of now, the probability that of the decision. Throws where the learner has no room, or
// where `record`, called last before it learns, throws; then nothing has changed. Requires: a
// bandit learner, and `out` has a place for each class and working.
bool learn_answer(Model& model, std::string_view id, bool correct, std::span<double> out,
                  const std::function<void()>& record = {});

}  // namespace soba
