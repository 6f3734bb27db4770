#include "data/jsonl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/schema.h"
#include "data/text.h"
#include "soba/error.h"
#include "soba/options.h"

namespace soba {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

static_assert(LineReader::kPadding >= simdjson::SIMDJSON_PADDING);

const char* type_name(element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a text";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

// The number of a JSON number or boolean.
std::optional<double> number_of(element value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) {
    return std::fabs(number) <= kMaxValue ? std::optional(number) : std::nullopt;
  }
  bool flag = false;
  if (value.get(flag) == simdjson::SUCCESS) return flag ? 1.0 : 0.0;
  return std::nullopt;
}

// A text, whole number or boolean, as written.
bool text_of(element value, std::string& text) {
  std::string_view characters;
  std::int64_t integer = 0;
  std::uint64_t large = 0;
  bool flag = false;
  if (value.get(characters) == simdjson::SUCCESS) {
    text = characters;
  } else if (value.type() == element_type::INT64 && value.get(integer) == simdjson::SUCCESS) {
    text = std::to_string(integer);
  } else if (value.type() == element_type::UINT64 && value.get(large) == simdjson::SUCCESS) {
    text = std::to_string(large);
  } else if (value.get(flag) == simdjson::SUCCESS) {
    text = flag ? "true" : "false";
  } else {
    return false;
  }
  return true;
}

}  // namespace

// ---- x ------------------------------------------------------------------------------------------

JsonFeatures::JsonFeatures(Schema& schema) : schema_(schema) {
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    names_.add(schema.columns[i]);
    const bool text = is_text_column(schema, static_cast<std::int32_t>(i));
    keys_.push_back({.kind = text ? Kind::kText : Kind::kNumber});
  }
}

std::optional<JsonFeatures::Problem> JsonFeatures::read(element x, bool add_new, Row& row) {
  row.index.clear();
  row.value.clear();
  ++count_;
  latest_ = -1;
  std::size_t entry = 0;
  simdjson::dom::object object;
  simdjson::dom::array array;
  if (x.get(object) == simdjson::SUCCESS) {
    for (const simdjson::dom::key_value_pair field : object) {
      if (auto message = read_entry(field.key, field.value, add_new, row)) {
        return Problem{entry, std::move(*message)};
      }
      ++entry;
    }
  } else if (x.get(array) == simdjson::SUCCESS) {
    if (!schema_.named_features) return read_positions(array, row);
    for (const element value : array) {
      fmt::memory_buffer name;
      fmt::format_to(std::back_inserter(name), "{}", entry);
      if (auto message = read_entry({name.data(), name.size()}, value, add_new, row)) {
        return Problem{entry, std::move(*message)};
      }
      ++entry;
    }
  } else {
    return Problem{std::nullopt, fmt::format("expected an object or an array of features in \"x\", "
                                             "found {}",
                                             type_name(x))};
  }
  if (sorter_.sort(row)) {
    return Problem{std::nullopt, "two entries of \"x\" give the same feature"};
  }
  return std::nullopt;
}

std::optional<std::int32_t> JsonFeatures::find_name(std::string_view name, std::int32_t before) {
  std::int32_t& guess = before < 0 ? first_ : keys_[static_cast<std::size_t>(before)].next;
  if (guess >= 0 && names_.name(guess) == name) return guess;
  const std::optional<std::int32_t> id = names_.find(name);
  if (id) guess = *id;
  return id;
}

std::optional<std::string> JsonFeatures::read_entry(std::string_view name, element value,
                                                    bool add_new, Row& row) {
  std::optional<std::int32_t> id = find_name(name, latest_);
  if (!id && add_new) {
    if (names_.size() >= kMaxFeatures) return fmt::format("more than {} names", kMaxFeatures);
    id = names_.add(name);
    keys_.emplace_back();
  }
  latest_ = id.value_or(-1);
  Key stranger;  // without add_new no names are kept, so that memory stays bounded
  Key& key = id ? keys_[static_cast<std::size_t>(*id)] : stranger;
  if (key.seen == count_) return fmt::format("{} appears twice", shown(name));
  key.seen = count_;
  if (value.is_null()) return std::nullopt;
  std::string_view text;
  const bool is_text = value.get(text) == simdjson::SUCCESS;
  if (is_text && key.kind == Kind::kNumber) {
    return fmt::format("expected a number for {}, found {}", shown(name), shown(text));
  }
  if (is_text) return add_text(name, text, add_new, row);
  const std::optional<double> number = number_of(value);
  if (!number) {
    return fmt::format("expected a number, a text, a boolean or null for {}, found {}", shown(name),
                       type_name(value));
  }
  if (key.kind != Kind::kText) return add_number(name, *number, key, add_new, row);
  std::string written;
  if (!text_of(value, written)) written = to_text(*number);
  return add_text(name, written, add_new, row);
}

