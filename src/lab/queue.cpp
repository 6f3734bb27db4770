// The runs of a sweep that are left, and the file that their rows go to.

#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "soba/lab/sweep.h"

namespace soba::lab {

struct RunQueue::Impl {
  Impl(const Sweep& sweep_, ResultsFile& file_, Watch watch_)
      : sweep(sweep_), file(file_), watch(std::move(watch_)), left(file.missing_runs(sweep)) {
    count = left.size();
  }

  void tell() const {
    if (watch.progress) watch.progress(played + failed, count);
  }

  template <class Line>
  void append(const Line& line) {
    if (thrown) return;
    try {
      file.append(line());
      ++played;
      tell();
    } catch (...) {
      thrown = std::current_exception();
    }
  }

  const Sweep& sweep;
  ResultsFile& file;
  const Watch watch;
  std::mutex mutex;
  std::deque<std::size_t> left;
  std::size_t count = 0;  // that were left at the start
  std::size_t played = 0, failed = 0;
  std::exception_ptr thrown;
};

RunQueue::RunQueue(const Sweep& sweep, ResultsFile& file, Watch watch)
    : impl_(new Impl(sweep, file, std::move(watch))) {}
RunQueue::~RunQueue() = default;

std::optional<std::size_t> RunQueue::next() {
  const std::lock_guard lock(impl_->mutex);
  const bool stopped = impl_->watch.stop != nullptr && *impl_->watch.stop;
  if (impl_->left.empty() || impl_->thrown || stopped) return std::nullopt;
  const std::size_t number = impl_->left.front();
  impl_->left.pop_front();
  return number;
}

void RunQueue::take(std::size_t number, const RunResult& result) {
  const std::lock_guard lock(impl_->mutex);
  impl_->append([&] { return row_line(impl_->sweep.row(number, result)); });
}

void RunQueue::take_line(const std::string& row) {
  const std::lock_guard lock(impl_->mutex);
  impl_->append([&] { return row; });
}

void RunQueue::fail(std::size_t number, const std::string& what) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->watch.failure) impl_->watch.failure(number, what);
  ++impl_->failed;
  impl_->tell();
}

void RunQueue::close(std::exception_ptr reason) {
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->thrown) impl_->thrown = std::move(reason);
}

void RunQueue::rethrow() const {
  if (impl_->thrown) std::rethrow_exception(impl_->thrown);
}

SweepOutcome RunQueue::outcome() const {
  const std::size_t runs = impl_->sweep.runs().size();
  return {.runs = runs,
          .before = runs - impl_->count,
          .played = impl_->played,
          .failed = impl_->failed,
          .seconds = 0};
}

SweepOutcome play_missing(Sweep& sweep, ResultsFile& file, const SweepSettings& settings) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  RunQueue queue(sweep, file, settings.watch);
  {
    const std::jthread own([&] {
      try {
        sweep.play(settings.workers,
                   {.next = [&] { return queue.next(); },
                    .done = [&](std::size_t number,
                                const RunResult& result) { queue.take(number, result); },
                    .failed = [&](std::size_t number,
                                  const Error& error) { queue.fail(number, error.what()); },
                    .stop = settings.watch.stop});
      } catch (...) {
        queue.close(std::current_exception());
      }
    });
    try {
      if (settings.beside) settings.beside(queue);
    } catch (...) {
      queue.close(std::current_exception());
    }
  }
  queue.rethrow();
  file.sync();
  SweepOutcome outcome = queue.outcome();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace soba::lab
