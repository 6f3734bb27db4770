// A line of a decision log, understood, and what understands it: one format = one function.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/bytes/lines.h"
#include "soba/evaluate.h"

namespace soba {

// How a policy in the log plays the label of the row: with a probability, or which label it plays.
struct LoggedPolicy {
  std::optional<double> probability;
  std::optional<std::string_view> label;
};

// All texts are valid until the next row.
struct LogRow {
  enum class Kind { kDecision, kAnswer, kForgotten };
  Kind kind = Kind::kDecision;
  std::string_view id;  // empty where there is none
  std::string_view label;
  double probability = 0;
  std::optional<bool> correct;
  std::optional<std::string_view> greedy;
  std::string_view x;                     // as JSON; empty where there is none
  std::vector<std::string_view> allowed;  // labels; empty: all
  std::vector<std::pair<std::string_view, double>> distribution;
  std::vector<LoggedPolicy> policies;  // those of LogWants, in that order
  std::string_view line;               // the text itself

  void clear(std::size_t wanted) {
    kind = Kind::kDecision;
    id = label = x = line = {};
    probability = 0;
    correct.reset();
    greedy.reset();
    allowed.clear();
    distribution.clear();
    policies.assign(wanted, {});
  }
};

struct LogWants {
  std::vector<std::string> policies;
  bool x = false;
};

class LogFormat {
 public:
  virtual ~LogFormat() = default;
  // False: what is wrong with the line, and in which column of it, is in `error`. Requires:
  // LineReader::kPadding bytes behind the line can be read. Parts of a line that nobody wants are
  // looked at no closer than needed to find their end.
  virtual bool parse(std::string_view line, LogRow& row, RowError& error) = 0;
};

// Says in `error` what is wrong at place `at` (from 0); false.
inline bool bad_row(RowError& error, std::size_t at, std::string message) {
  error.column = static_cast<std::int64_t>(at) + 1;
  error.message = std::move(message);
  return false;
}
// Why a number cannot be the probability of a label that was played; nothing where it can.
std::optional<std::string> probability_problem(double p);

std::unique_ptr<LogFormat> json_log(LogWants wants);
std::unique_ptr<LogFormat> dsjson_log(LogWants wants);
// Requires: `header` is the first line. Throws Error{kInput} that names the columns it lacks;
// `obp`: the columns of Open Bandit Pipeline's and the Open Bandit Dataset's files.
std::unique_ptr<LogFormat> csv_log(LogWants wants, const LogOptions& options, bool obp,
                                   std::string_view header, const std::string& name);

}  // namespace soba
