#include "data/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "data/bytes/text.h"
#include "soba/parse.h"

namespace soba {

namespace {

// Shows an enum or a bool as a number; `last` is its highest value.
template <class T>
void visit_small(std::string_view name, T& value, std::int64_t last, StateVisitor& visitor) {
  auto number = static_cast<std::int64_t>(value);
  visitor.field(name, number);
  const bool valid = number >= 0 && number <= last;
  visitor.require(valid, fmt::format("{} is 0 … {}", name, last));
  if (valid && visitor.loading()) value = static_cast<T>(number);
}

// But for capital letters.
bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool distinct(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

bool is_weekday(const Schema& schema, std::string_view name) {
  constexpr std::string_view kWeekday = ".weekday";
  return name.ends_with(kWeekday) &&
         is_among(schema.dates, name.substr(0, name.size() - kWeekday.size()));
}

// How values that are not numbers become features.
void visit_values(Schema& schema, StateVisitor& visitor) {
  visitor.field("schema.vocabulary", schema.vocabulary);
  visitor.require(schema.vocabulary >= 0, "schema.vocabulary is not negative");
  visitor.field("schema.hash_bits", schema.hash_bits);
  visitor.require(schema.hash_bits >= kLeastHashBits && schema.hash_bits <= kMostHashBits,
                  "schema.hash_bits is in its range");
  visit_small("schema.bigrams", schema.bigrams, 1, visitor);
  visit_small("schema.tfidf", schema.tfidf, 1, visitor);
  visitor.field("schema.documents", schema.documents);
  visitor.field("schema.idf", schema.idf);
  visitor.require(
      schema.documents >= 0 && schema.idf.size() <= static_cast<std::size_t>(kMaxFeatures) &&
          all_finite(schema.idf) &&
          std::all_of(schema.idf.begin(), schema.idf.end(), [](double w) { return w >= 1; }),
      "schema.idf has weights from 1 on");
  visitor.require(schema.named_features || (schema.dates.empty() && schema.text.empty()),
                  "schema.dates and schema.text are empty where features are indices");
}

}  // namespace

void Block::append(const Features& x, Label y) {
  index.insert(index.end(), x.index.begin(), x.index.end());
  value.insert(value.end(), x.value.begin(), x.value.end());
  begin.push_back(index.size());
  label.push_back(y);
}

void Block::clear() {
  begin.resize(1);
  index.clear();
  value.clear();
  label.clear();
  found.clear();
  found_text_columns.clear();
}

std::optional<std::int32_t> NameMap::find(std::string_view name) const {
  const auto found = ids_.find(name);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::int32_t NameMap::add(std::string_view name) {
  if (const auto known = find(name)) return *known;
  const std::int32_t id = size();
  names_.emplace_back(name);
  try {
    ids_.emplace(names_.back(), id);
  } catch (...) {
    names_.pop_back();  // both, or neither
    throw;
  }
  return id;
}

void NameMap::rename(std::int32_t id, std::string_view name) {
  std::string old(name);
  ids_.emplace(old, id);
  names_[static_cast<std::size_t>(id)].swap(old);
  ids_.erase(old);
}

void NameMap::truncate(std::int32_t size) {
  for (; this->size() > size; names_.pop_back()) ids_.erase(names_.back());
}

void NameMap::visit(std::string_view field, StateVisitor& visitor) {
  visitor.field(field, names_);
  visitor.require(names_.size() <= static_cast<std::size_t>(kMaxFeatures),
                  fmt::format("{} has at most {} names", field, kMaxFeatures));
  if (!visitor.loading()) return;
  ids_.clear();
  ids_.reserve(names_.size());
  std::int32_t id = 0;
  for (const std::string& name : names_) ids_.emplace(name, id++);
  visitor.require(ids_.size() == names_.size(), fmt::format("the names in {} differ", field));
}

std::string Schema::feature_name(Index j) const {
  if (bias) {
    if (j == 0) return "bias";
    --j;
  }
  if (named_features) return features.name(j);
  return std::to_string(zero_based ? j : j + 1);
}

void Schema::extend(const Block& block) {
  for (const std::string& name : block.found) features.add(name);
  text_columns.insert(text_columns.end(), block.found_text_columns.begin(),
                      block.found_text_columns.end());
  std::sort(text_columns.begin(), text_columns.end());
}

void Schema::visit(StateVisitor& visitor) {
  labels.visit("schema.labels", visitor);
  visitor.require(labels.size() <= kMaxClasses, "schema.labels has at most 2^20 names");
  features.visit("schema.features", visitor);
  visit_small("schema.named_features", named_features, 1, visitor);
  visit_small("schema.zero_based", zero_based, 1, visitor);
  visitor.field("schema.columns", columns);
  visitor.require(!visitor.loading() || distinct(columns), "the names in schema.columns differ");
  visitor.require(named_features || (features.size() == 0 && columns.empty()),
                  "schema.features and schema.columns are empty where features are indices");
  visitor.field("schema.text_columns", text_columns);
  bool valid = true;
  for (std::size_t i = 0; i < text_columns.size(); ++i) {
    valid = valid && text_columns[i] >= (i == 0 ? 0 : text_columns[i - 1] + 1) &&
            static_cast<std::size_t>(text_columns[i]) < columns.size();
  }
  visitor.require(valid, "schema.text_columns are ascending columns");
  if (visitor.version() >= 2) {
    visitor.field("schema.categorical", categorical);
    visitor.field("schema.ignore", ignore);
    visitor.field("schema.only", only);
    visitor.field("schema.dates", dates);
    visitor.field("schema.text", text);
    visitor.field("schema.missing", missing);
    visit_values(*this, visitor);
  } else if (visitor.loading() && named_features) {
    vocabulary = 0;
  }

  visit_small("schema.scale", scale, static_cast<std::int64_t>(Scale::kMinMax), visitor);
  visitor.field("schema.low", low);
  visitor.field("schema.span", span);
  visitor.require(low.size() == span.size(), "schema.low and schema.span have the same size");
  visitor.require(span.size() <= static_cast<std::size_t>(kMaxFeatures),
                  "schema.span has at most 2^24 numbers");
  visitor.require(scale != Scale::kNone || span.empty(), "schema.span is empty without scaling");
  visitor.require(all_finite(low) && all_finite(span), "schema.low and schema.span are finite");
  visitor.require(std::all_of(span.begin(), span.end(), [](double s) { return s >= 0; }),
                  "schema.span is not negative");
  visit_small("schema.normalize", normalize, static_cast<std::int64_t>(Normalize::kL2), visitor);
  visit_small("schema.bias", bias, 1, visitor);
}

// A visitor that does not load only looks.
void Schema::save(StateVisitor& visitor) const { const_cast<Schema*>(this)->visit(visitor); }

std::optional<Index> find_feature(const Schema& schema, std::string_view name) {
  if (schema.named_features) return schema.features.find(name);
  Index index = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data(), end, index);
  if (code != std::errc() || stop != end) return std::nullopt;
  if (!schema.zero_based) --index;
  if (index < 0 || index >= raw_feature_limit(schema)) return std::nullopt;
  return index;
}

std::optional<Index> add_feature(Schema& schema, std::string_view name) {
  const std::optional<Index> known = find_feature(schema, name);
  if (known || !schema.named_features) return known;
  if (schema.features.size() >= raw_feature_limit(schema)) return std::nullopt;
  return schema.features.add(name);
}

std::string no_feature(const Schema& schema, std::string_view name) {
  if (schema.named_features) {
    return fmt::format("more than {} features, with {}", raw_feature_limit(schema), shown(name));
  }
  return fmt::format("expected an index from {} to {} as the name of a feature, found {}",
                     schema.zero_based ? 0 : 1,
                     raw_feature_limit(schema) - (schema.zero_based ? 1 : 0), shown(name));
}

void take_column_options(const SourceOptions& options, Schema& schema) {
  schema.categorical = options.categorical;
  schema.ignore = options.ignore;
  schema.only = options.only;
  schema.dates = options.dates;
  schema.text = options.text;
  schema.missing = options.missing;
  schema.vocabulary = options.vocabulary;
  schema.hash_bits = options.hash_bits;
  schema.bigrams = options.bigrams;
  schema.tfidf = options.text_weight == "tfidf";
}

void copy_column_rules(const Schema& from, Schema& to) {
  to.categorical = from.categorical;
  to.ignore = from.ignore;
  to.only = from.only;
  to.dates = from.dates;
  to.text = from.text;
  to.missing = from.missing;
  to.vocabulary = from.vocabulary;
  to.hash_bits = from.hash_bits;
  to.bigrams = from.bigrams;
  to.tfidf = from.tfidf;
  to.documents = from.documents;
  to.idf = from.idf;
}

std::string unknown_name(std::string_view name, std::span<const std::string> known,
                         std::string_view what) {
  std::string near = nearest(name, known);
  for (const std::string& candidate : known) {
    if (same_word(candidate, name)) near = candidate;
  }
  return fmt::format("{} is not {}; {}", shown(name), what,
                     known.empty()  ? "there is none"
                     : near.empty() ? "there are " + listing(known, 20)
                                    : fmt::format("did you mean {}?", shown(near)));
}

bool is_missing(const Schema& schema, std::string_view cell) {
  static constexpr std::array<std::string_view, 6> kWords = {"NA",   "n/a", "null",
                                                             "none", "nan", "-"};
  const auto is_cell = [&](std::string_view word) { return same_word(word, cell); };
  return schema.missing.empty()
             ? std::any_of(kWords.begin(), kWords.end(), is_cell)
             : std::any_of(schema.missing.begin(), schema.missing.end(), is_cell);
}

bool is_among(std::span<const std::string> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_left_out(const Schema& schema, std::string_view name) {
  return is_among(schema.ignore, name) || (!schema.only.empty() && !is_among(schema.only, name));
}

std::string word_of(Scale scale) {
  return scale == Scale::kMaxAbs ? "maxabs" : scale == Scale::kMinMax ? "minmax" : "none";
}

std::string word_of(Normalize normalize) { return normalize == Normalize::kL2 ? "l2" : "none"; }

Scale scale_of(std::string_view word) {
  return word == "maxabs" ? Scale::kMaxAbs : word == "minmax" ? Scale::kMinMax : Scale::kNone;
}

Normalize normalize_of(std::string_view word) {
  return word == "l2" ? Normalize::kL2 : Normalize::kNone;
}

std::string_view category_of(const Schema& schema, std::string_view feature) {
  if (is_word_feature(schema, feature)) return {};
  for (std::size_t at = feature.find('='); at != std::string_view::npos;
       at = feature.find('=', at + 1)) {
    const std::string_view column = feature.substr(0, at);
    if (schema.columns.empty()) return is_weekday(schema, column) ? std::string_view{} : column;
    const auto here = std::find(schema.columns.begin(), schema.columns.end(), column);
    if (here != schema.columns.end() &&
        is_text_column(schema, static_cast<std::int32_t>(here - schema.columns.begin())) &&
        !is_among(schema.dates, column) && !is_among(schema.text, column)) {
      return column;
    }
  }
  return {};
}

bool is_word_feature(const Schema& schema, std::string_view feature) {
  return std::any_of(schema.text.begin(), schema.text.end(), [&](const std::string& column) {
    return feature.size() > column.size() && feature.starts_with(column) &&
           feature[column.size()] == '~';
  });
}

bool is_text_column(const Schema& schema, std::int32_t column) {
  return std::binary_search(schema.text_columns.begin(), schema.text_columns.end(), column);
}

bool is_of_columns(const Schema& schema, std::string_view feature) {
  if (schema.features.find(feature)) return true;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const std::string& column = schema.columns[i];
    if (!is_text_column(schema, static_cast<std::int32_t>(i))) {
      if (feature == column) return true;
      continue;
    }
    const char behind = is_among(schema.dates, column)  ? '.'
                        : is_among(schema.text, column) ? '~'
                                                        : '=';
    if (feature.size() > column.size() && feature.starts_with(column) &&
        feature[column.size()] == behind) {
      return true;
    }
  }
  return false;
}

}  // namespace soba
