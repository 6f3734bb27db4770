// What a data set looks like, gathered in one pass, and what about it deserves a warning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "soba/data.h"

namespace soba {

struct FeatureRange {
  std::int64_t count = 0;  // examples in which it is not zero
  double largest = 0;      // by absolute value
};

// A column of CSV data or a key of JSON Lines, by its values.
struct ColumnSurvey {
  std::string name;
  std::string type;                      // number, category, date, text (free) or ignored
  std::int64_t values = 0, missing = 0;  // cells with a value, and without
  std::int64_t numbers = 0;              // values that are numbers, in a column of texts as well
  std::int64_t distinct = 0;             // different values, counted up to 65,536
  double minimum = 0, maximum = 0;       // of the numbers
  std::string found = {};  // what it was taken for by its values, and the option against that
  std::vector<std::string> flags = {};  // what is odd about it, and the option that deals with it

  std::string text() const;  // a line for people
};

struct Survey {
  std::string data;  // Source::description()
  std::int64_t examples = 0;
  std::vector<std::string> labels;
  std::vector<std::int64_t> label_counts;
  Index features = 0;
  std::int64_t values = 0;  // stored entries
  double minimum = 0, maximum = 0;
  std::int64_t unit_norm = 0;  // examples whose norm is 1, as far as data files say it
  std::int64_t zero = 0;       // examples without a value other than zero
  std::vector<FeatureRange> ranges;
  std::vector<ColumnSurvey> columns;  // of CSV data and JSON Lines
  std::int64_t bad_lines = 0;         // left out (SourceOptions::skip_bad)
  std::string first_bad;

  double density() const;  // the share of values that are stored
  bool all_unit_norm() const { return examples > 0 && unit_norm == examples; }
};

// Reads the whole source. Requires: its examples have labels.
Survey survey(Source& source);

// Where learning would suffer, a sentence each: labels that never come or differ only in spelling,
// features that are never used or of very different scales, examples of zeros.
std::vector<std::string> warnings(const Survey& survey);

}  // namespace soba
