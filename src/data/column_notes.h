// What a reader of CSV finds out about columns beside the rows.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "soba/survey.h"

namespace soba {

// So many different values of a column are counted.
inline constexpr std::int64_t kMostDistinct = 1 << 16;

// The cells of one column, for its survey.
class ColumnCells {
 public:
  void add_missing() { ++missing_; }
  // A cell with a value.
  void add(std::string_view cell);
  // What the cells were. `type`: see ColumnSurvey.
  ColumnSurvey survey(std::string_view name, std::string_view type) const;

 private:
  std::int64_t values_ = 0, missing_ = 0, numbers_ = 0;
  double minimum_ = 0, maximum_ = 0;
  bool whole_ = true;                       // every number is
  std::unordered_set<std::uint64_t> seen_;  // hashes of values, of numbers by their value
};

struct ColumnNotes {
  // Cells of numeric columns that are neither numbers nor missing; found by a discovery.
  std::int64_t strays = 0;
  bool wanted = false;                // what follows; it takes time
  std::vector<ColumnSurvey> columns;  // once all rows are read
};

}  // namespace soba
