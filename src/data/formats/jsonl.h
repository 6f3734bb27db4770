// JSON Lines: one object a line, {"label": …, "x": {name: value, …}} or {"label": …, "x": [v0, v1,
// …]}.
//
// A value is a number, a boolean (1 or 0), a text (the one-hot feature "name=value") or null
// (missing). The elements of an array are called "0", "1", …; where the model's features are
// indices, element i is simply feature i, and the name of a feature is its index. A label is a
// text, a whole number or a boolean. Other keys of the line are left alone.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/lines.h"
#include "data/named_features.h"
#include "soba/data.h"

namespace soba {

// Turns the "x" of a line or of a request into raw features.
class JsonFeatures {
 public:
  // Requires: `schema` outlives this.
  explicit JsonFeatures(Schema& schema, Unknown unknown = Unknown::kLearn)
      : features_(schema, unknown) {}

  struct Problem {
    std::optional<std::size_t> entry;  // which entry of x, from 0; none: x itself
    std::string message;
  };
  // Fills row.index and row.value (sorted; explicit zeros stay). Returns what is wrong with x, if
  // anything.
  std::optional<Problem> read(simdjson::dom::element x, Row& row);
  // See NamedFeatures.
  void undo() { features_.undo(); }
  NamedFeatures& names() { return features_; }
  std::int64_t ignored() const { return features_.ignored(); }

 private:
  bool read_entry(std::string_view name, simdjson::dom::element value);
  std::optional<Problem> read_positions(simdjson::dom::array x, Row& row) const;

  NamedFeatures features_;
};

class JsonlReader : public RowReader {
 public:
  // A name that is not a column of a schema that has columns is refused. `discover`: at the end
  // `notes` has the names that are ids, dates or free text. Requires: `schema` and `notes` outlive
  // the reader. Throws Error{kUsage} if `label` is "x".
  JsonlReader(std::unique_ptr<ByteSource> bytes, Schema& schema, ColumnNotes& notes,
              std::string label, bool need_labels, bool discover);

  RowStatus next(Row& row, RowError& error) override;
  std::int64_t label_column() const override;

 private:
  bool parse(Row& row, RowError& error);
  void keep_notes();
  bool read_label(simdjson::dom::element value, Row& row);
  // Without a key the line as a whole is wrong.
  bool fail(std::optional<std::string_view> key, std::optional<std::size_t> entry,
            std::string message, RowError& error) const;

  LineReader lines_;
  std::string_view line_;
  simdjson::dom::parser parser_;
  JsonFeatures features_;
  ColumnNotes& notes_;
  std::string label_;
  bool discover_;
  bool need_labels_;
  std::string label_text_;
};

// The place (from 0) in `line` where JSON stops making sense; nothing if it makes sense to the end.
std::optional<std::size_t> json_error_place(std::string_view line);
// The place of the value of `key` in the object `line`; with `entry`, of that entry within it.
// Requires: `line` is valid JSON. 0 where there is none.
std::size_t json_place(std::string_view line, std::string_view key,
                       std::optional<std::size_t> entry);

}  // namespace soba
