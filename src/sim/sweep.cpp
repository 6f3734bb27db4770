#include "soba/sweep.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <new>
#include <thread>
#include <utility>

#include "data/formats/synthetic.h"
#include "soba/play.h"
#include "soba/registry.h"

namespace soba {

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

SourceOptions reading_options(const SweepPlan& plan, const SweepRun& run) {
  SourceOptions options = plan.data[run.data].options;
  options.shuffle.reset();  // the order is the run's
  options.limit = 0;
  options.passes = 1;
  options.data_seed = run.seed;
  return options;
}

}  // namespace

std::string DataStore::key(const SweepRun& run) const {
  const auto generator = parse_synthetic(plan_.data[run.data].data, run.seed);
  return std::to_string(run.data) + (generator ? ' ' + Synthetic(*generator).description() : "");
}

std::shared_ptr<const Examples> DataStore::get(const SweepRun& run) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    entry = &entries_[key(run)];
  }
  const std::lock_guard lock(entry->reading);
  std::shared_ptr<const Examples> examples = entry->examples.lock();
  if (!examples) {
    const std::string& data = plan_.data[run.data].data;
    examples = std::make_shared<const Examples>(data, reading_options(plan_, run));
    entry->examples = examples;
    if (!parse_synthetic(data, run.seed)) entry->kept = examples;
  }
  return examples;
}

std::vector<std::shared_ptr<const Examples>> DataStore::prepare(
    const std::function<void(const std::string&)>& reading) {
  std::vector<std::shared_ptr<const Examples>> files(plan_.data.size());
  for (std::size_t d = 0; d < plan_.data.size(); ++d) {
    const SweepRun first{.data = d,
                         .learner = 0,
                         .grid = {},
                         .options = {},
                         .seed = plan_.seeds.front(),
                         .order = {}};
    const std::string& data = plan_.data[d].data;
    if (parse_synthetic(data, first.seed)) {
      const Source checked(data, reading_options(plan_, first), Schema{});
      continue;
    }
    if (data == "-" || (std::filesystem::exists(data) && !std::filesystem::is_regular_file(data))) {
      throw Error(
          ErrorKind::kUsage,
          data + ": a sweep reads its data again on every start, so they must be in a file");
    }
    reading(data);
    files[d] = get(first);
  }
  return files;
}

std::optional<SweepResult> play_run(const SweepPlan& plan, const SweepRun& run,
                                    const Examples& examples, const std::function<bool()>& stop) {
  const std::string& name = plan.learners[run.learner].learner;
  const std::unique_ptr<Stream> stream = examples.open(run.order);
  Model model = new_model(name, with_horizon(run.options, examples.rounds(run.order)),
                          stream->shape(), run.seed);
  SweepResult result;
  std::int64_t next = next_curve_round(0);
  const auto on_round = [&](const Played& row) {
    if (row.round != next) return;
    result.curve.push_back(model.tally);
    next = next_curve_round(next);
  };
  while (const Block* block = stream->next()) {
    if (stop()) return std::nullopt;
    const auto begin = std::chrono::steady_clock::now();
    play(*block, model, on_round);
    result.learn_seconds += seconds_since(begin);
  }
  if (result.curve.back().rounds != model.tally.rounds) result.curve.push_back(model.tally);
  model.schema = examples.schema();
  result.learner = model.learner_name;
  result.feedback = choose_learner(name, {}).info->feedback;
  result.options = model.options;
  result.data = examples.description();
  result.fingerprint = examples.fingerprint();
  result.shape = examples.shape();
  result.tally = model.tally;
  result.model_bytes = static_cast<std::int64_t>(write_model(model).size());
  return result;
}

void play_runs(const SweepPlan& plan, const std::vector<SweepRun>& runs, DataStore& store,
               int workers, const SweepHooks& hooks) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto stop = [&] {
    if (hooks.stop()) return true;
    const std::lock_guard lock(mutex);
    return thrown != nullptr;
  };
  const auto give_up = [&] {
    const std::lock_guard lock(mutex);
    if (!thrown) thrown = std::current_exception();
  };
  const auto work = [&] {
    try {
      std::string key;  // of the examples, held over to the next run, which often needs the same
      std::shared_ptr<const Examples> examples;
      while (!stop()) {
        const std::optional<std::size_t> number = hooks.next();
        if (!number) return;
        const SweepRun& run = runs[*number];
        std::optional<SweepResult> result;
        try {
          const std::string wanted = store.key(run);
          if (wanted != key) examples.reset();  // before the next are read
          key = wanted;
          examples = store.get(run);
          result = play_run(plan, run, *examples, stop);
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

}  // namespace soba
