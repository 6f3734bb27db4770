// Carries a plan out: the runs that have no row yet, on all cores, and under mpirun on all ranks.
#pragma once

#include <cstddef>
#include <string>

#include "progress.h"
#include "ranks.h"
#include "sweep_plan.h"

namespace soba::cli {

struct SweepOutcome {
  std::size_t runs = 0;    // of the plan
  std::size_t before = 0;  // that had their row already
  std::size_t played = 0;
  std::size_t failed = 0;  // that ended in an error, which was printed
  double seconds = 0;      // of playing

  // Those that were begun where somebody was stopped.
  std::size_t missing() const { return runs - before - played - failed; }
};

struct SweepSettings {
  std::string output;
  int workers = 1;  // of this process
  Progress::Style style = Progress::Style::kNone;
};

// Throws Error before the first run where anything is wrong with the plan, the data or the output;
// Interrupted when it was asked to stop. Under mpirun every rank calls it, with its own `ranks`,
// and only rank 0 speaks and writes.
SweepOutcome carry_out(const WrittenPlan& written, const SweepSettings& settings, Ranks& ranks);

}  // namespace soba::cli
