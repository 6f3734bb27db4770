#include "data/formats/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "soba/parse.h"

namespace soba {

namespace {

// What a column of texts is by the lists of the schema.
ColumnKind text_kind(const Schema& schema, std::string_view name) {
  if (is_among(schema.dates, name)) return ColumnKind::kDate;
  return is_among(schema.text, name) ? ColumnKind::kText : ColumnKind::kCategory;
}

}  // namespace

CsvColumns::MaybeProblem CsvColumns::add(std::string_view name) {
  const std::size_t column = columns_.size();
  if (name.empty()) return Problem{column, "expected the name of a column, found nothing"};
  if (!is_utf8(name)) return Problem{column, not_utf8(name)};
  if (names_.find(name)) {
    return Problem{column, fmt::format("column {} appears twice", shown(name))};
  }
  names_.add(name);
  columns_.push_back({.name = std::string(name)});
  return std::nullopt;
}

std::optional<std::int32_t> CsvColumns::find(std::string_view name) const {
  if (const auto here = names_.find(name)) return here;
  std::int32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data(), end, number);
  if (code != std::errc() || stop != end || number == 0) return std::nullopt;
  const std::int64_t place = number > 0 ? number - 1 : names_.size() + std::int64_t{number};
  if (place < 0 || place >= names_.size()) return std::nullopt;
  return static_cast<std::int32_t>(place);
}

CsvColumns::MaybeProblem CsvColumns::find_label(const std::string& name, bool needed) {
  if (const auto label = find(name)) {
    label_ = *label;
    columns_[static_cast<std::size_t>(label_)].kind = ColumnKind::kLabel;
  } else if (needed) {
    const std::string near = nearest(name, names_.names());
    return Problem{0, fmt::format("expected a column '{}' with the labels; the columns are {}{} "
                                  "(option 'label' names another one)",
                                  name, listing(names_.names(), 20),
                                  near.empty() ? "" : fmt::format("; did you mean '{}'?", near))};
  }
  return std::nullopt;
}

CsvColumns::MaybeProblem CsvColumns::name_columns(std::string_view option,
                                                  std::vector<std::string>& names) const {
  for (std::string& name : names) {
    const auto here = find(name);
    if (!here || (*here == label_ && option != "only")) {
      return Problem{0, fmt::format("option '{}': {}", option,
                                    unknown_name(name, names_.names(), "a column here"))};
    }
    name = names_.name(*here);
  }
  return std::nullopt;
}

void CsvColumns::mark_ignored() {
  for (CsvColumn& column : columns_) {
    if (column.kind != ColumnKind::kLabel && is_left_out(schema_, column.name)) {
      column.kind = ColumnKind::kIgnored;
    }
  }
}

CsvColumns::MaybeProblem CsvColumns::define() {
  for (const auto& [option, names] :
       {std::pair{"categorical", &schema_.categorical}, std::pair{"ignore", &schema_.ignore},
        std::pair{"only", &schema_.only}, std::pair{"dates", &schema_.dates},
        std::pair{"text", &schema_.text}}) {
    if (auto problem = name_columns(option, *names)) return problem;
  }
  mark_ignored();
  for (CsvColumn& column : columns_) {
    if (column.kind != ColumnKind::kUnknown) continue;
    const ColumnKind kind = text_kind(schema_, column.name);
    const bool named = kind != ColumnKind::kCategory || is_among(schema_.categorical, column.name);
    keep(column, named ? kind : ColumnKind::kUnknown);
  }
  return std::nullopt;
}

// The next column of the schema.
void CsvColumns::keep(CsvColumn& column, ColumnKind kind) {
  column.kind = kind;
  column.number = static_cast<std::int32_t>(schema_.columns.size());
  schema_.columns.push_back(column.name);
  if (kind == ColumnKind::kUnknown || kind == ColumnKind::kNumber) return;
  schema_.text_columns.push_back(column.number);
}

// The schema's columns must all be there, and no others. A schema that was not made by CSV has no
// columns, only features.
CsvColumns::MaybeProblem CsvColumns::match() {
  mark_ignored();
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    const auto here = names_.find(schema_.columns[i]);
    if (!here || *here == label_) {
      return Problem{0, fmt::format("expected a column {}, which the model was taught with",
                                    shown(schema_.columns[i]))};
    }
    CsvColumn& column = columns_[static_cast<std::size_t>(*here)];
    column.number = number;
    column.kind =
        is_text_column(schema_, number) ? text_kind(schema_, column.name) : ColumnKind::kNumber;
    if (column.kind != ColumnKind::kNumber) continue;
    const std::optional<Index> feature = add_feature(schema_, column.name);
    if (!feature) return Problem{0, no_feature(schema_, column.name)};
    column.feature = *feature;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    CsvColumn& column = columns_[i];
    if (column.kind != ColumnKind::kUnknown) continue;
    const std::string prefix = column.name + "=";
    const auto& names = schema_.features.names();
    if (schema_.columns.empty() && text_kind(schema_, column.name) != ColumnKind::kCategory) {
      column.kind = text_kind(schema_, column.name);
    } else if (schema_.columns.empty() && find_feature(schema_, column.name)) {
      column.kind = ColumnKind::kNumber;
      column.feature = *find_feature(schema_, column.name);
    } else if (schema_.columns.empty() &&
               std::any_of(names.begin(), names.end(),
                           [&](const std::string& n) { return n.starts_with(prefix); })) {
      column.kind = ColumnKind::kCategory;
    } else {
      return Problem{i, unknown_name(column.name, schema_.columns, "a column of the model")};
    }
  }
  return std::nullopt;
}

