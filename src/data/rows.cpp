#include "data/rows.h"

#include <fmt/format.h>

#include <utility>

#include "data/bytes/text.h"
#include "soba/error.h"

namespace soba {

Label find_other_sign(const NameMap& labels, std::string_view text) {
  if (!parse_number(text)) return kNoLabel;
  if (!text.starts_with('+')) return labels.find("+" + std::string(text)).value_or(kNoLabel);
  return labels.find(text.substr(1)).value_or(kNoLabel);
}

void add_label(NameMap& labels, std::string_view text) {
  if (!labels.find(text) && find_other_sign(labels, text) == kNoLabel) labels.add(text);
}

GoodRows::GoodRows(std::unique_ptr<RowReader> reader, std::string name, const NameMap* labels,
                   bool need_labels, BadRows* bad)
    : reader_(std::move(reader)),
      name_(std::move(name)),
      labels_(labels),
      need_labels_(need_labels),
      without_zeros_(reader_->without_zeros()),
      bad_(bad) {}

bool GoodRows::next(Row& row, Label& label) {
  RowError error;
  for (;;) {
    const RowStatus status = reader_->next(row, error);
    if (status == RowStatus::kEnd) return false;
    if (status == RowStatus::kBad) {
      reject(error);
      continue;
    }
    label = kNoLabel;
    if (!row.has_label) return true;
    if (labels_ == nullptr) {
      if (is_utf8(row.label)) return true;
      reject({row.line, reader_->label_column(), not_utf8(row.label)});
      continue;
    }
    label = memory_.find(*labels_, row.label);
    if (label == kNoLabel) label = find_other_sign(*labels_, row.label);
    if (label == kNoLabel && need_labels_) {
      reject({row.line, reader_->label_column(),
              fmt::format("label {} is not in the label set ({})", shown(row.label),
                          listing(labels_->names()))});
      continue;
    }
    return true;
  }
}

void GoodRows::reject(const RowError& error) {
  std::string text = fmt::format("{}:{}:{}: {}", name_, error.line, error.column, error.message);
  if (bad_ == nullptr) throw Error(ErrorKind::kInput, text);
  if (bad_->count++ == 0) bad_->first = std::move(text);
}

}  // namespace soba
