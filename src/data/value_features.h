// Features of values that are not numbers: categories, dates and free text. What CSV, JSON Lines,
// caches and the Encoder have in common.
//
// - A category is the one-hot feature "column=value". Once the column has Schema::vocabulary of
//   them, new values share "column=(other)".
// - A date is "column.day" (since 2000-01-01), "column.hour" and the one-hot "column.weekday=mon".
// - Free text is a feature "column~word" for each of its words (data/words.h) and, with
//   Schema::bigrams, "column~one two" for each pair of neighbours. Its value is how often the word
//   comes, with Schema::tfidf times the word's idf; and all of a text's are divided by their
//   Euclidean norm, so that they weigh as much as one category. Words share a feature where the
//   lowest Schema::hash_bits bits of the hash of their features' names (XXH3, 64 bits, seed 0) are
//   the same; it has the name of the word that came first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/bytes/lines.h"
#include "data/date.h"
#include "soba/data.h"

namespace soba {

class ValueFeatures {
 public:
  // Nobody else adds features that are not numbers to the schema. Requires: it outlives this.
  explicit ValueFeatures(Schema& schema);

  // They append to `row`, and the schema learns what is new. False where that is too much, or not
  // UTF-8: then problem() says so.
  bool add_category(std::string_view column, std::string_view value, Row& row);
  bool add_date(std::string_view column, const Date& date, Row& row);
  bool add_text(std::string_view column, std::string_view text, Row& row);
  const std::string& problem() const { return problem_; }

  // The feature that stands for one of this name in other data.
  std::optional<Index> add_named(std::string_view name);
  // Features from `size` on are about to be taken back.
  void undo(Index size);

 private:
  std::optional<Index> feature(std::string_view name);
  std::optional<Index> add_word(std::string_view name);
  std::optional<Index> add_value(std::string_view column, std::string_view name);
  std::size_t slot_of(std::string_view name) const;
  void take_note(Index feature);
  bool add(std::optional<Index> feature, double value, Row& row);
  void add_counted(Row& row);

  Schema& schema_;
  std::vector<Index> slots_;  // the feature of each, or −1; empty without free text
  std::unordered_map<std::string, std::int64_t> values_;  // of each column of categories
  std::vector<Index> words_;                              // of the latest text
  std::string name_, word_, last_word_, problem_;
};

// The weight of a word by the scan: ln((1+n)/(1+m)) + 1 where m of n examples have it.
double idf_of(std::int64_t documents, std::int64_t with_word);

}  // namespace soba
