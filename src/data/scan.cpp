#include "data/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "data/value_features.h"
#include "soba/error.h"

namespace soba {

namespace {

bool is_word(const Schema& schema, std::size_t feature) {
  return !schema.text.empty() &&
         is_word_feature(schema, schema.features.name(static_cast<Index>(feature)));
}

}  // namespace

void Ranges::add(Features raw) {
  const auto extent = static_cast<std::size_t>(raw.extent());
  if (extent > count_.size()) {
    low_.resize(extent);
    high_.resize(extent);
    count_.resize(extent);
  }
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const auto j = static_cast<std::size_t>(raw.feature(i));
    const double value = raw.value[i];
    const bool first = count_[j]++ == 0;
    low_[j] = first ? value : std::min(low_[j], value);
    high_[j] = first ? value : std::max(high_[j], value);
  }
}

void Ranges::fill(Schema& schema, std::int64_t examples) const {
  const std::size_t size = count_.size();
  // A feature that was never seen passes as it is: low 0, span 1.
  schema.low.assign(size, 0);
  schema.span.assign(size, 1);
  for (std::size_t j = 0; j < size; ++j) {
    if (count_[j] == 0 || is_word(schema, j)) continue;
    const bool absent = count_[j] < examples;
    const double low = absent ? std::min(low_[j], 0.0) : low_[j];
    const double high = absent ? std::max(high_[j], 0.0) : high_[j];
    if (schema.scale == Scale::kMaxAbs) {
      schema.span[j] = std::max(std::fabs(low), std::fabs(high));
    } else {
      schema.low[j] = low;
      schema.span[j] = high - low;
    }
  }
}

void Ranges::fill_idf(Schema& schema, std::int64_t examples) const {
  schema.documents = examples;
  schema.idf.assign(count_.size(), 1);
  for (std::size_t j = 0; j < count_.size(); ++j) {
    if (is_word(schema, j)) schema.idf[j] = idf_of(examples, count_[j]);
  }
}

Scan scan(GoodRows& rows, bool ranges) {
  Scan found;
  Row row;
  Label label = kNoLabel;
  while (rows.next(row, label)) {
    ++found.examples;
    found.extent = std::max(found.extent, row.features().extent());
    if (ranges) found.ranges.add(row.features());
    if (!row.has_label) continue;
    add_label(found.labels, row.label);
    if (found.labels.size() > kMaxClasses) {
      throw Error(
          ErrorKind::kInput,
          fmt::format("{}:{}: more than {} different labels, such as {}; is the label in the right "
                      "place?",
                      rows.name(), row.line, kMaxClasses, shown(row.label)));
    }
  }
  return found;
}

std::vector<std::string> in_natural_order(std::vector<std::string> labels) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& label : labels) {
    const std::optional<double> value = parse_number(label);
    if (!value) {
      std::sort(labels.begin(), labels.end());
      return labels;
    }
    numbers.emplace_back(*value, label);
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::move(numbers[i].second);
  return labels;
}

}  // namespace soba
