// CSV as in RFC 4180, with a header line: quotes, doubled quotes, and line ends within quotes.
//
// The separator is a comma, or a tab, semicolon or bar where the header has one and no comma; or
// the one that is given. A column of numbers is one feature, values of others are features as
// data/value_features.h says. An empty cell is a missing value, and so are some words (is_missing):
// no feature. An explicit 0 stays in the row, so that scaling sees it.
//
// What a column holds: see csv_columns.h. A value in a column of numbers or dates that is neither
// one nor missing is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/lines.h"
#include "data/column_notes.h"
#include "data/formats/csv_columns.h"
#include "data/value_features.h"
#include "soba/data.h"

namespace soba {

struct CsvOptions {
  std::string label = "label";
  bool need_labels = true;
  bool header = true;  // the first line has the names of the columns; else they are 1, 2, …
  char separator = 0;  // 0: by the first line
  // Rows give labels only; at the end the schema knows the columns and the kind of each.
  bool discover = false;
  // The schema is still empty, and this file says what the columns are. Otherwise columns are
  // matched with the schema's by name.
  bool define_columns = true;
};

class CsvReader : public RowReader {
 public:
  // Reads the header, or the first line in its place. Throws Error{kInput} where it is wrong, as no
  // row makes sense then. Requires: `schema` and `notes` outlive the reader.
  CsvReader(std::unique_ptr<ByteSource> bytes, std::string name, Schema& schema, ColumnNotes& notes,
            const CsvOptions& options);

  RowStatus next(Row& row, RowError& error) override;
  std::int64_t label_column() const override { return label_column_; }

 private:
  struct Cell {
    std::string_view text;
    std::int64_t line = 0;
    std::int64_t column = 1;
  };

  // Reads the line at `text` into the row and returns its end, behind the line end; null where a
  // cell is anything but a plain number, nothing, or a label without quotes (when discovering, a
  // text too), and the slow way must say what it is. Requires: plain_, and whole lines with
  // LineReader::kPadding readable bytes behind them.
  const char* parse_plain(const char* text, Row& row);
  // The end of the cell at p, which is noted; null where it is not plain.
  const char* discover_cell(const char* p, std::size_t column);
  const char* skip_cell(const char* p) const;
  bool ends_cell(char c) const { return c == separator_ || c == '\n' || c == '\r'; }
  // Finds out whether parse_plain() may be tried.
  void look_at_columns();

  // The cells of the next record that is not blank.
  RowStatus read_record(RowError& error);
  RowStatus split_quoted(std::string_view line, RowError& error);
  // From the opening quote at line[at] to behind the closing one, over as many lines as it takes.
  RowStatus read_quoted(std::string_view& line, std::size_t& at, RowError& error);

  void read_header();
  void check_header(const CsvColumns::MaybeProblem& problem) const;
  [[noreturn]] void fail_header(const Cell& cell, const std::string& message) const;

  bool read_label(Row& row, RowError& error);
  // The cells of a record but the label's, into the row.
  bool read_cells(Row& row, RowError& error);
  bool is_no_value(std::string_view cell) const;
  bool read_number(const Cell& cell, const CsvColumn& column, Row& row, RowError& error) const;
  bool read_date(const Cell& cell, const CsvColumn& column, RowError& error);
  bool read_value(const Cell& cell, const CsvColumn& column, Row& row, RowError& error);
  bool decide_kinds(RowError& error);
  void keep_discovered();
  void note_row();
  void keep_notes();
  bool fail_number(const Cell& cell, const CsvColumn& column, RowError& error) const;

  LineReader lines_;
  std::string name_;
  Schema& schema_;
  ColumnNotes& notes_;
  CsvOptions options_;
  char separator_ = ',';
  bool any_unknown_ = false;     // a column whose kind the next value decides
  bool kinds_by_first_ = false;  // kinds come from first values, not from the schema
  CsvColumns columns_;
  ValueFeatures values_;
  bool first_is_row_ = false;  // cells_ is the first example
  // All columns but the label are numeric, their features in ascending order; or are being
  // discovered.
  bool plain_ = false;
  std::int64_t label_column_ = 1;

  std::vector<Cell> cells_;
  std::string text_;               // of a record with quotes
  std::vector<std::size_t> ends_;  // of its cells in text_
  std::size_t next_date_ = 0;
  std::vector<Date> dates_;  // of the latest row, in the order of their columns
  RowSorter sorter_;
};

}  // namespace soba
