// Result rows: one run of a sweep a line, JSON Lines (docs/formats.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "soba/run.h"

namespace soba::lab {

// The format that is written. Format 1, whose rows have no key, is read for reports alone.
inline constexpr std::int64_t kRowFormat = 2;

// The value of one axis of a sweep. Numbers come before words.
using GridValue = std::variant<double, std::string>;
// Axes and their values, in the order of the row.
using Grid = std::vector<std::pair<std::string, GridValue>>;

// The value of an axis; null where the grid does not have it.
const GridValue* find_axis(const Grid& grid, std::string_view axis);
// "gamma 2^-6, a 1"; powers of two as powers.
std::string grid_text(const Grid& grid);

struct ResultRow {
  std::string place;  // "file:line", for messages
  std::int64_t format = kRowFormat;
  std::string version;  // of the program that played it
  std::string key;      // tells the run from others (docs/formats.md); empty in format 1
  std::string command;  // repeats the run, for people
  std::string name;     // of the data set
  std::string reading;  // its options, as canonical JSON; empty in format 1
  std::string contender;
  Grid grid;
  std::int64_t number = 0;             // its place in the plan of its sweep
  std::int64_t peak_memory_bytes = 0;  // of the process that played it
  double rounds_per_second = 0;        // as measured, with at least a nanosecond
  // Of always playing the most frequent label of the examples; unknown in rows of older programs.
  std::optional<double> constant_error = {};
  RunResult result;
};

// One line with its newline. Requires: a row of kRowFormat. One thread at a time: the JSON library
// asks the C library for the locale.
std::string row_line(const ResultRow& row);

struct ResultRows {
  std::vector<ResultRow> rows;
  std::vector<std::string> remarks;  // what was left out, and why
};

// All rows of all files, each run once, in the order of the plans, whatever the order in which the
// runs ended. A last line that was not written to its end is left out.
// Throws Error{kInput} for any other line that is no result row, and where one run has two results.
ResultRows read_rows(const std::vector<std::string>& paths);

// A run as one JSON object, indented: what `soba run --json` prints. `skipped`: with the number of
// bad lines. Several runs: every one, and mean and standard deviation of the errors.
std::string result_json(const RunResult& result, bool skipped);
std::string results_json(const std::vector<RunResult>& results, bool skipped);

// The mean and the sample standard deviation (0 for a single run) of the errors of several runs.
struct Spread {
  double mean = 0, std = 0;
};
Spread error_spread(const std::vector<RunResult>& results);
Spread greedy_spread(const std::vector<RunResult>& results);

}  // namespace soba::lab
