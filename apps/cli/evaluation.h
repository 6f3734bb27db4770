// What `soba evaluate` found, for people.
#pragma once

#include <string>

#include "soba/evaluate.h"

namespace soba::cli {

std::string evaluation_text(const Evaluation& evaluation);
std::string replay_text(const Replay& replay);

}  // namespace soba::cli
