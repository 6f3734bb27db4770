#include "sweep_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "interrupt.h"
#include "results_file.h"
#include "text.h"

namespace soba::cli {

namespace {

// How far a sweep is, on standard error.
class RunsProgress {
 public:
  RunsProgress(Progress::Style style, std::size_t runs) : style_(style), runs_(runs) {}

  void done(std::size_t so_far) {
    so_far_ = so_far;
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
  std::size_t runs_, so_far_ = 0;
  Clock::time_point start_ = Clock::now();
  StatusLine status_;
};

// What rank 0 knows: which runs are left, and the file of their rows. Any thread may call. Once a
// row cannot be written, nothing more is handed out, and rethrow() says why.
class Desk {
 public:
  Desk(ResultsFile& file, std::deque<std::size_t> left, Progress::Style style)
      : file_(file), left_(std::move(left)), progress_(style, left_.size()) {}

  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (left_.empty() || thrown_ || interrupted() != 0) return std::nullopt;
    const std::size_t number = left_.front();
    left_.pop_front();
    return number;
  }
  // The row is made here, by one thread at a time: the JSON library asks the C library for the
  // locale, which is not for several.
  void take(const std::function<std::string()>& row) {
    const std::lock_guard lock(mutex_);
    if (thrown_) return;
    try {
      file_.append(row());
      progress_.done(++played_ + failed_);
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  void fail(const std::string& command, const std::string& what) {
    const std::lock_guard lock(mutex_);
    progress_.say(fmt::format("{}: {}", command, what));
    progress_.done(played_ + ++failed_);
  }
  // The worker threads of this process have ended for this reason.
  void close(std::exception_ptr reason) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::move(reason);
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
  std::size_t played() const { return played_; }
  std::size_t failed() const { return failed_; }

 private:
  std::mutex mutex_;
  ResultsFile& file_;
  std::deque<std::size_t> left_;
  std::size_t played_ = 0, failed_ = 0;
  std::exception_ptr thrown_;
  RunsProgress progress_;
};

bool asked_to_stop() { return interrupted() != 0; }

// Rank 0 has the desk; its own workers come to it directly, the other ranks by messages.
void work_at_desk(const WrittenPlan& written, const std::vector<SweepRun>& runs, DataStore& store,
                  int workers, Ranks& ranks, Desk& desk) {
  const auto fail = [&](std::size_t number, const std::string& what) {
    desk.fail(run_command(written, runs[number]), what);
  };
  const SweepHooks hooks = {
      .next = [&] { return desk.next(); },
      .done =
          [&](std::size_t number, const SweepResult& result) {
            desk.take([&] { return json_line(result_row(written, runs, number, result)); });
          },
      .failed = [&](std::size_t number, const Error& error) { fail(number, error.what()); },
      .stop = asked_to_stop};
  {
    const std::jthread own([&] {
      try {
        play_runs(written.plan, runs, store, workers, hooks);
      } catch (...) {
        desk.close(std::current_exception());
      }
    });
    ranks.serve({.next = [&] { return desk.next(); },
                 .row = [&](const std::string& row) { desk.take([&] { return row; }); },
                 .failure = fail});
  }
  desk.rethrow();
}

void work_elsewhere(const WrittenPlan& written, const std::vector<SweepRun>& runs, DataStore& store,
                    int workers, Ranks& ranks) {
  std::mutex mutex;  // see Desk::take
  const SweepHooks hooks = {
      .next = [&] { return ranks.ask(); },
      .done =
          [&](std::size_t number, const SweepResult& result) {
            const std::lock_guard lock(mutex);
            ranks.send_row(json_line(result_row(written, runs, number, result)));
          },
      .failed = [&](std::size_t number,
                    const Error& error) { ranks.send_failure(number, error.what()); },
      .stop = asked_to_stop};
  try {
    play_runs(written.plan, runs, store, workers, hooks);
  } catch (...) {
    ranks.leave();  // rank 0 would wait
    throw;
  }
  ranks.leave();
}

// The runs of a plan, and what of it is there already.
struct Prepared {
  std::vector<SweepRun> runs;
  std::unique_ptr<ResultsFile> file;  // of rank 0
  std::deque<std::size_t> left;
};

Prepared prepare(const WrittenPlan& written, const SweepSettings& settings, DataStore& store,
                 bool writer) {
  Prepared out;
  out.runs = list_runs(written.plan);
  if (writer) {
    for (const SweepData& data : written.plan.data) {
      check_outputs(data.data, {{"--output", settings.output}});
    }
    out.file = std::make_unique<ResultsFile>(settings.output);
    out.left = out.file->left(written, out.runs);
  }
  StatusLine status;
  const auto files = store.prepare([&](const std::string& data) {
    if (settings.style == Progress::Style::kBar) status.draw("reading " + data);
  });
  for (std::size_t d = 0; writer && d < files.size(); ++d) {
    if (files[d]) out.file->check_data(written.plan.data[d].name, *files[d]);
  }
  return out;
}

}  // namespace

SweepOutcome carry_out(const WrittenPlan& written, const SweepSettings& settings, Ranks& ranks) {
  DataStore store(written.plan);
  Prepared prepared;
  ranks.together([&] { prepared = prepare(written, settings, store, ranks.rank() == 0); });

  catch_interrupts();
  const Clock::time_point begin = Clock::now();
  SweepOutcome outcome{.runs = prepared.runs.size(),
                       .before = prepared.runs.size() - prepared.left.size(),
                       .played = 0,
                       .failed = 0,
                       .seconds = 0};
  if (ranks.rank() != 0) {
    work_elsewhere(written, prepared.runs, store, settings.workers, ranks);
    return outcome;
  }
  {
    Desk desk(*prepared.file, std::move(prepared.left), settings.style);
    work_at_desk(written, prepared.runs, store, settings.workers, ranks, desk);
    outcome.played = desk.played();
    outcome.failed = desk.failed();
  }
  prepared.file->sync();
  outcome.seconds = seconds_between(begin, Clock::now());
  if (interrupted() != 0) {
    throw Interrupted{
        interrupted(),
        fmt::format("{} keeps the runs that ended; the same command goes on from there",
                    settings.output)};
  }
  return outcome;
}

}  // namespace soba::cli
