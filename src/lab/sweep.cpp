#include "soba/lab/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "data/formats/synthetic.h"
#include "lab/key.h"
#include "lab/rows.h"
#include "soba/lab/process.h"
#include "soba/registry.h"
#include "soba/version.h"

namespace soba::lab {

namespace {

SourceOptions reading_options(const SweepPlan& plan, const SweepRun& run) {
  SourceOptions options = parse_source_options(plan.data[run.data].options);
  options.shuffle.reset();  // the order is the run's
  options.limit = 0;
  options.passes = 1;
  options.data_seed = run.seed;
  return options;
}

// The examples that runs share, by what they are. Any number of threads may ask.
class DataStore {
 public:
  // Equal for runs that play the same examples.
  static std::string key(const SweepPlan& plan, const SweepRun& run) {
    const auto generator = parse_synthetic(plan.data[run.data].data, run.seed);
    return std::to_string(run.data) + (generator ? ' ' + Synthetic(*generator).description() : "");
  }

  std::shared_ptr<const Examples> get(const SweepPlan& plan, const SweepRun& run) {
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      entry = &entries_[key(plan, run)];
    }
    const std::lock_guard lock(entry->reading);
    std::shared_ptr<const Examples> examples = entry->examples.lock();
    if (!examples) {
      const std::string& data = plan.data[run.data].data;
      examples = std::make_shared<const Examples>(data, reading_options(plan, run));
      entry->examples = examples;
      if (!parse_synthetic(data, run.seed)) entry->kept = examples;
    }
    return examples;
  }

 private:
  struct Entry {
    std::mutex reading;
    std::weak_ptr<const Examples> examples;
    std::shared_ptr<const Examples> kept;  // of a file
  };

  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

// Plays one run from the first round to the last. Null when `stop` said so on the way.
std::optional<RunResult> play_run(const SweepPlan& plan, const SweepRun& run,
                                  const Examples& examples, const std::atomic<bool>& stop) {
  const std::string& name = plan.learners[run.learner].learner;
  const std::unique_ptr<Stream> stream = examples.open(run.order);
  Model model = new_model(name, with_horizon(run.options, examples.rounds(run.order)),
                          stream->shape(), run.seed);
  RunResult result = soba::run(*stream, model, {.stop = &stop});
  if (!result.complete) return std::nullopt;
  result.data = examples.description();
  result.fingerprint = examples.fingerprint();
  result.shape = examples.shape();
  result.model_bytes = static_cast<std::int64_t>(write_model(model).size());
  return result;
}

}  // namespace

struct Sweep::Impl {
  SweepPlan plan;
  std::vector<SweepRun> runs;
  DataStore store;
  std::vector<std::uint64_t> fingerprints;  // of each data set; 0 for a generator
};

Sweep::Sweep(SweepPlan plan) : impl_(new Impl) {
  impl_->plan = std::move(plan);
  impl_->runs = list_runs(impl_->plan);
}
Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;

const SweepPlan& Sweep::plan() const { return impl_->plan; }
const std::vector<SweepRun>& Sweep::runs() const { return impl_->runs; }
std::uint64_t Sweep::fingerprint(std::size_t data) const { return impl_->fingerprints[data]; }

void Sweep::read_data(const std::function<void(const std::string&)>& reading) {
  const SweepPlan& plan = impl_->plan;
  impl_->fingerprints.assign(plan.data.size(), 0);
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    const SweepRun first{.data = d,
                         .learner = 0,
                         .grid = {},
                         .options = {},
                         .seed = plan.seeds.front(),
                         .order = {}};
    const std::string& data = plan.data[d].data;
    if (parse_synthetic(data, first.seed)) {
      const Source checked(data, reading_options(plan, first), Schema{});
      continue;
    }
    std::error_code unknown;  // reading says what is wrong
    if (data == "-" || (std::filesystem::exists(data, unknown) &&
                        !std::filesystem::is_regular_file(data, unknown))) {
      throw Error(
          ErrorKind::kUsage,
          data + ": a sweep reads its data again on every start, so they must be in a file");
    }
    reading(data);
    impl_->fingerprints[d] = impl_->store.get(plan, first)->fingerprint();
  }
}

std::string Sweep::key(std::size_t number) const {
  const SweepRun& run = impl_->runs[number];
  const auto generator = parse_synthetic(impl_->plan.data[run.data].data, run.seed);
  const std::string data =
      generator ? fmt::format(R"({{"generator":"{}","version":{}}})",
                              Synthetic(*generator).description(), Synthetic::kVersion)
                : fmt::format(R"({{"fingerprint":"{:016x}"}})", fingerprint(run.data));
  return run_key(impl_->plan, run, data);
}

ResultRow Sweep::row(std::size_t number, const RunResult& result) const {
  const SweepRun& run = impl_->runs[number];
  return {.place = "",
          .format = kRowFormat,
          .version = std::string(version()),
          .key = key(number),
          .command = run_command(impl_->plan, run),
          .name = impl_->plan.data[run.data].name,
          .reading = run_reading(impl_->plan, run),
          .contender = impl_->plan.learners[run.learner].name,
          .grid = grid_of(result.learner, run.grid),
          .number = static_cast<std::int64_t>(number) + 1,
          .peak_memory_bytes = peak_memory_bytes(),
          .rounds_per_second =
              static_cast<double>(result.tally.rounds) / std::max(1e-9, result.learn_seconds),
          .constant_error = result.by_class.constant_error(),
          .result = result};
}

void Sweep::play(int workers, const SweepHooks& hooks) {
  std::mutex mutex;
  std::exception_ptr thrown;
  std::atomic<bool> own = false;
  std::atomic<bool>& stop = hooks.stop != nullptr ? *hooks.stop : own;
  const auto give_up = [&] {
    const std::lock_guard lock(mutex);
    if (!thrown) thrown = std::current_exception();
    stop = true;
  };
  const auto work = [&] {
    try {
      std::string key;  // of the examples, held over to the next run, which often needs the same
      std::shared_ptr<const Examples> examples;
      while (!stop) {
        const std::optional<std::size_t> number = hooks.next();
        if (!number) return;
        const SweepRun& run = impl_->runs[*number];
        std::optional<RunResult> result;
        try {
          const std::string wanted = DataStore::key(impl_->plan, run);
          if (wanted != key) examples.reset();  // before the next are read
          key = wanted;
          examples = impl_->store.get(impl_->plan, run);
          result = play_run(impl_->plan, run, *examples, stop);
        } catch (const Error& error) {
          hooks.failed(*number, error);
        } catch (const std::bad_alloc&) {
          hooks.failed(*number, Error(ErrorKind::kResource, "out of memory"));
        }
        if (result) hooks.done(*number, *result);
      }
    } catch (...) {
      give_up();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (int i = 1; i < workers; ++i) threads.emplace_back(work);
      work();
    } catch (...) {  // no more threads to be had
      give_up();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace soba::lab
