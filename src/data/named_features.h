// Raw features out of named values: the one mechanism behind JSON Lines and the Encoder.
//
// A number is the feature of that name, true is 1 and false 0, a text is the one-hot feature
// "name=value", and nothing is missing. Columns that a CSV file declared keep their kind: one of
// texts takes numbers as texts, one of numbers or dates takes no text but those and the words for a
// missing value; and so do those that the schema's lists name. Where the schema's features are
// indices, the name of a feature is its index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "data/bytes/lines.h"
#include "data/column_notes.h"
#include "data/value_features.h"
#include "soba/data.h"
#include "soba/value.h"

namespace soba {

// What becomes of a name that the schema does not know.
enum class Unknown { kRefuse, kIgnore, kLearn };
// The one that a word names, for "auto" what suits the schema. Throws Error{kUsage}.
Unknown unknown_of(std::string_view word, const Schema& schema);

class NamedFeatures {
 public:
  // Requires: `schema` outlives this.
  explicit NamedFeatures(Schema& schema, Unknown unknown = Unknown::kLearn);

  // From now on the values of names are looked at: of names that no list of the schema names, what
  // they hold (guesses), or of all (cells). Requires: no x so far.
  void watch(bool guesses, bool cells) {
    guesses_ = guesses;
    cells_ = cells;
  }
  // The names that turned out to be ids, dates or free text.
  std::vector<FoundColumn> found() const;
  std::vector<ColumnSurvey> surveys() const;
  // Whether look() at the value of a name that is skipped makes a difference.
  bool looks() const { return cells_ && key_ != &stranger_; }
  void look(std::string_view text) { watched().cells.add(text); }

  // Begins an x, into `row`. Requires: `row` stays until finish().
  void begin(Row& row);
  // The next name; its value follows in put(), until when the name must stay where it is. False
  // where something is wrong with it, which problem() says.
  bool name(std::string_view name);
  // The value of the latest name. False where something is wrong with it.
  bool put(const Value& value) {
    if (skips()) return true;
    const Value::Variant& held = value.held();
    if (const auto* number = std::get_if<double>(&held)) return put_number(*number, value);
    if (const auto* integer = std::get_if<std::int64_t>(&held)) {
      return put_number(static_cast<double>(*integer), value);
    }
    if (const auto* large = std::get_if<std::uint64_t>(&held)) {
      return put_number(static_cast<double>(*large), value);
    }
    if (const auto* flag = std::get_if<bool>(&held)) return put_number(*flag ? 1 : 0, value);
    if (const auto* text = std::get_if<std::string_view>(&held)) return put_text(*text);
    return true;
  }
  // The caller does not like the value either.
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  const std::string& problem() const { return problem_; }
  // Whether the value of the latest name does not matter.
  bool skips() const { return key_->kind == Kind::kSkipped; }
  // Takes back what the latest x added, to the schema too.
  void undo();
  std::int64_t ignored() const { return ignored_; }  // names so far
  // Sorts the row; explicit zeros stay. Returns a feature that was put twice, if any.
  std::optional<Index> finish();

  const Schema& schema() const { return schema_; }

 private:
  // kAny: the type of the value decides.
  enum class Kind : char { kAny, kNumber, kCategory, kDate, kText, kSkipped };
  struct Key {
    Index feature = -1;  // for numbers, once there was one
    Kind kind = Kind::kAny;
    std::int64_t seen = 0;      // the latest x that had it
    std::int32_t next = -1;     // the name that came after it the last time
    std::int32_t watched = -1;  // its place in watched_
  };
  struct Watched {
    std::string name;
    Kind kind;
    ColumnGuess guess;
    std::int64_t numbers = 0;
    ColumnCells cells;
  };

  // The number of a name: most often that which followed the one before in an earlier x, too.
  std::optional<std::int32_t> find_name(std::string_view name);
  void add_name(std::string_view name, Kind kind);
  Kind kind_of(std::string_view name) const;
  bool put_number(double number, const Value& value);
  bool put_text(std::string_view text);
  bool put_date(std::string_view text);
  bool put_words(std::string_view text);  // a category or free text
  Watched& watched();
  static const char* type_of(const Watched& seen);  // as a survey calls it
  void watch_text(std::string_view text);

  Schema& schema_;
  NameMap names_;
  std::vector<Key> keys_;  // beside names_
  std::int64_t count_ = 0;
  std::int32_t first_ = -1;   // the name that the latest x began with
  std::int32_t latest_ = -1;  // the name read last in this x, where it is kept
  Unknown unknown_;
  std::int32_t names_before_ = 0, features_before_ = 0;  // the latest x
  std::int64_t ignored_ = 0;
  Row* row_ = nullptr;
  std::string_view name_;
  Key stranger_{.kind = Kind::kSkipped};  // names that are ignored are not kept
  Key* key_ = nullptr;
  ValueFeatures values_;
  bool guesses_ = false, cells_ = false;
  std::vector<Watched> watched_;
  std::string problem_;
  RowSorter sorter_;
};

}  // namespace soba
