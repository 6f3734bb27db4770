#include "data/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/bytes/text.h"
#include "data/date.h"
#include "data/schema.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

// A comma, unless the header has none outside of quotes but has a tab, a semicolon or a bar.
char separator_of(std::string_view header) {
  bool within_quotes = false, tab = false, semicolon = false, bar = false;
  for (const char c : header) {
    if (c == '"') within_quotes = !within_quotes;
    if (within_quotes) continue;
    if (c == ',') return ',';
    tab = tab || c == '\t';
    semicolon = semicolon || c == ';';
    bar = bar || c == '|';
  }
  if (tab) return '\t';
  if (semicolon) return ';';
  return bar ? '|' : ',';
}

// As a survey calls it.
const char* type_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kCategory:
      return "category";
    case ColumnKind::kDate:
      return "date";
    case ColumnKind::kText:
      return "text";
    case ColumnKind::kIgnored:
      return "ignored";
    default:
      return "number";
  }
}

std::int64_t place(std::size_t offset) { return static_cast<std::int64_t>(offset) + 1; }

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteSource> bytes, std::string name, Schema& schema,
                     ColumnNotes& notes, const CsvOptions& options)
    : lines_(std::move(bytes)),
      name_(std::move(name)),
      schema_(schema),
      notes_(notes),
      options_(options),
      columns_(schema),
      values_(schema) {
  read_header();
}

// ---- Records ------------------------------------------------------------------------------------

RowStatus CsvReader::read_record(RowError& error) {
  std::string_view line;
  do {
    const RowStatus status = lines_.next(line, error);
    if (status != RowStatus::kRow) return status;
  } while (trimmed(line).empty());
  if (columns_.empty()) {
    separator_ = options_.separator != 0 ? options_.separator : separator_of(line);
  }
  cells_.clear();
  if (line.find('"') != std::string_view::npos) return split_quoted(line, error);
  // Cells are short, so looking at each character beats a call of find() for each cell.
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != separator_) continue;
    cells_.push_back({{line.data() + begin, at - begin}, lines_.number(), place(begin)});
    begin = at + 1;
  }
  cells_.push_back({line.substr(begin), lines_.number(), place(begin)});
  return RowStatus::kRow;
}

RowStatus CsvReader::split_quoted(std::string_view line, RowError& error) {
  text_.clear();
  ends_.clear();
  for (std::size_t at = 0;;) {
    cells_.push_back({{}, lines_.number(), place(at)});
    if (at < line.size() && line[at] == '"') {
      const RowStatus status = read_quoted(line, at, error);
      if (status != RowStatus::kRow) return status;
    } else {
      const std::size_t stop = std::min(line.find(separator_, at), line.size());
      const std::string_view cell = line.substr(at, stop - at);
      if (const std::size_t quote = cell.find('"'); quote != std::string_view::npos) {
        error = {lines_.number(), place(at + quote),
                 fmt::format("a quote within an unquoted cell, {}; quote the whole cell and double "
                             "the quotes in it",
                             shown(cell))};
        return RowStatus::kBad;
      }
      text_ += cell;
      at = stop;
    }
    ends_.push_back(text_.size());
    if (at == line.size()) break;
    ++at;  // the separator
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    cells_[i].text = std::string_view(text_).substr(begin, ends_[i] - begin);
    begin = ends_[i];
  }
  return RowStatus::kRow;
}

RowStatus CsvReader::read_quoted(std::string_view& line, std::size_t& at, RowError& error) {
  const std::int64_t opening_line = lines_.number();
  const std::int64_t opening_column = place(at);
  ++at;
  for (;;) {
    const std::size_t quote = line.find('"', at);
    if (quote == std::string_view::npos) {
      text_ += line.substr(at);
      text_ += lines_.line_end();
      const RowStatus status =
          text_.size() > lines_.max_line() ? RowStatus::kEnd : lines_.next(line, error);
      if (status == RowStatus::kEnd) {
        error = {opening_line, opening_column, "this quote is never closed"};
        return RowStatus::kBad;
      }
      if (status == RowStatus::kBad) return status;
      at = 0;
      continue;
    }
    text_ += line.substr(at, quote - at);
    at = quote + 1;
    if (at < line.size() && line[at] == '"') {
      text_ += '"';
      ++at;
      continue;
    }
    if (at == line.size() || line[at] == separator_) return RowStatus::kRow;
    error = {lines_.number(), place(at),
             fmt::format("expected the separator or the end of the line after a closing quote, "
                         "found {}",
                         shown(line.substr(at, 1)))};
    return RowStatus::kBad;
  }
}

