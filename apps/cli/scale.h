// The scale of the input against what the learner wants.
#pragma once

#include <string>

#include "soba/data.h"
#include "soba/registry.h"

namespace soba::cli {

// What to tell the user where the examples of the first block plainly have the wrong length for the
// learner; empty where they do not.
std::string scale_warning(const LearnerChoice& choice, const Block& first);

}  // namespace soba::cli
