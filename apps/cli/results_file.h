// The file that a sweep leaves: a row for each run, appended when the run ends (docs/formats.md).
// A sweep that is started again goes on behind the rows that are there.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "output.h"
#include "soba/sweep.h"
#include "sweep_plan.h"

namespace soba::cli {

// The row of run `number` (0, 1, …) of a plan.
Json result_row(const WrittenPlan& written, const std::vector<SweepRun>& runs, std::size_t number,
                const SweepResult& result);

class ResultsFile {
 public:
  // Opens or makes the file, and reads what it holds. A last line that was cut off by the end of
  // the program is removed. Throws Error{kInput} where the file is something else or of another
  // version, Error{kResource} where it cannot be written or another sweep is writing it.
  explicit ResultsFile(const std::string& path);
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ~ResultsFile();  // removes the file if it was made here and nothing was written

  // The runs that have no row yet. Throws Error{kInput} where rows and plan speak of different
  // things under the same name, which no report could show.
  std::deque<std::size_t> left(const WrittenPlan& written, const std::vector<SweepRun>& runs) const;
  // Throws Error{kInput} where earlier rows of these data are of other examples.
  void check_data(const std::string& name, const Examples& examples);
  // One line, written at once, so that a killed program leaves whole rows and at most one torn.
  // Throws Error{kResource}, and leaves no part of the line.
  void append(const std::string& line);
  // Everything appended is on the disk when this returns.
  void sync();

 private:
  // A run as reports know it: data set, contender, grid point and seed.
  using Key = std::tuple<std::string, std::string, std::string, std::uint64_t>;

  void read();
  void check_fingerprint(const std::string& name, const std::string& data,
                         const std::string& fingerprint);
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_;
  bool made_ = false;
  int descriptor_ = -1;
  std::map<Key, std::string> commands_;              // of the runs that have their row
  std::map<std::string, std::string> settings_;      // how a data set, by its name, was read
  std::map<std::string, std::string> fingerprints_;  // by name and description of the data
};

}  // namespace soba::cli
