// The two files that a run can leave beside its result: the trace (every round) and the curve
// (errors at log-spaced rounds). Both appear whole when the run has ended, or not at all.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/atomic_file.h"
#include "soba/play.h"

namespace soba::cli {

// A file that gathers lines before it writes them.
class LineFile {
 public:
  explicit LineFile(const std::string& path) : file_(path) {}
  void finish();

 protected:
  void flush_if_large();
  fmt::memory_buffer buffer_;

 private:
  void flush();
  AtomicFile file_;
};

class TraceFile : public LineFile {
 public:
  explicit TraceFile(const std::string& path);
  // The labels' texts. Requires: called before write().
  void set_labels(const NameMap& labels);
  void write(const Played& row);

 private:
  std::vector<std::string> labels_;  // as CSV fields
};

class CurveFile : public LineFile {
 public:
  explicit CurveFile(const std::string& path);
  void write(const Tally& so_far);

 private:
  std::int64_t last_ = 0;  // the round of the last line
};

}  // namespace soba::cli
