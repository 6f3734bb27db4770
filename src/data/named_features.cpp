#include "data/named_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "soba/options.h"

namespace soba {

namespace {

// A number or a boolean as a text column has it.
std::string written(const Value& value, double number) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.held())) return to_text(*integer);
  if (const auto* large = std::get_if<std::uint64_t>(&value.held())) return std::to_string(*large);
  if (const auto* flag = std::get_if<bool>(&value.held())) return *flag ? "true" : "false";
  return to_text(number);
}

}  // namespace

NamedFeatures::NamedFeatures(Schema& schema) : schema_(schema) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    names_.add(schema.columns[i]);
    const bool text = is_text_column(schema, static_cast<std::int32_t>(i));
    keys_.push_back({.kind = text ? Kind::kText : Kind::kNumber});
  }
}

void NamedFeatures::begin(bool add_new, Row& row) {
  row.index.clear();
  row.value.clear();
  row_ = &row;
  add_new_ = add_new;
  ++count_;
  latest_ = -1;
}

std::optional<std::int32_t> NamedFeatures::find_name(std::string_view name) {
  std::int32_t& guess = latest_ < 0 ? first_ : keys_[static_cast<std::size_t>(latest_)].next;
  if (guess >= 0 && names_.name(guess) == name) return guess;
  const std::optional<std::int32_t> id = names_.find(name);
  if (id) guess = *id;
  return id;
}

bool NamedFeatures::name(std::string_view name) {
  std::optional<std::int32_t> id = find_name(name);
  if (!id && add_new_) {
    if (names_.size() >= kMaxFeatures) {
      return refuse(fmt::format("more than {} names", kMaxFeatures));
    }
    keys_.reserve(keys_.size() + 1);
    id = names_.add(name);
    keys_.emplace_back();
  }
  latest_ = id.value_or(-1);
  if (!id) stranger_ = {};
  key_ = id ? &keys_[static_cast<std::size_t>(*id)] : &stranger_;
  if (key_->seen == count_) return refuse(fmt::format("{} appears twice", shown(name)));
  key_->seen = count_;
  name_ = name;
  return true;
}

bool NamedFeatures::put_number(double number, const Value& value) {
  if (!(std::fabs(number) <= kMaxValue)) {
    if (!std::isfinite(number)) {
      return refuse(fmt::format("expected a finite number for {}, found {}", shown(name_), number));
    }
    return refuse(fmt::format("expected a number, a text, a boolean or null for {}, found a number",
                              shown(name_)));
  }
  if (key_->kind == Kind::kText) return put_one_hot(written(value, number));
  if (key_->feature < 0) {
    const std::optional<Index> feature =
        add_new_ ? add_feature(schema_, name_) : find_feature(schema_, name_);
    if (!feature && !add_new_ && schema_.named_features) return true;
    if (!feature) return refuse(no_feature(schema_, name_));
    key_->feature = *feature;
  }
  row_->index.push_back(key_->feature);
  row_->value.push_back(number);
  return true;
}

bool NamedFeatures::put_text(std::string_view text) {
  if (key_->kind != Kind::kNumber) return put_one_hot(text);
  return refuse(fmt::format("expected a number for {}, found {}", shown(name_), shown(text)));
}

bool NamedFeatures::put_one_hot(std::string_view text) {
  if (!schema_.named_features) {
    return refuse(
        fmt::format("expected a number for {}, as the model's features are indices; found {}",
                    shown(name_), shown(text)));
  }
  text_.assign(name_).append("=").append(text);
  const std::optional<Index> feature =
      add_new_ ? add_feature(schema_, text_) : find_feature(schema_, text_);
  if (!feature) return !add_new_ || refuse(no_feature(schema_, text_));
  row_->index.push_back(*feature);
  row_->value.push_back(1);
  return true;
}

std::optional<Index> NamedFeatures::finish() {
  if (!sorter_.sort(*row_)) return std::nullopt;
  const auto twice = std::adjacent_find(row_->index.begin(), row_->index.end());
  return *twice;
}

}  // namespace soba
