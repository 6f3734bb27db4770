#include "data/named_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/bytes/text.h"
#include "data/schema.h"
#include "soba/error.h"
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

Unknown unknown_of(std::string_view word, const Schema& schema) {
  if (word == "auto") return schema.columns.empty() ? Unknown::kLearn : Unknown::kRefuse;
  if (word == "refuse") return Unknown::kRefuse;
  if (word == "ignore") return Unknown::kIgnore;
  if (word == "learn") return Unknown::kLearn;
  throw Error(ErrorKind::kUsage, "unknown",
              fmt::format("'{}' is not accepted; expected refuse, ignore, learn or auto", word));
}

NamedFeatures::NamedFeatures(Schema& schema, Unknown unknown)
    : schema_(schema), unknown_(unknown), values_(schema) {
  for (const std::string& name : schema.ignore) add_name(name, Kind::kSkipped);
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::string& name = schema.columns[i];
    const bool text = is_text_column(schema, static_cast<std::int32_t>(i));
    const Kind kind = kind_of(name);
    add_name(name, !text ? Kind::kNumber : kind == Kind::kAny ? Kind::kCategory : kind);
  }
  for (const auto* names : {&schema.categorical, &schema.dates, &schema.text, &schema.only}) {
    for (const std::string& name : *names) add_name(name, kind_of(name));
  }
  if (unknown == Unknown::kLearn) return;
  // Names that a model learnt by itself: those of its features, the values of texts left aside.
  for (const std::string& name : schema.features.names()) {
    if (!schema.columns.empty()) break;
    if (is_word_feature(schema, name)) continue;
    add_name(name, Kind::kAny);
    add_name(std::string_view(name).substr(0, name.find('=')), Kind::kAny);
  }
}

// By the lists of the schema.
NamedFeatures::Kind NamedFeatures::kind_of(std::string_view name) const {
  if (is_left_out(schema_, name)) return Kind::kSkipped;
  if (is_among(schema_.dates, name)) return Kind::kDate;
  if (is_among(schema_.text, name)) return Kind::kText;
  return is_among(schema_.categorical, name) ? Kind::kCategory : Kind::kAny;
}

void NamedFeatures::add_name(std::string_view name, Kind kind) {
  keys_.reserve(keys_.size() + 1);
  if (names_.add(name) == static_cast<std::int32_t>(keys_.size())) keys_.push_back({.kind = kind});
}

void NamedFeatures::begin(Row& row) {
  row.index.clear();
  row.value.clear();
  row_ = &row;
  ++count_;
  latest_ = -1;
  names_before_ = names_.size();
  features_before_ = schema_.features.size();
}

void NamedFeatures::undo() {
  if (schema_.named_features && schema_.features.size() > features_before_) {
    values_.undo(features_before_);
    schema_.features.truncate(features_before_);
  }
  if (names_.size() > names_before_) {
    names_.truncate(names_before_);
    keys_.resize(static_cast<std::size_t>(names_before_));
  }
  for (Key& key : keys_) {
    if (key.next >= names_before_) key.next = -1;
    if (schema_.named_features && key.feature >= features_before_) key.feature = -1;
  }
  if (first_ >= names_before_) first_ = -1;
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
  if (!id && !schema_.only.empty() && is_left_out(schema_, name)) {
    key_ = &stranger_;
    latest_ = -1;
    return true;
  }
  if (!id && unknown_ != Unknown::kLearn &&
      (schema_.named_features || !find_feature(schema_, name))) {
    if (unknown_ == Unknown::kRefuse) {
      return refuse(schema_.named_features
                        ? unknown_name(name, names_.names(), "a column of the model")
                        : no_feature(schema_, name));
    }
    ++ignored_;
    key_ = &stranger_;
    latest_ = -1;
    return true;
  }
  if (!id) {
    if (names_.size() >= kMaxFeatures) {
      return refuse(fmt::format("more than {} names", kMaxFeatures));
    }
    add_name(name, Kind::kAny);
    id = names_.size() - 1;
  }
  latest_ = *id;
  key_ = &keys_[static_cast<std::size_t>(*id)];
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
    return refuse(fmt::format("expected a number from -{0:g} to {0:g} for {1}, found {2}",
                              kMaxValue, shown(name_), to_text(number)));
  }
  if (key_->kind == Kind::kCategory || key_->kind == Kind::kText) {
    return put_words(written(value, number));
  }
  if (key_->kind == Kind::kDate) return put_date(written(value, number));
  if (guesses_ || cells_) {
    Watched& seen = watched();
    ++seen.numbers;
    if (guesses_ && seen.guess.watches_numbers()) seen.guess.add_number(number);
    if (cells_) seen.cells.add(to_text(number));
  }
  if (key_->feature < 0) {
    const std::optional<Index> feature = add_feature(schema_, name_);
    if (!feature) return refuse(no_feature(schema_, name_));
    key_->feature = *feature;
  }
  row_->index.push_back(key_->feature);
  row_->value.push_back(number);
  return true;
}

