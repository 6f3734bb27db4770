// What a reader of CSV or JSON Lines finds out about columns beside the rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/column_guess.h"
#include "soba/survey.h"

namespace soba {

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

// A column that turned out to be something else than numbers or categories.
struct FoundColumn {
  std::string name;
  Guess guess = Guess::kNone;

  std::string text() const;  // what becomes of it, and the option against that
};

struct ColumnNotes {
  // Cells of numeric columns that are neither numbers nor missing; found by a discovery.
  std::int64_t strays = 0;
  std::vector<FoundColumn> found;     // by a discovery, too
  bool wanted = false;                // what follows; it takes time
  std::vector<ColumnSurvey> columns;  // once all rows are read
};

}  // namespace soba