// ---- Header -------------------------------------------------------------------------------------

void CsvReader::fail_header(const Cell& cell, const std::string& message) const {
  throw Error(ErrorKind::kInput,
              fmt::format("{}:{}:{}: {}", name_, cell.line, cell.column, message));
}

void CsvReader::check_header(const CsvColumns::MaybeProblem& problem) const {
  if (problem) fail_header(cells_[problem->column], problem->message);
}

void CsvReader::read_header() {
  RowError error;
  const RowStatus status = read_record(error);
  if (status == RowStatus::kEnd) return;
  if (status == RowStatus::kBad) fail_header({{}, error.line, error.column}, error.message);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    check_header(columns_.add(options_.header ? cells_[i].text : std::to_string(i + 1)));
  }
  first_is_row_ = !options_.header;
  check_header(columns_.find_label(options_.label, options_.need_labels));
  if (options_.define_columns && schema_.columns.empty()) {
    kinds_by_first_ = !options_.discover;
    check_header(columns_.define());
    any_unknown_ = columns_.any_unknown();
  } else {
    check_header(columns_.match());
  }
  look_at_columns();
}

// ---- Rows ---------------------------------------------------------------------------------------

void CsvReader::look_at_columns() {
  Index last = -1;
  plain_ = options_.discover || !notes_.wanted;
  for (const CsvColumn& column : columns_.all()) {
    if (column.kind == ColumnKind::kLabel || column.kind == ColumnKind::kIgnored ||
        options_.discover) {
      continue;
    }
    plain_ = plain_ && column.kind == ColumnKind::kNumber && column.feature > last;
    last = column.feature;
  }
}

// The end of the cell at p, or null where it is not plain.
const char* CsvReader::skip_cell(const char* p) const {
  while (!ends_cell(*p) && *p != '"' && *p != '\0') ++p;
  return ends_cell(*p) ? p : nullptr;
}

const char* CsvReader::parse_plain(const char* text, Row& row) {
  if (is_blank(*text) || *text == '\n' || *text == '\r') return nullptr;  // a blank line, perhaps
  row.index.resize(columns_.size());
  row.value.resize(columns_.size());
  row.has_label = false;
  columns_.begin_row();
  const CsvColumn* const first = columns_.all().data();
  std::size_t count = 0;
  const char* p = text;
  for (const CsvColumn& column : columns_.all()) {
    if (&column != first && *p++ != separator_) return nullptr;
    if (column.kind == ColumnKind::kUnknown) {
      p = discover_cell(p, static_cast<std::size_t>(&column - first));
      if (p == nullptr) return nullptr;
      continue;
    }
    if (column.kind != ColumnKind::kNumber) {
      const char* const begin = p;
      p = skip_cell(p);
      if (p == nullptr) return nullptr;
      if (column.kind != ColumnKind::kLabel) continue;
      if (p == begin) return nullptr;
      row.has_label = true;
      row.label = {begin, static_cast<std::size_t>(p - begin)};
      label_column_ = begin - text + 1;
      continue;
    }
    row.index[count] = column.feature;
    if (is_digit(*p) && ends_cell(p[1])) {
      row.value[count++] = *p++ - '0';
    } else if (!ends_cell(*p)) {
      p = scan_plain_number(p, row.value[count++]);
      if (p == nullptr) return nullptr;
    }
  }
  if (*p == '\r') ++p;
  if (*p++ != '\n' || static_cast<std::size_t>(p - text) > lines_.max_line()) return nullptr;
  if (options_.discover) columns_.end_row();
  row.index.resize(count);
  row.value.resize(count);
  return p;
}

