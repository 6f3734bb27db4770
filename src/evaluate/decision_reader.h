// Decisions with their answers, from logs one after the other.
//
// A decision whose line has the answer is given at once. Any other waits, as the text of its line,
// until the answer comes; so memory grows with the decisions that are open, and with nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/bytes/input.h"
#include "evaluate/log_row.h"

namespace soba {

struct LogCounts {
  std::int64_t decisions = 0, answered = 0, stray_answers = 0, forgotten = 0, bad_lines = 0;
  std::string first_bad;
};

class DecisionReader {
 public:
  // Throws Error{kInput} where a log cannot be read, and Error{kUsage} for an unknown format.
  DecisionReader(const std::vector<std::string>& paths, const LogOptions& options, LogWants wants);
  ~DecisionReader();

  // The next decision with an answer, in the order of the answers; null at the end. Valid until the
  // next call. Throws Error{kInput} at a bad line, with its place, unless options.skip_bad.
  const LogRow* next();
  // At the end: shows the decisions that have no answer, in their order.
  void for_each_open(const std::function<void(const LogRow&)>& visit);
  // As next(), but every line as it comes, unjoined: open decisions, answers and all.
  const LogRow* next_line();

  const LogCounts& counts() const { return counts_; }
  // The place of the latest row's decision, for messages: "file:line".
  std::string place() const;
  // Throws Error{kInput} about the latest row, at the value of a key.
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;

 private:
  struct Open {
    std::string text;  // of the line, and LineReader::kPadding bytes
    LogFormat* format = nullptr;
    std::size_t file = 0;
    std::int64_t line = 0;
    std::int64_t number = 0;  // of the decision
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };

  bool open_file();
  bool bad(const RowError& error);  // true where it is counted and left out
  bool join();                      // whether row_ is now a decision with an answer
  void reparse(const Open& open);

  std::vector<std::string> paths_;
  LogOptions options_;
  LogWants wants_;
  std::unique_ptr<Input> input_;
  std::unique_ptr<LineReader> lines_;
  std::vector<std::unique_ptr<LogFormat>> formats_;  // of the files so far
  std::size_t file_ = 0;                             // the next to be opened
  LogRow row_;
  std::size_t row_file_ = 0;
  std::int64_t row_line_ = 0;
  Open taken_;  // holds row_'s text where it waited
  std::unordered_map<std::string, Open, Hash, std::equal_to<>> open_;
  LogCounts counts_;
};

}  // namespace soba
