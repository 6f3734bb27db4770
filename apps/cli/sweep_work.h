// Carries a plan out: the runs that have no row yet, on all cores, and under mpirun on all ranks.
#pragma once

#include <string>

#include "progress.h"
#include "ranks.h"
#include "soba/lab/sweep.h"

namespace soba::cli {

struct SweepTask {
  std::string output;
  int workers = 1;  // of this process
  Progress::Style style = Progress::Style::kNone;
};

// Throws Error before the first run where anything is wrong with the plan, the data or the output;
// Interrupted when it was asked to stop. Under mpirun every rank calls it, with its own `ranks`,
// and only rank 0 speaks and writes.
lab::SweepOutcome carry_out(const lab::SweepPlan& plan, const SweepTask& task, Ranks& ranks);

}  // namespace soba::cli
