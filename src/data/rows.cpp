#include "data/rows.h"

#include <fmt/format.h>

#include <utility>

#include "data/text.h"
#include "soba/error.h"

namespace soba {

std::optional<Label> LabelMemory::find(const NameMap& labels, std::string_view text) {
  if (text.empty()) return labels.find(text);
  Label& latest = latest_[static_cast<unsigned char>(text.back())];
  if (latest != kNoLabel && labels.name(latest) == text) return latest;
  const std::optional<Label> found = labels.find(text);
  if (found) latest = *found;
  return found;
}

GoodRows::GoodRows(std::unique_ptr<RowReader> reader, std::string name, const NameMap* labels,
                   bool need_labels, BadRows* bad)
    : reader_(std::move(reader)),
      name_(std::move(name)),
      labels_(labels),
      need_labels_(need_labels),
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
    if (!row.has_label || labels_ == nullptr) return true;
    if (const auto known = memory_.find(*labels_, row.label)) {
      label = *known;
    } else if (need_labels_) {
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