const char* CsvReader::discover_cell(const char* p, std::size_t column) {
  if (!columns_.watches_numbers(column)) {
    if (is_digit(*p) && ends_cell(p[1])) return p + 1;
    double unused = 0;
    if (!ends_cell(*p)) {
      const char* const end = scan_plain_number(p, unused);
      if (end != nullptr && ends_cell(*end)) return end;
    }
  }
  const char* const end = skip_cell(p);
  if (end != nullptr) columns_.note(column, {p, static_cast<std::size_t>(end - p)});
  return end;
}

RowStatus CsvReader::next(Row& row, RowError& error) {
  if (columns_.empty()) return RowStatus::kEnd;
  const bool first = std::exchange(first_is_row_, false);
  if (const std::string_view text = lines_.ahead(); plain_ && !first && !text.empty()) {
    if (const char* const end = parse_plain(text.data(), row)) {
      lines_.take(static_cast<std::size_t>(end - text.data()));
      row.line = lines_.number();
      return RowStatus::kRow;
    }
  }
  const RowStatus status = first ? RowStatus::kRow : read_record(error);
  if (status == RowStatus::kEnd && options_.discover) keep_discovered();
  if (status == RowStatus::kEnd && notes_.wanted) keep_notes();
  if (status != RowStatus::kRow) return status;
  row.clear();
  row.line = cells_[0].line;
  if (cells_.size() != columns_.size()) {
    const Cell& last = cells_.back();
    const bool more = cells_.size() > columns_.size();
    error = {more ? cells_[columns_.size()].line : last.line,
             more ? cells_[columns_.size()].column
                  : last.column + static_cast<std::int64_t>(last.text.size()),
             fmt::format("expected {} cells as in the header, found {}", columns_.size(),
                         cells_.size())};
    return RowStatus::kBad;
  }
  if (!read_label(row, error)) return RowStatus::kBad;
  if (options_.discover) {
    columns_.begin_row();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].kind == ColumnKind::kUnknown) columns_.note(i, cells_[i].text);
    }
    columns_.end_row();
    return RowStatus::kRow;
  }
  if (any_unknown_) {
    if (!decide_kinds(error)) return RowStatus::kBad;
    look_at_columns();
  }
  return read_cells(row, error) ? RowStatus::kRow : RowStatus::kBad;
}

bool CsvReader::read_cells(Row& row, RowError& error) {
  // Numbers and dates first: they can be wrong, and a row that is left out should leave no features
  // behind.
  dates_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const ColumnKind kind = columns_[i].kind;
    if (cells_[i].text.empty()) continue;
    if (kind == ColumnKind::kNumber && !read_number(cells_[i], columns_[i], row, error)) {
      return false;
    }
    if (kind == ColumnKind::kDate && !read_date(cells_[i], columns_[i], error)) return false;
  }
  next_date_ = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const ColumnKind kind = columns_[i].kind;
    if (kind != ColumnKind::kCategory && kind != ColumnKind::kDate && kind != ColumnKind::kText) {
      continue;
    }
    if (cells_[i].text.empty()) continue;
    if (!read_value(cells_[i], columns_[i], row, error)) return false;
  }
  if (sorter_.sort(row)) {
    error = {row.line, 1, "two columns give the same feature; rename one of them"};
    return false;
  }
  if (notes_.wanted) note_row();
  return true;
}

bool CsvReader::read_label(Row& row, RowError& error) {
  if (columns_.label() < 0) return true;
  const Cell& cell = cells_[static_cast<std::size_t>(columns_.label())];
  if (cell.text.empty()) {
    error = {cell.line, cell.column,
             fmt::format("expected a label in column '{}', found nothing", options_.label)};
    return !options_.need_labels;
  }
  row.has_label = true;
  row.label = cell.text;
  row.line = cell.line;
  label_column_ = cell.column;
  return true;
}

bool CsvReader::read_number(const Cell& cell, const CsvColumn& column, Row& row,
                            RowError& error) const {
  const std::string_view text = trimmed(cell.text);
  const std::optional<double> value = parse_number(text);
  if (!value) {
    return text.empty() || is_missing(schema_, text) || fail_number(cell, column, error);
  }
  row.index.push_back(column.feature);
  row.value.push_back(*value);
  return true;
}

