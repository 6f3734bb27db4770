// Work done ahead by a thread of its own: while the caller uses one slot, the thread fills the
// next few. What comes out, errors included, is what would come without the thread, in the same
// order.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/quiet_thread.h"

namespace soba {

template <class Slot>
class Ahead {
 public:
  // `fill` fills a slot that was used before or is new, and returns false at the end; it is called
  // on the thread, and never again once it has returned false or thrown. Everything that it uses
  // belongs to the thread until next() has returned null or thrown, or this is gone.
  // Where no thread is to be had, next() does the work itself.
  explicit Ahead(std::function<bool(Slot&)> fill) : fill_(std::move(fill)) {
    try {
      thread_ = start_quiet_thread([this] { work(); });
      alone_ = false;
    } catch (const std::system_error&) {
    }
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;
  ~Ahead() { stop(); }

  // The next slot, valid until the next call; null at the end. Throws what `fill` threw.
  Slot* next() {
    if (alone_) return next_alone();
    {
      std::unique_lock lock(mutex_);
      if (held_) {
        held_ = false;
        ++taken_;
        if (filled_ - taken_ == kWhile) changed_.notify_one();
      }
      if (filled_ == taken_) {
        changed_.wait(lock, [this] { return filled_ - taken_ >= kWhile || ended_; });
      }
      if (filled_ > taken_) {
        held_ = true;
        return &slots_[taken_ % kSlots];
      }
    }
    stop();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return nullptr;
  }

 private:
  // Who has to wait is woken when it can go on for a while: to wake a thread takes longer than to
  // hand over a slot.
  static constexpr std::size_t kSlots = 8, kWhile = kSlots / 2;

  Slot* next_alone() {
    if (std::exchange(ended_, true)) return nullptr;  // also where fill_ throws
    ended_ = !fill_(slots_[0]);
    return ended_ ? nullptr : &slots_[0];
  }

  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (filled_ - taken_ == kSlots) {
          changed_.wait(lock, [this] { return filled_ - taken_ <= kWhile || stopped_; });
        }
        if (stopped_) return;
      }
      bool more = false;
      std::exception_ptr thrown;
      try {
        more = fill_(slots_[filled_ % kSlots]);  // only this thread changes filled_
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      if (more) {
        ++filled_;
        if (filled_ - taken_ == kWhile) changed_.notify_one();
      } else {
        ended_ = true;
        thrown_ = thrown;
        changed_.notify_one();
        return;
      }
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  std::function<bool(Slot&)> fill_;
  std::array<Slot, kSlots> slots_;
  bool alone_ = true;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::size_t filled_ = 0, taken_ = 0;  // slots so far
  bool held_ = false;                   // the caller uses the slot after the last taken one
  bool ended_ = false, stopped_ = false;
  std::exception_ptr thrown_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace soba
