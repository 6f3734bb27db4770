// What PendingTable (soba/model.h) asks of a decision.
#pragma once

#include "soba/model.h"

namespace soba {

// Whether a learner of this many classes can have made the decision.
bool possible(const Pending& decision, Label classes);

}  // namespace soba