bool CsvReader::fail_number(const Cell& cell, const CsvColumn& column, RowError& error) const {
  const bool beyond = is_beyond_limit(trimmed(cell.text));
  error = {cell.line, cell.column,
           fmt::format("expected a number{} in column '{}', found {}",
                       beyond ? fmt::format(" from -{0:g} to {0:g}", kMaxValue) : "", column.name,
                       shown(cell.text))};
  if (beyond) return false;
  error.message +=
      kinds_by_first_
          ? " (its first value was a number; have the data in a file, not a pipe, for all values "
            "to be seen before that is decided, or name the column in option 'categorical')"
          : " (the column is numeric; leave the cell empty where the value is missing, or name "
            "such words in option 'missing'; option 'categorical' makes it a column of texts)";
  return false;
}

bool CsvReader::read_date(const Cell& cell, const CsvColumn& column, RowError& error) {
  const std::string_view text = trimmed(cell.text);
  if (is_no_value(cell.text)) return true;
  const std::optional<Date> date = parse_date(text);
  if (date) {
    dates_.push_back(*date);
    return true;
  }
  error = {cell.line, cell.column,
           fmt::format("expected a date such as 2026-11-16 or 2026-11-16T22:37 in column '{}', "
                       "found {} (leave the cell empty where the value is missing, or name such "
                       "words in option 'missing'; option 'categorical' makes each date a "
                       "category)",
                       column.name, shown(cell.text))};
  return false;
}

// Whether a cell of numbers or dates stands for nothing.
bool CsvReader::is_no_value(std::string_view cell) const {
  const std::string_view text = trimmed(cell);
  return text.empty() || is_missing(schema_, text);
}

bool CsvReader::read_value(const Cell& cell, const CsvColumn& column, Row& row, RowError& error) {
  bool good = true;
  if (column.kind == ColumnKind::kDate) {
    good = is_no_value(cell.text) || values_.add_date(column.name, dates_[next_date_++], row);
  } else if (schema_.missing.empty() || !is_missing(schema_, trimmed(cell.text))) {
    good = column.kind == ColumnKind::kText ? values_.add_text(column.name, cell.text, row)
                                            : values_.add_category(column.name, cell.text, row);
  }
  if (!good) error = {cell.line, cell.column, values_.problem()};
  return good;
}

// For the survey: the cells of a good row.
void CsvReader::note_row() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    CsvColumn& column = columns_[i];
    if (column.kind == ColumnKind::kLabel) continue;
    const std::string_view text = trimmed(cells_[i].text);
    const bool texts = column.kind == ColumnKind::kCategory || column.kind == ColumnKind::kText;
    const bool words = !texts || !schema_.missing.empty();
    if (text.empty() || (words && is_missing(schema_, text))) {
      column.cells.add_missing();
    } else {
      column.cells.add(cells_[i].text);
    }
  }
}

void CsvReader::keep_notes() {
  notes_.columns.clear();
  for (const CsvColumn& column : columns_.all()) {
    if (column.kind == ColumnKind::kLabel) continue;
    notes_.columns.push_back(column.cells.survey(column.name, type_of(column.kind)));
    for (const FoundColumn& found : notes_.found) {
      if (found.name == column.name) notes_.columns.back().found = found.text();
    }
  }
}

// Without a scan the first value of a column, missing ones left aside, decides what it holds.
bool CsvReader::decide_kinds(RowError& error) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].kind != ColumnKind::kUnknown) continue;
    if (columns_.settle_by(i, cells_[i].text)) continue;
    error = {cells_[i].line, cells_[i].column, no_feature(schema_, columns_[i].name)};
    return false;
  }
  any_unknown_ = columns_.any_unknown();
  return true;
}

void CsvReader::keep_discovered() {
  if (const auto problem = columns_.settle()) {
    throw Error(ErrorKind::kInput, name_ + ": " + problem->message);
  }
  notes_.strays = columns_.strays();
  notes_.found = columns_.found();
}

}  // namespace soba
