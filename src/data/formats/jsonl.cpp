#include "data/formats/jsonl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "soba/error.h"

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

std::optional<JsonFeatures::Problem> JsonFeatures::read(element x, Row& row) {
  features_.begin(row);
  std::size_t entry = 0;
  simdjson::dom::object object;
  simdjson::dom::array array;
  if (x.get(object) == simdjson::SUCCESS) {
    for (const simdjson::dom::key_value_pair field : object) {
      if (!read_entry(field.key, field.value)) return Problem{entry, features_.problem()};
      ++entry;
    }
  } else if (x.get(array) == simdjson::SUCCESS) {
    if (!features_.schema().named_features) return read_positions(array, row);
    for (const element value : array) {
      fmt::memory_buffer name;
      fmt::format_to(std::back_inserter(name), "{}", entry);
      if (!read_entry({name.data(), name.size()}, value)) {
        return Problem{entry, features_.problem()};
      }
      ++entry;
    }
  } else {
    return Problem{std::nullopt, fmt::format("expected an object or an array of features in \"x\", "
                                             "found {}",
                                             type_name(x))};
  }
  if (features_.finish()) {
    return Problem{std::nullopt, "two entries of \"x\" give the same feature"};
  }
  return std::nullopt;
}

bool JsonFeatures::read_entry(std::string_view name, element value) {
  if (!features_.name(name)) return false;
  if (features_.skips()) {
    if (std::string text; features_.looks() && text_of(value, text)) features_.look(text);
    return true;
  }
  switch (value.type()) {
    case element_type::DOUBLE:
      return features_.put(value.get_double().value_unsafe());
    case element_type::INT64:
      return features_.put(value.get_int64().value_unsafe());
    case element_type::UINT64:
      return features_.put(value.get_uint64().value_unsafe());
    case element_type::STRING:
      return features_.put(value.get_string().value_unsafe());
    case element_type::BOOL:
      return features_.put(value.get_bool().value_unsafe());
    case element_type::NULL_VALUE:
      return features_.put({});
    default:
      return features_.refuse(
          fmt::format("expected a number, a text, a boolean or null for {}, found {}", shown(name),
                      type_name(value)));
  }
}

std::optional<JsonFeatures::Problem> JsonFeatures::read_positions(simdjson::dom::array x,
                                                                  Row& row) const {
  std::size_t entry = 0;
  for (const element value : x) {
    const std::optional<double> number = number_of(value);
    if (double large = 0; !number && value.get(large) == simdjson::SUCCESS) {
      return Problem{entry, fmt::format("expected a number from -{0:g} to {0:g}, found {1}",
                                        kMaxValue, large)};
    }
    if (!number && !value.is_null()) {
      return Problem{entry, fmt::format("expected a number, as the model's features are indices; "
                                        "found {}",
                                        type_name(value))};
    }
    if (entry >= static_cast<std::size_t>(raw_feature_limit(features_.schema()))) {
      return Problem{entry,
                     fmt::format("more than {} features", raw_feature_limit(features_.schema()))};
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

JsonlReader::JsonlReader(std::unique_ptr<ByteSource> bytes, Schema& schema, ColumnNotes& notes,
                         std::string label, bool need_labels, bool discover)
    : lines_(std::move(bytes)),
      features_(schema, unknown_of("auto", schema)),
      notes_(notes),
      label_(std::move(label)),
      discover_(discover),
      need_labels_(need_labels) {
  features_.names().watch(discover, notes.wanted);
  if (label_ == "x") {
    throw Error(ErrorKind::kUsage, "label",
                "'x' is not accepted: in JSON Lines the key \"x\" holds the features");
  }
}

RowStatus JsonlReader::next(Row& row, RowError& error) {
  for (;;) {
    const RowStatus status = lines_.next(line_, error);
    if (status == RowStatus::kEnd) keep_notes();
    if (status != RowStatus::kRow) return status;
    if (std::all_of(line_.begin(), line_.end(), is_blank)) continue;
    return parse(row, error) ? RowStatus::kRow : RowStatus::kBad;
  }
}

void JsonlReader::keep_notes() {
  if (discover_) notes_.found = features_.names().found();
  if (!notes_.wanted) return;
  notes_.columns = features_.names().surveys();
  for (ColumnSurvey& column : notes_.columns) {
    for (const FoundColumn& found : notes_.found) {
      if (found.name == column.name) column.found = found.text();
    }
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
  if (const auto problem = features_.read(*x, row)) {
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
