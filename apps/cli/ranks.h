// The processes that work together under mpirun (Open MPI): rank 0 hands out the numbers of runs
// and takes their rows, the others ask. Alone, where nothing of MPI is touched, there is rank 0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace soba::cli {

class Ranks {
 public:
  // Joins the others where this process was started by mpirun; `threads`: several of this process's
  // threads will ask and send. Throws Error{kUsage} where the program was built without
  // MPI.
  explicit Ranks(bool threads);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  // Whether mpirun has started this process, with others or alone.
  static bool started();

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Does something on every rank; where one of them throws Error, all do: the same, of the first.
  void together(const std::function<void()>& work);

  // For other ranks than 0. A number to work on, none when there are no more.
  std::optional<std::size_t> ask();
  // For rank 0: the row of a run, or why there is none.
  void send_row(const std::string& row);
  void send_failure(std::size_t number, const std::string& what);
  // No more will be asked or sent.
  void leave();

  // For rank 0: answers and takes until all others have left.
  struct Service {
    std::function<std::optional<std::size_t>()> next;
    std::function<void(const std::string&)> row;
    std::function<void(std::size_t, const std::string&)> failure;
  };
  void serve(const Service& service);

 private:
  // Every rank says what is wrong with it (empty: nothing), and hears the first complaint.
  std::string agree(const std::string& complaint);

  int rank_ = 0, size_ = 1;
};

}  // namespace soba::cli
