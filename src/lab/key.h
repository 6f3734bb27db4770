// How a run of a plan is told from others.
#pragma once

#include <string>

#include "soba/lab/plan.h"

namespace soba::lab {

// How its data is read: every option with its value, as canonical JSON.
std::string run_reading(const SweepPlan& plan, const SweepRun& run);
// What tells a run from all others, as 32 hexadecimal digits: a hash of the canonical JSON of its
// data, how they are read, the learner with complete options, the seed and the order of the
// examples. `data` is a JSON value that identifies the examples: a fingerprint, or a generator's
// specification and version.
std::string run_key(const SweepPlan& plan, const SweepRun& run, const std::string& data);

}  // namespace soba::lab
