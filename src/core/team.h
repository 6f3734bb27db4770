// One more thread, for pieces of work that take a millisecond or more. Who does which piece is left
// to chance: so that no result depends on it, the pieces must be the same however many there are to
// do them, and each must write what no other reads or writes, or under a lock and in any order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace soba {

class Team {
 public:
  // Null where the machine has one core, or no thread is to be had.
  static std::unique_ptr<Team> of_two();
  Team();
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls task(0) … task(count − 1), each once, here and in the helper, and returns when all are
  // done. Never waits for a helper that has not begun. The task must not throw. One caller at a
  // time.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  void help();
  // Takes pieces until none is left.
  void work(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, finished_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t next_ = 0, count_ = 0;
  bool helping_ = false, leave_ = false;
  std::thread helper_;
};

// As Team::for_each, in this thread alone where there is no team.
void for_each(Team* team, std::size_t count, const std::function<void(std::size_t)>& task);

}  // namespace soba
