// The file that a sweep leaves: a row for each run, appended when the run ends (docs/formats.md).
// A sweep that is started again continues behind the rows that are there.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "soba/lab/rows.h"

namespace soba::lab {

class Sweep;

// Threads: one at a time.
class ResultsFile {
 public:
  // Opens or makes the file, and reads what it holds. A last line that was cut off by the end of
  // the program is removed. Throws Error{kInput} where the file is something else, or holds rows of
  // format 1 or of another version; Error{kResource} where it cannot be written or another sweep is
  // writing it.
  explicit ResultsFile(const std::string& path);
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ~ResultsFile();  // removes the file if it was made here and nothing was written

  // Throws Error{kInput} where rows and plan mean other data, or read it otherwise, under the same
  // name, as far as that shows before the data is read.
  void check(const Sweep& sweep) const;
  // The runs that have no row yet. Throws Error{kInput} where rows and plan mean different things
  // by the same name, which no report could show. From now on rows must be of the examples that the
  // sweep has read. Requires: sweep.read_data().
  std::deque<std::size_t> missing_runs(const Sweep& sweep);
  // One line, written at once, so that a killed program leaves whole rows and at most one torn.
  // Throws Error{kResource}, and leaves no part of the line.
  void append(const std::string& line);
  // Everything appended is on the disk when this returns.
  void sync();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace soba::lab
