// Times contenders side by side: data in memory, one thread, contenders taking turns, medians over
// repetitions, ratios within one run. A task first checks that the contenders' answers agree.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "soba/data.h"
#include "soba/model.h"

namespace soba::bench {

using Data = std::vector<Block>;

struct DataSet {
  std::string name;
  Shape shape;
  std::int64_t rounds = 0;
  Data blocks;
};

// Reads all of DATA into memory.
DataSet load(const std::string& name, const std::string& data, const SourceOptions& options);

// What a run came to: its time, and the answers by which contenders are compared.
struct Outcome {
  double seconds = 0;
  std::int64_t mistakes = 0;
  std::int64_t updates = 0;
};

struct Contender {
  std::string name;
  std::function<Outcome(const DataSet&)> run;
};

// Plays the data with a fresh model of the learner.
Contender learner(const std::string& name, const std::string& learner_name,
                  const OptionValues& options);

struct Timing {
  std::string name;
  double seconds;  // median
  Outcome outcome;
};

// Each contender `repetitions` times, in turns.
std::vector<Timing> time_all(const DataSet& data, const std::vector<Contender>& contenders,
                             int repetitions);

// A table with a line for each contender; the ratio is to the contender called `base`.
void print_table(const DataSet& data, const std::vector<Timing>& timings, const std::string& base);

// Anything that can be timed: run() returns the seconds that count.
struct Trial {
  std::string name;
  std::function<double()> run;
};
// The seconds of each trial in each repetition, the trials taking turns.
std::vector<std::vector<double>> times(const std::vector<Trial>& trials, int repetitions);
double median(std::vector<double> values);
// The median of each trial over the repetitions.
std::vector<double> medians(const std::vector<Trial>& trials, int repetitions);

template <class Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Print a claim with its number, and return whether it holds.
bool at_most(const std::string& text, double value, double limit);
bool at_least(const std::string& text, double value, double limit);

// A folder for large files, gone with this.
class Workspace {
 public:
  Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace();
  std::string path(const std::string& name) const;

 private:
  std::string folder_;
};
// Writes DATA to a file, in the format of its name. Returns its size in bytes.
double write_data(const std::string& data, const std::string& path, const std::string& format);

// What the tasks may be told.
struct Settings {
  std::int64_t rounds = 1000000;  // of the synthetic sets
  int repetitions = 3;
  std::string covtype = "data/covtype.libsvm.xz";
  std::string reuters;  // empty = leave out
};

// The tasks, one folder each. False where a claim of the task did not hold.
bool learning_task(const Settings& settings);
bool exact_task(const Settings& settings);
bool lineage_task(const Settings& settings);
bool dimension_task(const Settings& settings);
bool reading_task(const Settings& settings);
bool kernels_task(const Settings& settings);
bool scale_task(const Settings& settings);
bool program_task(const Settings& settings);
bool roofline_task(const Settings& settings);
bool covariance_task(const Settings& settings);
bool evaluation_task(const Settings& settings);

}  // namespace soba::bench
