// LIBSVM (svmlight) text: one example a line, `label index:value index:value … # comment`.
//
// The label is any text without blanks and without ':'. Indices count from 1, or from 0 where the
// schema says so; they may come in any order, but not twice. Zeros are the same as absent.
#pragma once

#include <cstdint>
#include <memory>

#include "data/bytes/lines.h"
#include "soba/data.h"

namespace soba {

// Whether a character is of a label such as nearly all are: no comment, no blank, no feature.
inline bool is_label_character(char c) {
  return static_cast<unsigned char>(c) > ' ' && c != ':' && c != '#';
}

class LibsvmReader : public RowReader {
 public:
  // Requires: `schema` outlives the reader. With need_labels a line must have a label.
  LibsvmReader(std::unique_ptr<ByteSource> bytes, const Schema& schema, bool need_labels);

  RowStatus next(Row& row, RowError& error) override;
  std::int64_t label_column() const override { return label_column_; }
  bool without_zeros() const override { return true; }

 private:
  // Reads the line at `text` into the row and returns its end, behind the line end; null where the
  // line is not as plain as almost all are, and parse() must say what it is. Requires: whole lines,
  // with LineReader::kPadding readable bytes behind them.
  const char* parse_plain(const char* text, Row& row);
  bool parse(std::string_view line, Row& row, RowError& error);
  // The label, if there is one; returns where the features start, or null after an error.
  const char* parse_label(const char* p, const char* end, Row& row, RowError& error);
  bool fail(const char* at, const char* end, std::string_view expected, RowError& error) const;
  bool fail_index(const char* at, const char* end, RowError& error) const;
  bool fail_repeated(std::string_view line, const Row& row, std::size_t place,
                     RowError& error) const;

  LineReader lines_;
  const Schema& schema_;
  bool need_labels_;
  const char* line_begin_ = nullptr;
  std::int64_t label_column_ = 1;
  RowSorter sorter_;
};

}  // namespace soba
