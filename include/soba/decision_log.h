// Writes decisions and their answers for `soba evaluate` (docs/formats.md): JSON Lines.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "soba/model.h"
#include "soba/play.h"

namespace soba {

// The conversation of `soba decide`, appended to a file. Threads: one at a time.
class DecisionLog {
 public:
  // A last line that was cut off, when a machine stopped, is removed. Throws Error{kUsage} for a
  // name that asks for compression, Error{kResource} where the file cannot be written.
  DecisionLog(const std::string& path, std::string_view learner);
  ~DecisionLog();  // what was not committed is lost

  // The line of input and the reply of EventProtocol::answer() that made or ended a decision.
  // Lines stay in memory until commit().
  void decided(std::string_view line, std::string_view reply);
  void ended(std::string_view line);
  // They are with the operating system or, with `sync`, on the disk. Throws Error{kResource}.
  void commit(bool sync);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The rounds of a run: decisions and answers in one line, x as the learner saw it. The file appears
// at finish(), compressed where its name says so. Threads: one at a time.
class RunLog {
 public:
  explicit RunLog(const std::string& path);
  ~RunLog();

  // Requires: the model has played these rounds, and its schema knows the block.
  void write(const Model& model, const Block& block, std::span<const Played> rounds);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace soba
