// Raw features out of named values: the one mechanism behind JSON Lines and the Encoder.
//
// A number is the feature of that name, true is 1 and false 0, a text is the one-hot feature
// "name=value", and nothing is missing. Columns that a CSV file declared keep their kind: one of
// texts takes numbers as texts, one of numbers takes no text. Where the schema's features are
// indices, the name of a feature is its index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/lines.h"
#include "soba/data.h"
#include "soba/value.h"

namespace soba {

class NamedFeatures {
 public:
  // Requires: `schema` outlives this.
  explicit NamedFeatures(Schema& schema);

  // Begins an x, into `row`. Names that the schema does not know are added to it with `add_new`, and
  // left out without. Requires: `row` stays until finish().
  void begin(bool add_new, Row& row);
  // The next name; its value follows in put(), until when the name must stay where it is. Returns
  // what is wrong with it, if anything.
  std::optional<std::string> name(std::string_view name);
  // The value of the latest name. Returns what is wrong with it, if anything.
  std::optional<std::string> put(const Value& value);
  // Sorts the row; explicit zeros stay. Returns a feature that was put twice, if any.
  std::optional<Index> finish();

  const Schema& schema() const { return schema_; }

 private:
  enum class Kind : char { kAny, kNumber, kText };  // kAny: the type of the value decides
  struct Key {
    Index feature = -1;  // for numbers, once there was one
    Kind kind = Kind::kAny;
    std::int64_t seen = 0;   // the latest x that had it
    std::int32_t next = -1;  // the name that came after it the last time
  };

  // The number of a name: most often that which followed the one before in an earlier x, too.
  std::optional<std::int32_t> find_name(std::string_view name);
  std::optional<std::string> put_number(double number, const Value& value);
  std::optional<std::string> put_text(std::string_view text);

  Schema& schema_;
  NameMap names_;
  std::vector<Key> keys_;  // beside names_
  std::int64_t count_ = 0;
  std::int32_t first_ = -1;   // the name that the latest x began with
  std::int32_t latest_ = -1;  // the name read last in this x, where it is kept
  bool add_new_ = true;
  Row* row_ = nullptr;
  std::string_view name_;
  Key stranger_;  // without add_new no names are kept, so that memory stays bounded
  Key* key_ = nullptr;
  std::string text_;
  RowSorter sorter_;
};

}  // namespace soba
