#include "data/formats/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "soba/parse.h"

namespace soba {

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

CsvColumns::MaybeProblem CsvColumns::find_label(const std::string& name, bool needed) {
  if (const auto label = names_.find(name)) {
    label_ = *label;
    columns_[static_cast<std::size_t>(label_)].kind = ColumnKind::kLabel;
  } else if (needed) {
    const std::string near = nearest(name, names_.names());
    return Problem{0, fmt::format("expected a column '{}' with the labels; the columns are {}{} "
                                  "(option 'label' names another one)",
                                  name, listing(names_.names(), 20),
                                  near.empty() ? "" : fmt::format("; did you mean '{}'?", near))};
  }
  for (CsvColumn& column : columns_) {
    if (column.kind != ColumnKind::kLabel && is_among(schema_.drop, column.name)) {
      column.kind = ColumnKind::kDropped;
    }
  }
  return std::nullopt;
}

CsvColumns::MaybeProblem CsvColumns::define() {
  for (const auto* names : {&schema_.categorical, &schema_.drop}) {
    for (const std::string& name : *names) {
      if (const auto here = names_.find(name); here && *here != label_) continue;
      return Problem{0,
                     fmt::format("option '{}': {}", names == &schema_.drop ? "drop" : "categorical",
                                 unknown_name(name, names_.names(), "a column here"))};
    }
  }
  for (CsvColumn& column : columns_) {
    if (column.kind != ColumnKind::kUnknown) continue;
    column.number = static_cast<std::int32_t>(schema_.columns.size());
    schema_.columns.push_back(column.name);
    if (!is_among(schema_.categorical, column.name)) continue;
    column.kind = ColumnKind::kText;
    schema_.text_columns.push_back(column.number);
  }
  return std::nullopt;
}

// The schema's columns must all be there, and no others. A schema that was not made by CSV has no
// columns, only features.
CsvColumns::MaybeProblem CsvColumns::match() {
  for (std::size_t i = 0; i < schema_.columns.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    const auto here = names_.find(schema_.columns[i]);
    if (!here || *here == label_) {
      return Problem{0, fmt::format("expected a column {}, which the model was taught with",
                                    shown(schema_.columns[i]))};
    }
    CsvColumn& column = columns_[static_cast<std::size_t>(*here)];
    column.number = number;
    column.kind = is_text_column(schema_, number) ? ColumnKind::kText : ColumnKind::kNumber;
    if (column.kind == ColumnKind::kText) continue;
    const std::optional<Index> feature = add_feature(schema_, column.name);
    if (!feature) return Problem{0, no_feature(schema_, column.name)};
    column.feature = *feature;
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    CsvColumn& column = columns_[i];
    if (column.kind != ColumnKind::kUnknown) continue;
    const std::string prefix = column.name + "=";
    const auto& names = schema_.features.names();
    if (schema_.columns.empty() && find_feature(schema_, column.name)) {
      column.kind = ColumnKind::kNumber;
      column.feature = *find_feature(schema_, column.name);
    } else if (schema_.columns.empty() &&
               std::any_of(names.begin(), names.end(),
                           [&](const std::string& n) { return n.starts_with(prefix); })) {
      column.kind = ColumnKind::kText;
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

void CsvColumns::end_row() {
  ++rows_;
  for (const auto& [column, kind] : odd_) {
    CsvColumn& at = columns_[column];
    ++(kind == CellKind::kEmpty ? at.empty : kind == CellKind::kWord ? at.words : at.others);
  }
}

// Words for a missing value alone are texts, unless the user named them.
CsvColumns::MaybeProblem CsvColumns::settle() {
  strays_ = 0;
  schema_.text_columns.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CsvColumn& column = columns_[i];
    const std::int64_t numbers = rows_ - column.empty - column.words - column.others;
    const bool numeric = column.kind == ColumnKind::kUnknown &&
                         numbers * 100 >= (numbers + column.others) * 99 &&
                         (numbers > 0 || column.words == 0 || !schema_.missing.empty());
    if (numeric) {
      strays_ += column.others;
      if (!add_feature(schema_, column.name)) return Problem{i, no_feature(schema_, column.name)};
    } else if (column.kind == ColumnKind::kUnknown || column.kind == ColumnKind::kText) {
      schema_.text_columns.push_back(column.number);
    }
  }
  return std::nullopt;
}

bool CsvColumns::settle_by(std::size_t column, std::string_view cell) {
  CsvColumn& at = columns_[column];
  const CellKind kind = kind_of(cell);
  if (kind == CellKind::kEmpty || kind == CellKind::kWord) return true;
  if (kind == CellKind::kOther) {
    at.kind = ColumnKind::kText;
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
