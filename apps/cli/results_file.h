// The file that a sweep leaves: a row for each run, appended when the run ends (docs/formats.md).
// A sweep that is started again goes on behind the rows that are there.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

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
  ~ResultsFile();

  const std::string& path() const { return path_; }
  // Whether the run that this command plays has its row.
  bool has(const std::string& command) const { return commands_.contains(command); }
  // Throws Error{kInput} where earlier rows of these data are of other examples.
  void check_data(const std::string& name, const Examples& examples);
  // One line, written at once, so that a killed program leaves whole rows and at most one torn.
  void append(const Json& row);
  // Everything appended is on the disk when this returns.
  void sync();

 private:
  void read();
  void check_data(const std::string& name, const std::string& data, const std::string& fingerprint);

  std::string path_;
  int descriptor_ = -1;
  std::set<std::string> commands_;
  std::map<std::string, std::string> fingerprints_;  // by name and description of the data
};

}  // namespace soba::cli
