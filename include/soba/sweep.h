// Sweeps: one plan, many runs. Every data set is played by every learner, at every point of its
// grid, with every seed.
//
//   SweepPlan plan{.data = {…}, .learners = {…}, .seeds = {1, 2, 3}};
//   const std::vector<SweepRun> runs = list_runs(plan);
//   DataStore store(plan);
//   const SweepResult result = *play_run(plan, runs[0], *store.get(runs[0]), [] { return false; });
//
// A run knows nothing of the others: its result is the same bit for bit whatever the order and the
// threads, and as reproducible across machines as the learner itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "soba/data.h"
#include "soba/error.h"
#include "soba/model.h"
#include "soba/options.h"

namespace soba {

// The values of a list such as "0.1,1,10", "2^-14..2^-1" (powers, the exponent in steps of one),
// "1..10" (whole numbers) or a mixture. Throws Error{kUsage} naming `option`.
std::vector<std::string> parse_values(std::string_view option, std::string_view text);

// One option of a learner and the values it takes.
struct Axis {
  std::string option;
  std::vector<std::string> values;
};

struct SweepData {
  std::string name;  // what tables and charts call it
  std::string data;  // a path or a generator
  SourceOptions options;
};

struct SweepLearner {
  std::string name;     // what tables and charts call it
  std::string learner;  // as in the registry, or an alias
  OptionValues options;
  std::vector<Axis> axes;
  std::vector<std::string> data = {};  // the names of the data sets it plays; none = all
};

struct SweepPlan {
  std::vector<SweepData> data;
  std::vector<SweepLearner> learners;
  std::vector<std::uint64_t> seeds;
};

struct SweepRun {
  std::size_t data;      // of the plan
  std::size_t learner;   // of the plan
  OptionValues grid;     // the point of its grid, as the learner writes these values
  OptionValues options;  // complete, but for choices that are left until the data is there
  std::uint64_t seed;    // of the exploration, and of a generator that names none
  Order order;           // of the examples; the shuffle moves on with the seeds, from its own value
};

// Every run of a plan: data sets, then seeds, then learners, then grid points. Throws Error{kUsage}
// where a learner, an option or a value does not exist, or a run would be there twice.
std::vector<SweepRun> list_runs(const SweepPlan& plan);

// The examples that runs share. A file is read once and kept; the examples of a generator live as
// long as somebody holds them. Any number of threads may ask.
class DataStore {
 public:
  // `plan` must outlive the store.
  explicit DataStore(const SweepPlan& plan) : plan_(plan) {}

  // Equal for runs that play the same examples.
  std::string key(const SweepRun& run) const;
  // Throws what Examples throws.
  std::shared_ptr<const Examples> get(const SweepRun& run);
  // Reads every file and looks at every generator, so that what is wrong with them shows at once.
  // Calls reading(data) before each file. The examples of each data set of the plan, null for a
  // generator.
  std::vector<std::shared_ptr<const Examples>> prepare(
      const std::function<void(const std::string&)>& reading);

 private:
  struct Entry {
    std::mutex reading;
    std::weak_ptr<const Examples> examples;
    std::shared_ptr<const Examples> kept;
  };

  const SweepPlan& plan_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by key()
};

struct SweepResult {
  std::string learner;   // as in the registry
  std::string feedback;  // "bandit" or "full information"
  OptionValues options;  // with no choice left open
  std::string data;      // as Source::description
  std::uint64_t fingerprint = 0;
  Shape shape;
  Tally tally;
  std::vector<Tally> curve;      // at the rounds of next_curve_round, the last round last
  std::int64_t model_bytes = 0;  // of the model file of what was learnt
  double learn_seconds = 0;
};

// Plays one run from the first round to the last. Null when `stop` said so on the way.
std::optional<SweepResult> play_run(const SweepPlan& plan, const SweepRun& run,
                                    const Examples& examples, const std::function<bool()>& stop);

// What play_runs asks and tells, from any of its threads, several at a time.
struct SweepHooks {
  std::function<std::optional<std::size_t>()> next;  // the number of a run to play; none = no more
  std::function<void(std::size_t, const SweepResult&)> done;
  std::function<void(std::size_t, const Error&)> failed;  // this run alone
  std::function<bool()> stop;                             // whether to leave everything
};

// Plays runs in `workers` threads, each run in one of them, until there are no more. What a hook
// throws ends the sweep and is thrown here.
void play_runs(const SweepPlan& plan, const std::vector<SweepRun>& runs, DataStore& store,
               int workers, const SweepHooks& hooks);

}  // namespace soba