bool NamedFeatures::put_text(std::string_view text) {
  const bool number = key_->kind == Kind::kNumber;
  const bool strict = number || key_->kind == Kind::kDate;  // takes not every text
  const std::string_view word = trimmed(text);
  if ((strict && word.empty()) ||
      ((strict || !schema_.missing.empty()) && is_missing(schema_, word))) {
    if (cells_) watched().cells.add_missing();
    return true;
  }
  if (!strict) return put_words(text);
  if (!number) return put_date(text);
  return refuse(fmt::format("expected a number for {}, found the text {}; {}", shown(name_),
                            shown(text),
                            parse_number(word) ? "write it without quotes"
                                               : "null or a word for a missing value would do"));
}

bool NamedFeatures::put_date(std::string_view text) {
  const std::optional<Date> date = parse_date(trimmed(text));
  if (!date) {
    return refuse(
        fmt::format("expected a date such as 2026-11-16 or 2026-11-16T22:37 for {}, "
                    "found {}; null or a word for a missing value would do",
                    shown(name_), shown(text)));
  }
  watch_text(text);
  return values_.add_date(name_, *date, *row_) || refuse(values_.problem());
}

bool NamedFeatures::put_words(std::string_view text) {
  if (!schema_.named_features) {
    return refuse(
        fmt::format("expected a number for {}, as the model's features are indices; found {}",
                    shown(name_), shown(text)));
  }
  watch_text(text);
  const bool good = key_->kind == Kind::kText ? values_.add_text(name_, text, *row_)
                                              : values_.add_category(name_, text, *row_);
  return good || refuse(values_.problem());
}

std::optional<Index> NamedFeatures::finish() {
  if (!sorter_.sort(*row_)) return std::nullopt;
  const auto twice = std::adjacent_find(row_->index.begin(), row_->index.end());
  return *twice;
}

// ---- What the values look like ------------------------------------------------------------------

NamedFeatures::Watched& NamedFeatures::watched() {
  if (key_->watched < 0) {
    key_->watched = static_cast<std::int32_t>(watched_.size());
    watched_.push_back({std::string(name_), key_->kind, ColumnGuess(name_), 0, {}});
  }
  return watched_[static_cast<std::size_t>(key_->watched)];
}

void NamedFeatures::watch_text(std::string_view text) {
  if (!guesses_ && !cells_) return;
  Watched& seen = watched();
  if (guesses_ && key_->kind == Kind::kAny) seen.guess.add_text(text);
  if (cells_) seen.cells.add(text);
}

// Ids stay where there is nothing else.
std::vector<FoundColumn> NamedFeatures::found() const {
  std::vector<FoundColumn> found;
  std::size_t ids = 0;
  for (const Watched& seen : watched_) {
    if (seen.kind != Kind::kAny) continue;
    Guess guess = seen.guess.is_numbered() ? Guess::kId : seen.guess.of_texts(seen.numbers);
    if (guess == Guess::kId && is_among(schema_.only, seen.name)) guess = Guess::kNone;
    if (guess == Guess::kNone) continue;
    ids += guess == Guess::kId;
    found.push_back({seen.name, guess});
  }
  if (ids == watched_.size()) std::erase_if(found, [](const FoundColumn&) { return true; });
  return found;
}

const char* NamedFeatures::type_of(const Watched& seen) {
  switch (seen.kind) {
    case Kind::kSkipped:
      return "ignored";
    case Kind::kDate:
      return "date";
    case Kind::kText:
      return "text";
    case Kind::kCategory:
      return "category";
    case Kind::kNumber:
      return "number";
    default:
      return seen.numbers > 0 ? "number" : "category";
  }
}

std::vector<ColumnSurvey> NamedFeatures::surveys() const {
  std::vector<ColumnSurvey> surveys;
  for (const Watched& seen : watched_) {
    surveys.push_back(seen.cells.survey(seen.name, type_of(seen)));
  }
  return surveys;
}

}  // namespace soba
