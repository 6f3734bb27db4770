// The files that a run can leave: its model, the trace (every round) and the curve (errors at
// log-spaced rounds; docs/formats.md). Each appears whole or not at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "soba/journal.h"
#include "soba/run.h"

namespace soba::lab {

struct RunFiles {
  std::optional<std::string> model, trace, curve;  // their paths, where they are wanted
  std::int64_t checkpoint_every = 0;      // rounds after which the model is saved, too; 0: never
  std::optional<std::int64_t> kept = {};  // result: rounds of this run in the model file,
  bool complete = false;                  // and whether there are no more
  Journal* lock = nullptr;  // of the model, where the caller has it; else it is taken for each save
  std::optional<std::string> log = {};  // decisions and answers, for `soba evaluate`
};
// run(), or resume(), with its files. A model is saved however the run ends, and trace, curve and
// log with it; without one, they are written when the run is complete. `rounds` and `keep` of the
// hooks are ignored. Throws Error{kUsage} where a resumed run would replace a trace, curve or log.
RunResult play_to_files(Source& source, Model& model, bool resumed, RunFiles& files,
                        RunHooks hooks);
// What a run that ended early has left in the model file, and the command that plays the rest.
std::string outcome_text(const RunFiles& files, const std::string& data);

// Rounds with the texts of their labels.
struct Trace {
  NameMap labels;  // in the order of appearance
  std::vector<Played> rounds;
};
// Throws Error{kInput} with file:line:column at what is no row of a trace.
Trace read_trace(const std::string& path);

// A curve file holds errors as fractions; reading gives back the counts.
std::vector<Tally> read_curve(const std::string& path);

}  // namespace soba::lab
