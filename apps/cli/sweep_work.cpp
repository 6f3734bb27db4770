#include "sweep_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "interrupt.h"
#include "output.h"
#include "text.h"

namespace soba::cli {

namespace {

// How far a sweep is, on standard error.
class RunsProgress {
 public:
  explicit RunsProgress(Progress::Style style) : style_(style) {}

  void done(std::size_t so_far, std::size_t runs) {
    so_far_ = so_far;
    runs_ = runs;
    if (style_ == Progress::Style::kBar && status_.due()) status_.draw(text());
    // Elsewhere a line at every tenth.
    if (style_ == Progress::Style::kLines && 10 * so_far / runs_ > 10 * (so_far - 1) / runs_) {
      print_error(text() + '\n');
    }
  }
  void say(const std::string& words) {
    status_.clear();
    note(words);
  }

 private:
  std::string text() const {
    const double elapsed = seconds_between(start_, Clock::now());
    const double rate = static_cast<double>(so_far_) / std::max(elapsed, 1e-9);
    const double left = static_cast<double>(runs_ - so_far_) / rate;
    return fmt::format("{}  {} of {}  {:.{}f} runs/s  {} left",
                       bar(static_cast<double>(so_far_) / static_cast<double>(runs_)),
                       thousands(static_cast<std::int64_t>(so_far_)),
                       plural(static_cast<std::int64_t>(runs_), "run"), rate, rate < 10 ? 1 : 0,
                       duration(left));
  }

  Progress::Style style_;
  std::size_t runs_ = 0, so_far_ = 0;
  Clock::time_point start_ = Clock::now();
  StatusLine status_;
};

// Another rank than 0 asks for runs and sends rows until there are no more.
void work_elsewhere(lab::Sweep& sweep, int workers, Ranks& ranks) {
  std::mutex mutex;  // for what must be made by one thread at a time
  const lab::SweepHooks hooks = {
      .next = [&] { return ranks.ask(); },
      .done =
          [&](std::size_t number, const RunResult& result) {
            const std::lock_guard lock(mutex);
            ranks.send_row(lab::row_line(sweep.row(number, result)));
          },
      .failed = [&](std::size_t number,
                    const Error& error) { ranks.send_failure(number, error.what()); },
      .stop = &stop_flag()};
  try {
    sweep.play(workers, hooks);
  } catch (...) {
    ranks.leave();  // rank 0 would wait
    throw;
  }
  ranks.leave();
}

// Rank 0 writes the rows: those of its own workers, and those that come by messages.
lab::SweepOutcome work_here(lab::Sweep& sweep, lab::ResultsFile& file, const SweepTask& task,
                            Ranks& ranks) {
  RunsProgress progress(task.style);
  const auto failed = [&](std::size_t number, const std::string& what) {
    progress.say(fmt::format("{}: {}", lab::run_command(sweep.plan(), sweep.runs()[number]), what));
  };
  const auto serve = [&](lab::RunQueue& queue) {
    ranks.serve({.next = [&] { return queue.next(); },
                 .row = [&](const std::string& row) { queue.take_line(row); },
                 .failure = [&](std::size_t number,
                                const std::string& what) { queue.fail(number, what); }});
  };
  return lab::play_missing(
      sweep, file,
      {.workers = task.workers,
       .watch = {.stop = &stop_flag(),
                 .progress = [&](std::size_t done, std::size_t runs) { progress.done(done, runs); },
                 .failure = failed},
       .beside = serve});
}

}  // namespace

lab::SweepOutcome carry_out(const lab::SweepPlan& plan, const SweepTask& task, Ranks& ranks) {
  std::unique_ptr<lab::Sweep> sweep;
  std::unique_ptr<lab::ResultsFile> file;  // of rank 0
  ranks.together([&] {
    sweep = std::make_unique<lab::Sweep>(plan);
    if (ranks.rank() == 0) {
      for (const lab::SweepData& data : plan.data) {
        check_outputs(data.data, {{"--output", task.output}});
      }
      file = std::make_unique<lab::ResultsFile>(task.output);
    }
    if (file) file->check(*sweep);
    StatusLine status;
    sweep->read_data([&](const std::string& data) {
      if (task.style == Progress::Style::kBar) status.draw("reading " + data);
    });
    if (file) file->missing_runs(*sweep);  // throws where they contradict each other
  });
  catch_interrupts();
  if (ranks.rank() != 0) {
    work_elsewhere(*sweep, task.workers, ranks);
    return {};
  }
  const lab::SweepOutcome outcome = work_here(*sweep, *file, task, ranks);
  if (interrupted() != 0) {
    throw Interrupted{
        interrupted(),
        fmt::format("{} keeps the runs that ended; the same command resumes the sweep",
                    task.output)};
  }
  return outcome;
}

}  // namespace soba::cli
