// Writes traces and curves.
#pragma once

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

void write_curve(const std::string& path, const std::vector<Tally>& curve);

}  // namespace soba::lab