std::optional<std::string> JsonFeatures::add_number(std::string_view name, double value, Key& key,
                                                    bool add_new, Row& row) {
  if (key.feature < 0) {
    const std::optional<Index> feature =
        add_new ? add_feature(schema_, name) : find_feature(schema_, name);
    if (!feature && !add_new && schema_.named_features) return std::nullopt;
    if (!feature) return no_feature(schema_, name);
    key.feature = *feature;
  }
  row.index.push_back(key.feature);
  row.value.push_back(value);
  return std::nullopt;
}

std::optional<std::string> JsonFeatures::add_text(std::string_view name, std::string_view value,
                                                  bool add_new, Row& row) {
  if (!schema_.named_features) {
    return fmt::format("expected a number for {}, as the model's features are indices; found {}",
                       shown(name), shown(value));
  }
  text_.assign(name).append("=").append(value);
  const std::optional<Index> feature =
      add_new ? add_feature(schema_, text_) : find_feature(schema_, text_);
  if (!feature) {
    if (!add_new) return std::nullopt;
    return no_feature(schema_, text_);
  }
  row.index.push_back(*feature);
  row.value.push_back(1);
  return std::nullopt;
}

std::optional<JsonFeatures::Problem> JsonFeatures::read_positions(simdjson::dom::array x,
                                                                  Row& row) const {
  std::size_t entry = 0;
  for (const element value : x) {
    const std::optional<double> number = number_of(value);
    if (!number && !value.is_null()) {
      return Problem{entry, fmt::format("expected a number, as the model's features are indices; "
                                        "found {}",
                                        type_name(value))};
    }
    if (entry >= static_cast<std::size_t>(raw_feature_limit(schema_))) {
      return Problem{entry, fmt::format("more than {} features", raw_feature_limit(schema_))};
    }
    if (number) {
      row.index.push_back(static_cast<Index>(entry));
      row.value.push_back(*number);
    }
    ++entry;
  }
  return std::nullopt;
}

// ---- Lines --------------------------------------------------------------------------------------

JsonlReader::JsonlReader(std::unique_ptr<ByteSource> bytes, Schema& schema, std::string label,
                         bool need_labels)
    : lines_(std::move(bytes)),
      features_(schema),
      label_(std::move(label)),
      need_labels_(need_labels) {
  if (label_ == "x") {
    throw Error(ErrorKind::kUsage, "label",
                "'x' is not accepted: in JSON Lines the key \"x\" holds the features");
  }
}

RowStatus JsonlReader::next(Row& row, RowError& error) {
  for (;;) {
    const RowStatus status = lines_.next(line_, error);
    if (status != RowStatus::kRow) return status;
    if (std::all_of(line_.begin(), line_.end(), is_blank)) continue;
    return parse(row, error) ? RowStatus::kRow : RowStatus::kBad;
  }
}

bool JsonlReader::parse(Row& row, RowError& error) {
  row.clear();
  row.line = lines_.number();
  element document;
  const auto code = parser_.parse(line_.data(), line_.size(), false).get(document);
  if (code != simdjson::SUCCESS) {
    const std::size_t place = json_error_place(line_).value_or(0);
    error = {row.line, static_cast<std::int64_t>(place) + 1,
             fmt::format("expected JSON, found {} ({})",
                         place < line_.size() ? shown(line_.substr(place)) : "the end of the line",
                         simdjson::error_message(code))};
    return false;
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    const std::string found = type_name(document);
    return fail({}, {}, "expected an object with the key \"x\", found " + found, error);
  }
  std::optional<element> x, label;
  for (const simdjson::dom::key_value_pair field : object) {
    const bool is_label = field.key == label_;
    if (!is_label && field.key != "x") continue;
    std::optional<element>& place = is_label ? label : x;
    if (place) {
      return fail(field.key, {}, fmt::format("key {} appears twice", shown(field.key)), error);
    }
    place = field.value;
  }
  if (label && !read_label(*label, row)) {
    return fail(label_, {},
                fmt::format("expected a text, a whole number or a boolean as the label, found {}",
                            type_name(*label)),
                error);
  }
  if (!row.has_label && need_labels_) {
    return fail({}, {}, fmt::format("expected a label under the key {}", shown(label_)), error);
  }
  if (!x) return fail({}, {}, "expected the features under the key \"x\"", error);
  if (const auto problem = features_.read(*x, true, row)) {
    return fail("x", problem->entry, problem->message, error);
  }
  return true;
}

bool JsonlReader::read_label(element value, Row& row) {
  if (value.is_null()) return true;
  if (!text_of(value, label_text_)) return false;
  row.has_label = true;
  row.label = label_text_;
  return true;
}

std::int64_t JsonlReader::label_column() const {
  return static_cast<std::int64_t>(json_place(line_, label_, {})) + 1;
}

bool JsonlReader::fail(std::optional<std::string_view> key, std::optional<std::size_t> entry,
                       std::string message, RowError& error) const {
  const std::size_t place = key ? json_place(line_, *key, entry) : 0;
  error = {lines_.number(), static_cast<std::int64_t>(place) + 1, std::move(message)};
  return false;
}

}  // namespace soba
