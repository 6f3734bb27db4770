// What the columns of a CSV file hold, and how that is found out.
//
// A column is numeric where at least 99 of 100 of its values are numbers, its missing ones left
// aside. Where the cells cannot be seen beforehand, the first value decides. Columns that the
// schema calls categorical are of texts, and those that it drops are not looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/column_notes.h"
#include "soba/data.h"

namespace soba {

enum class ColumnKind { kUnknown, kNumber, kText, kLabel, kDropped };
// What a cell is to a column whose kind is not known yet.
enum class CellKind : char { kNumber, kEmpty, kWord, kOther };  // kWord: see is_missing

struct CsvColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kUnknown;
  Index feature = -1;                             // of a column of numbers, once it has one
  std::int32_t number = 0;                        // its place in Schema::columns
  std::int64_t empty = 0, words = 0, others = 0;  // cells counted by end_row()
  ColumnCells cells = {};                         // where notes are wanted
};

class CsvColumns {
 public:
  // Requires: `schema` outlives this.
  explicit CsvColumns(Schema& schema) : schema_(schema) {}

  // What is wrong with a header, and with which of its names.
  struct Problem {
    std::size_t column = 0;
    std::string message;
  };
  using MaybeProblem = std::optional<Problem>;

  MaybeProblem add(std::string_view name);  // the next column
  // Once all are there: which one holds the labels, and which are dropped. A label that is not
  // there is a problem where it is needed.
  MaybeProblem find_label(const std::string& name, bool needed);
  // Then what the others hold: these are the columns of the schema from now on, of unknown kinds
  // but for the categorical ones; or they are matched with the schema's by name, in any order.
  // Requires: a schema without columns, for the first.
  MaybeProblem define();
  MaybeProblem match();

  bool empty() const { return columns_.empty(); }
  std::size_t size() const { return columns_.size(); }
  CsvColumn& operator[](std::size_t i) { return columns_[i]; }
  const CsvColumn& operator[](std::size_t i) const { return columns_[i]; }
  std::span<CsvColumn> all() { return columns_; }
  std::span<const CsvColumn> all() const { return columns_; }
  int label() const { return label_; }  // −1: there is none
  bool any_unknown() const;

  CellKind kind_of(std::string_view cell) const;

  // Discovering kinds from all rows: the cells of a row, which count once it is known to be whole.
  // Of columns whose kind is known nothing need be noted.
  void begin_row() { odd_.clear(); }
  void note(std::size_t column, CellKind kind) {
    if (kind != CellKind::kNumber) odd_.emplace_back(column, kind);
  }
  void end_row();
  // The end: the schema knows the columns of texts and the features of numeric ones, which come
  // first, in header order. Too many of them are a problem.
  MaybeProblem settle();
  // Cells of numeric columns that are neither numbers nor missing, known then.
  std::int64_t strays() const { return strays_; }

  // Without that: the kind of a column by a value, unless that is missing. False where there are
  // too many features. Requires: its kind is unknown.
  bool settle_by(std::size_t column, std::string_view cell);

 private:
  Schema& schema_;
  std::vector<CsvColumn> columns_;
  NameMap names_;
  int label_ = -1;
  std::int64_t rows_ = 0;  // counted
  std::int64_t strays_ = 0;
  // Cells of the latest row that are no numbers.
  std::vector<std::pair<std::size_t, CellKind>> odd_;
};

}  // namespace soba
