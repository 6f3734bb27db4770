// The good rows of a reader, with their labels as numbers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/lines.h"
#include "soba/data.h"

namespace soba {

// The rows that were left out.
struct BadRows {
  std::int64_t count = 0;
  std::string first;  // its place and what is wrong with it
};

// NameMap::find for labels, of which there are few and which come again and again: the latest one
// with the same last character is tried first.
class LabelMemory {
 public:
  LabelMemory() { latest_.fill(kNoLabel); }
  // Requires: the same map in every call, which may have grown.
  std::optional<Label> find(const NameMap& labels, std::string_view text);

 private:
  std::array<Label, 256> latest_;
};

class GoodRows {
 public:
  // A label that is not among `labels` makes a row bad if labels are needed, and is no label
  // otherwise; null: any label is good, and stays a text. Bad rows are counted into `bad`, or, if
  // that is null, end the reading. Requires: `labels` and `bad` outlive this.
  GoodRows(std::unique_ptr<RowReader> reader, std::string name, const NameMap* labels,
           bool need_labels, BadRows* bad);

  // The next good row; false at the end. Throws Error{kInput} at a bad one.
  bool next(Row& row, Label& label);

 private:
  void reject(const RowError& error);

  std::unique_ptr<RowReader> reader_;
  std::string name_;
  const NameMap* labels_;
  bool need_labels_;
  BadRows* bad_;
  LabelMemory memory_;
};

}  // namespace soba
