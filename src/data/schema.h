// Questions that readers ask a Schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "soba/data.h"

namespace soba {

// Of SourceOptions::hash_bits.
inline constexpr std::int64_t kLeastHashBits = 6, kMostHashBits = 22;

// Raw features are below this: kMaxFeatures, less the bias.
inline Index raw_feature_limit(const Schema& schema) {
  return kMaxFeatures - (schema.bias ? 1 : 0);
}

// The raw feature of that name: a known name, or a valid index where features are indices.
std::optional<Index> find_feature(const Schema& schema, std::string_view name);
// The same, but a new name becomes a new feature. Nothing where features are indices and `name` is
// none, or where there would be more than raw_feature_limit().
std::optional<Index> add_feature(Schema& schema, std::string_view name);
// Why add_feature gave nothing.
std::string no_feature(const Schema& schema, std::string_view name);

// The words of the options for the enums, and back. Requires: `word` is one of them.
std::string word_of(Scale scale);
std::string word_of(Normalize normalize);
Scale scale_of(std::string_view word);
Normalize normalize_of(std::string_view word);

// What the options say of columns, into the schema.
void take_column_options(const SourceOptions& options, Schema& schema);
// The same, from another schema.
void copy_column_rules(const Schema& from, Schema& to);

// What is wrong with a name that is not among the known ones, which are `what`: "a column of the
// model".
std::string unknown_name(std::string_view name, std::span<const std::string> known,
                         std::string_view what);
// Whether a word stands for a missing value: in columns of numbers and dates, and in all where
// Schema::missing lists words. Capital letters make no difference.
bool is_missing(const Schema& schema, std::string_view cell);
// Whether a column or key is among those that the schema ignores, or not among those that it wants
// only.
bool is_left_out(const Schema& schema, std::string_view name);
bool is_among(std::span<const std::string> names, std::string_view name);

// The column or key of a one-hot feature of that name; empty where it is something else.
std::string_view category_of(const Schema& schema, std::string_view feature);
// Whether a feature of that name is of free text.
bool is_word_feature(const Schema& schema, std::string_view feature);

bool is_text_column(const Schema& schema, std::int32_t column);
// Whether the columns may give a feature of that name. Requires: the schema has columns.
bool is_of_columns(const Schema& schema, std::string_view feature);

}  // namespace soba
