// The two files that a run can leave beside its result: the trace (every round) and the curve
// (errors at log-spaced rounds), both CSV (docs/formats.md). They appear whole when the run has
// ended, or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "soba/play.h"

namespace soba::lab {

// Threads: one at a time.
class TraceWriter {
 public:
  // Throws Error{kResource} where the file cannot be written.
  TraceWriter(const std::string& path, const NameMap& labels);
  ~TraceWriter();  // without finish() the old file, if any, stays as it was

  void write(const Played& row);
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Rounds with the texts of their labels.
struct Trace {
  NameMap labels;  // in the order of appearance
  std::vector<Played> rounds;
};
// Throws Error{kInput} with file:line:column at what is no row of a trace.
Trace read_trace(const std::string& path);

// The curve of a result as a file, and back. A curve file holds errors as fractions; reading gives
// back the counts.
void write_curve(const std::string& path, const std::vector<Tally>& curve);
std::vector<Tally> read_curve(const std::string& path);

}  // namespace soba::lab