bool CsvColumns::any_unknown() const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [](const CsvColumn& column) { return column.kind == ColumnKind::kUnknown; });
}

CellKind CsvColumns::kind_of(std::string_view cell) const {
  const std::string_view text = trimmed(cell);
  if (text.empty()) return CellKind::kEmpty;
  if (parse_number(text)) return CellKind::kNumber;
  return is_missing(schema_, text) ? CellKind::kWord : CellKind::kOther;
}

void CsvColumns::note(std::size_t column, std::string_view cell) {
  const CellKind kind = kind_of(cell);
  if (kind == CellKind::kNumber && !watches_numbers(column)) return;
  noted_.push_back({column, kind, cell});
}

void CsvColumns::end_row() {
  ++rows_;
  for (const auto& [column, kind, cell] : noted_) {
    CsvColumn& at = columns_[column];
    if (kind == CellKind::kNumber) {
      at.guess.add_number(*parse_number(trimmed(cell)));
    } else if (kind == CellKind::kOther) {
      ++at.others;
      at.guess.add_text(cell);
    } else {
      ++(kind == CellKind::kEmpty ? at.empty : at.words);
    }
  }
}

std::int64_t CsvColumns::numbers(const CsvColumn& column) const {
  return rows_ - column.empty - column.words - column.others;
}

// Words for missing values alone are texts, unless the user named them.
bool CsvColumns::is_numeric(const CsvColumn& column) const {
  const std::int64_t count = numbers(column);
  return count * 100 >= (count + column.others) * 99 &&
         (count > 0 || column.words == 0 || !schema_.missing.empty());
}

Guess CsvColumns::guess(const CsvColumn& column, bool keep_ids) const {
  Guess guess = column.guess.of_texts(numbers(column));
  if (is_numeric(column)) guess = column.guess.is_numbered() ? Guess::kId : Guess::kNone;
  const bool wanted = keep_ids || is_among(schema_.only, column.name);
  return guess == Guess::kId && wanted ? Guess::kNone : guess;
}

// Ids are left out, unless that would leave nothing.
CsvColumns::MaybeProblem CsvColumns::settle() {
  strays_ = 0;
  found_.clear();
  schema_.columns.clear();
  schema_.text_columns.clear();
  const bool only_ids = std::all_of(columns_.begin(), columns_.end(), [&](const CsvColumn& column) {
    return column.kind == ColumnKind::kLabel || column.kind == ColumnKind::kIgnored ||
           (column.kind == ColumnKind::kUnknown && guess(column, false) == Guess::kId);
  });
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    CsvColumn& column = columns_[i];
    if (column.kind == ColumnKind::kLabel || column.kind == ColumnKind::kIgnored) continue;
    if (column.kind != ColumnKind::kUnknown) {
      keep(column, column.kind);
      continue;
    }
    const bool numeric = is_numeric(column);
    const Guess found = guess(column, only_ids);
    if (found != Guess::kNone) found_.push_back({column.name, found});
    if (found == Guess::kId) {
      column.kind = ColumnKind::kIgnored;
      schema_.ignore.push_back(column.name);
      continue;
    }
    if (found == Guess::kDate) schema_.dates.push_back(column.name);
    if (found == Guess::kText) schema_.text.push_back(column.name);
    keep(column, numeric ? ColumnKind::kNumber : text_kind(schema_, column.name));
    if (!numeric) continue;
    strays_ += column.others;
    if (!add_feature(schema_, column.name)) return Problem{i, no_feature(schema_, column.name)};
  }
  return std::nullopt;
}

bool CsvColumns::settle_by(std::size_t column, std::string_view cell) {
  CsvColumn& at = columns_[column];
  const CellKind kind = kind_of(cell);
  if (kind == CellKind::kEmpty || kind == CellKind::kWord) return true;
  if (kind == CellKind::kOther) {
    at.kind = ColumnKind::kCategory;
    auto& text = schema_.text_columns;
    text.insert(std::lower_bound(text.begin(), text.end(), at.number), at.number);
    return true;
  }
  const std::optional<Index> feature = add_feature(schema_, at.name);
  if (!feature) return false;
  at.kind = ColumnKind::kNumber;
  at.feature = *feature;
  return true;
}

}  // namespace soba
