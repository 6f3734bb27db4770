// Result rows: one run a line, JSON Lines, as docs/formats.md describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "output.h"

namespace soba::cli {

inline constexpr std::int64_t kRowFormat = 1;

// The value of one axis of a sweep. Numbers come before words.
using GridValue = std::variant<double, std::string>;
// Axes and their values, in the order of the row.
using Grid = std::vector<std::pair<std::string, GridValue>>;

std::string grid_value_text(const GridValue& value);

// The grid that a row holds as JSON. Requires: an object of numbers and words.
Grid json_grid(const Json& object);

// Counts so far, at some rounds.
struct RowCurve {
  std::vector<std::int64_t> round, mistakes, greedy_mistakes, updates;
  friend bool operator==(const RowCurve&, const RowCurve&) = default;
};

struct ResultRow {
  std::string place;  // "file:line", for messages
  std::string version;
  std::string command;
  std::string name;  // of the data set
  std::string data;
  std::string fingerprint;
  std::string contender;
  std::string learner;
  std::string feedback;
  Grid grid;
  std::uint64_t seed = 0;
  std::int64_t number = 0;  // its place in the plan of its sweep
  std::int64_t rounds = 0, classes = 0, features = 0;
  std::int64_t mistakes = 0, greedy_mistakes = 0, updates = 0;
  RowCurve curve;
  double rounds_per_second = 0;
};

// Throws Error{kInput} that starts with `place` and says what is wrong.
ResultRow parse_result_row(std::string_view line, const std::string& place);

struct ResultRows {
  std::vector<ResultRow> rows;
  std::vector<std::string> remarks;  // what was left out, and why
};

// All rows of all files, each run once, in the order of the plans, whatever the order in which the
// runs ended. A last line that was not written to its end is left out.
// Throws Error{kInput} for any other line that is no result row, and where one run has two results.
ResultRows read_result_rows(const std::vector<std::string>& paths);

}  // namespace soba::cli
