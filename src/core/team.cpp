#include "core/team.h"

#include <system_error>

#include "core/quiet_thread.h"

namespace soba {

std::unique_ptr<Team> Team::of_two() {
  if (std::thread::hardware_concurrency() < 2) return nullptr;
  try {
    return std::make_unique<Team>();
  } catch (const std::system_error&) {
    return nullptr;
  }
}

Team::Team() : helper_(start_quiet_thread([this] { help(); })) {}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
    wake_.notify_one();
  }
  helper_.join();
}

void Team::work(std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const std::size_t piece = next_++;
    const auto& task = *task_;
    lock.unlock();
    task(piece);
    lock.lock();
  }
}

void Team::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return leave_ || next_ < count_; });
    if (leave_) return;
    helping_ = true;
    work(lock);
    helping_ = false;
    finished_.notify_one();
  }
}

void Team::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::unique_lock lock(mutex_);
  task_ = &task;
  next_ = 0;
  count_ = count;
  wake_.notify_one();
  work(lock);
  finished_.wait(lock, [&] { return !helping_; });
}

void for_each(Team* team, std::size_t count, const std::function<void(std::size_t)>& task) {
  if (team != nullptr) {
    team->for_each(count, task);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) task(i);
}

}  // namespace soba
