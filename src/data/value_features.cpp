#include "data/value_features.h"

#define XXH_INLINE_ALL  // the header is all that is needed of the library
#include <xxhash.h>

#include <algorithm>
#include <cmath>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "data/words.h"

namespace soba {

namespace {

constexpr std::string_view kOther = "(other)";

}  // namespace

double idf_of(std::int64_t documents, std::int64_t with_word) {
  return std::log((1.0 + static_cast<double>(documents)) / (1.0 + static_cast<double>(with_word))) +
         1;
}

ValueFeatures::ValueFeatures(Schema& schema) : schema_(schema) {
  if (!schema.named_features) return;
  if (!schema.text.empty()) slots_.assign(std::size_t{1} << schema.hash_bits, -1);
  for (Index j = 0; j < schema.features.size(); ++j) take_note(j);
}

std::size_t ValueFeatures::slot_of(std::string_view name) const {
  return XXH3_64bits(name.data(), name.size()) & (slots_.size() - 1);
}

void ValueFeatures::take_note(Index feature) {
  const std::string& name = schema_.features.name(feature);
  if (is_word_feature(schema_, name)) {
    slots_[slot_of(name)] = feature;
  } else if (const std::string_view column = category_of(schema_, name); !column.empty()) {
    ++values_[std::string(column)];
  }
}

void ValueFeatures::undo(Index size) {
  for (Index j = size; j < schema_.features.size(); ++j) {
    const std::string& name = schema_.features.name(j);
    if (is_word_feature(schema_, name)) {
      slots_[slot_of(name)] = -1;
    } else if (const std::string_view column = category_of(schema_, name); !column.empty()) {
      --values_[std::string(column)];
    }
  }
}

std::optional<Index> ValueFeatures::feature(std::string_view name) {
  const std::optional<Index> known = find_feature(schema_, name);
  if (known) return known;
  const std::optional<Index> added = add_feature(schema_, name);
  if (added) take_note(*added);
  return added;
}

std::optional<Index> ValueFeatures::add_word(std::string_view name) {
  const Index known = slots_[slot_of(name)];
  return known >= 0 ? known : feature(name);
}

std::optional<Index> ValueFeatures::add_value(std::string_view column, std::string_view name) {
  if (const std::optional<Index> known = find_feature(schema_, name)) return known;
  if (!is_utf8(name)) return std::nullopt;
  if (schema_.vocabulary > 0 && values_[std::string(column)] >= schema_.vocabulary) {
    return feature(std::string(column).append("=").append(kOther));
  }
  return feature(name);
}

std::optional<Index> ValueFeatures::add_named(std::string_view name) {
  if (is_word_feature(schema_, name)) return add_word(name);
  const std::string_view column = category_of(schema_, name);
  return column.empty() ? feature(name) : add_value(column, name);
}

bool ValueFeatures::add(std::optional<Index> feature, double value, Row& row) {
  if (!feature) {
    problem_ = is_utf8(name_) ? no_feature(schema_, name_) : not_utf8(name_);
    return false;
  }
  row.index.push_back(*feature);
  row.value.push_back(value);
  return true;
}

bool ValueFeatures::add_category(std::string_view column, std::string_view value, Row& row) {
  name_.assign(column).append("=").append(value);
  return add(add_value(column, name_), 1, row);
}

bool ValueFeatures::add_date(std::string_view column, const Date& date, Row& row) {
  name_.assign(column).append(".day");
  if (!add(feature(name_), date.day, row)) return false;
  name_.assign(column).append(".hour");
  if (!add(feature(name_), date.hour, row)) return false;
  name_.assign(column).append(".weekday=").append(weekday_name(date.weekday));
  return add(feature(name_), 1, row);
}

bool ValueFeatures::add_text(std::string_view column, std::string_view text, Row& row) {
  if (!is_utf8(text)) {
    problem_ = not_utf8(text);
    return false;
  }
  words_.clear();
  last_word_.clear();
  const auto count = [&] {
    const std::optional<Index> word = add_word(name_);
    if (!word) problem_ = no_feature(schema_, name_);
    words_.push_back(word.value_or(0));
    return !!word;
  };
  while (take_word(text, word_)) {
    name_.assign(column).append("~").append(word_);
    if (!count()) return false;
    if (!schema_.bigrams) continue;
    if (!last_word_.empty()) {
      name_.assign(column).append("~").append(last_word_).append(" ").append(word_);
      if (!count()) return false;
    }
    std::swap(last_word_, word_);
  }
  add_counted(row);
  return true;
}

void ValueFeatures::add_counted(Row& row) {
  std::sort(words_.begin(), words_.end());
  const std::size_t first = row.value.size();
  double sum = 0;
  for (auto word = words_.begin(); word != words_.end();) {
    const auto next = std::upper_bound(word, words_.end(), *word);
    auto value = static_cast<double>(next - word);
    if (schema_.tfidf && schema_.documents > 0) {
      const auto j = static_cast<std::size_t>(*word);
      value *= j < schema_.idf.size() ? schema_.idf[j] : idf_of(schema_.documents, 0);
    }
    sum += value * value;
    row.index.push_back(*word);
    row.value.push_back(value);
    word = next;
  }
  const double norm = std::sqrt(sum);
  for (std::size_t i = first; i < row.value.size(); ++i) row.value[i] /= norm;
}

}  // namespace soba
