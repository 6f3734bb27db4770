// What the columns of a CSV file hold, and how that is found out.
//
// A column is numeric where at least 99 of 100 of its values are numbers, its missing ones left
// aside. Others are categories, unless all of their values say that they are dates, free text or
// ids (ColumnGuess); columns that are named in an option are what it says. Where the cells cannot
// be seen beforehand, the first value says whether a column is numeric, and no more is guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/column_guess.h"
#include "data/column_notes.h"
#include "soba/data.h"

namespace soba {

enum class ColumnKind { kUnknown, kNumber, kCategory, kDate, kText, kLabel, kIgnored };
// What a cell is to a column whose kind is not known yet.
enum class CellKind : char { kNumber, kEmpty, kWord, kOther };  // kWord: see is_missing

struct CsvColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kUnknown;
  Index feature = -1;                             // of a column of numbers, once it has one
  std::int32_t number = 0;                        // its place in Schema::columns
  std::int64_t empty = 0, words = 0, others = 0;  // cells counted by end_row()
  ColumnGuess guess{name};                        // from them
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
  // Once all are there: which one holds the labels, by its name or number. A label that is not
  // there is a problem where it is needed.
  MaybeProblem find_label(const std::string& name, bool needed);
  // Then what the others hold: these are the columns of the schema from now on, of unknown kinds
  // but for those that the schema's lists name; a number there becomes the name. Or they are
  // matched with the schema's by name, in any order. Requires: a schema without columns, for the
  // first.
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
  // Of columns whose kind is known nothing need be noted, nor numbers where none is watched.
  void begin_row() { noted_.clear(); }
  bool watches_numbers(std::size_t column) const {
    return columns_[column].guess.watches_numbers();
  }
  void note(std::size_t column, std::string_view cell);
  // Requires: the cells that were noted are still where they were.
  void end_row();
  // The end: the schema knows the columns of each kind and the features of numeric ones, which come
  // first, in header order. Too many of them are a problem.
  MaybeProblem settle();
  // Known then: cells of numeric columns that are neither numbers nor missing, and columns that
  // turned out to be ids, dates or free text.
  std::int64_t strays() const { return strays_; }
  const std::vector<FoundColumn>& found() const { return found_; }

  // Without that: the kind of a column by a value, unless that is missing. False where there are
  // too many features. Requires: its kind is unknown.
  bool settle_by(std::size_t column, std::string_view cell);

 private:
  struct Noted {
    std::size_t column;
    CellKind kind;
    std::string_view cell;
  };

  // The column of that name, or, where there is none, of that number: 1 is the first, −1 the last.
  std::optional<std::int32_t> find(std::string_view name) const;
  MaybeProblem name_columns(std::string_view option, std::vector<std::string>& names) const;
  void mark_ignored();
  std::int64_t numbers(const CsvColumn& column) const;
  bool is_numeric(const CsvColumn& column) const;
  Guess guess(const CsvColumn& column, bool keep_ids) const;
  void keep(CsvColumn& column, ColumnKind kind);

  Schema& schema_;
  std::vector<CsvColumn> columns_;
  NameMap names_;
  int label_ = -1;
  std::int64_t rows_ = 0;  // counted
  std::int64_t strays_ = 0;
  std::vector<FoundColumn> found_;
  std::vector<Noted> noted_;  // of the latest row
};

}  // namespace soba
