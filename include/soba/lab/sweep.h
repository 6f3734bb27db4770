// Sweeps: one plan, many runs, in threads.
//
//   Sweep sweep({.data = {…}, .learners = {…}, .seeds = {1, 2, 3}});
//   sweep.read_data([](const std::string&) {});
//   ResultsFile file("results.jsonl");
//   const SweepOutcome outcome = play_missing(sweep, file, {.workers = 4});
//
// A run knows nothing of the others: its result is the same bit for bit whatever the order and the
// threads, and as reproducible across machines as the learner itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "soba/error.h"
#include "soba/lab/plan.h"
#include "soba/lab/results.h"
#include "soba/run.h"

namespace soba::lab {

// What Sweep::play asks and tells, from any of its threads, several at a time. Only `stop`
// may be null.
struct SweepHooks {
  std::function<std::optional<std::size_t>()> next;  // the number of a run to play; none = no more
  std::function<void(std::size_t, const RunResult&)> done;
  std::function<void(std::size_t, const Error&)> failed;  // this run alone
  std::atomic<bool>* stop = nullptr;  // true ends all runs after their round; set if a hook throws
};

// The runs of a plan and the data that they share: a file is read once and kept; the examples of a
// generator live as long as a run plays them.
//
// Threads: one at a time; play() starts its own, whose hooks must not call key() or row() at the
// same time.
class Sweep {
 public:
  // Throws what list_runs throws.
  explicit Sweep(SweepPlan plan);
  ~Sweep();
  Sweep(Sweep&&) noexcept;

  const SweepPlan& plan() const;
  const std::vector<SweepRun>& runs() const;
  // Reads every file and looks at every generator, so that what is wrong with them shows at once.
  // Calls reading(data) before each file. Throws Error.
  void read_data(const std::function<void(const std::string&)>& reading);
  // Of the examples of a data set of the plan; 0 for a generator. Requires: read_data().
  std::uint64_t fingerprint(std::size_t data) const;
  // The key of its row, which tells it from all other runs. Requires: read_data().
  std::string key(std::size_t number) const;
  // The row of run `number`, without its place. Requires: read_data().
  ResultRow row(std::size_t number, const RunResult& result) const;

  // Plays runs in `workers` threads, each run in one of them, until there are no more. What a hook
  // throws ends the sweep and is thrown here.
  void play(int workers, const SweepHooks& hooks);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct SweepOutcome {
  std::size_t runs = 0;    // of the plan
  std::size_t before = 0;  // that had their row already
  std::size_t played = 0;
  std::size_t failed = 0;  // that ended in an error
  double seconds = 0;      // of playing

  // Runs that were interrupted or never started.
  std::size_t missing() const { return runs - before - played - failed; }
};

// The runs that have no row yet: handed out one after the other, their rows written as they come.
// Once a row cannot be written, nothing more is handed out, and rethrow() says why.
//
// Threads: any may call; rethrow() and outcome() once the workers have ended. `progress` and
// `failure` are called by one thread at a time and must not call the queue.
class RunQueue {
 public:
  struct Watch {
    std::atomic<bool>* stop = nullptr;  // as in SweepHooks; no more runs are handed out
    // How many have ended, and of how many; may be empty.
    std::function<void(std::size_t, std::size_t)> progress;
    std::function<void(std::size_t, const std::string&)> failure;  // run and reason; may be empty
  };
  // Requires: `sweep` and `file` outlive the queue. Throws what
  // ResultsFile::missing_runs throws.
  RunQueue(const Sweep& sweep, ResultsFile& file, Watch watch);
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  std::optional<std::size_t> next();
  void take(std::size_t number, const RunResult& result);
  void take_line(const std::string& row);  // a row_line() that was made elsewhere
  void fail(std::size_t number, const std::string& what);
  // The workers have ended for this reason.
  void close(std::exception_ptr reason);
  void rethrow() const;
  SweepOutcome outcome() const;  // but for the seconds

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct SweepSettings {
  int workers = 1;
  RunQueue::Watch watch = {};
  // Runs beside the workers, on the calling thread, such as a server for helpers elsewhere; may be
  // empty.
  std::function<void(RunQueue&)> beside = {};
};

// Plays the runs that have no row in `file` yet, and syncs it. Requires: sweep.read_data(). Throws
// Error{kInput} where rows and plan contradict each other, Error{kResource} where the file cannot
// be written.
SweepOutcome play_missing(Sweep& sweep, ResultsFile& file, const SweepSettings& settings);

}  // namespace soba::lab
