// The good rows of a reader, with their labels as numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/bytes/lines.h"
#include "soba/data.h"

namespace soba {

// The rows that were left out.
struct BadRows {
  std::int64_t count = 0;
  std::string first;  // its place and what is wrong with it
};

// NameMap::find for labels, of which there are few and which come again and again: they are known
// by a word, and long ones by their names, too.
class LabelMemory {
 public:
  // kNoLabel where it is none. Requires: the same map in every call, which may have grown.
  Label find(const NameMap& labels, std::string_view text) {
    const std::uint64_t word = word_of(text);
    Known& known = known_[word * 0x9E3779B97F4A7C15 >> 56];  // a factor without a pattern
    if (known.word == word && (text.size() <= kInWord || labels.name(known.label) == text)) {
      return known.label;
    }
    const Label label = labels.find(text).value_or(kNoLabel);
    if (label != kNoLabel) known = {word, label};
    return label;
  }

 private:
  static constexpr std::size_t kInWord = 7;  // characters
  struct Known {
    std::uint64_t word = 0;  // of no label
    Label label = kNoLabel;
  };

  // The last characters and, in the highest byte, one more than how many there are in all.
  static std::uint64_t word_of(std::string_view text) {
    std::uint64_t word = 0;
    for (const char c : text.substr(text.size() - std::min(text.size(), kInWord))) {
      word = word << 8 | static_cast<unsigned char>(c);
    }
    return word | (std::min<std::uint64_t>(text.size(), 254) + 1) << 56;
  }

  std::array<Known, 256> known_;
};

// The number that differs from this one by a leading plus alone: +1 is 1. kNoLabel where there is
// none.
Label find_other_sign(const NameMap& labels, std::string_view text);
// Adds a label, unless it is there or its other sign is: the spelling that comes first stays.
void add_label(NameMap& labels, std::string_view text);

class GoodRows {
 public:
  // A label that is not among `labels` makes a row bad if labels are needed, and is no label
  // otherwise; null: any label is good, and stays a text. Bad rows are counted into `bad`, or, if
  // that is null, end the reading. Requires: `labels` and `bad` outlive this.
  GoodRows(std::unique_ptr<RowReader> reader, std::string name, const NameMap* labels,
           bool need_labels, BadRows* bad);

  // The next good row; false at the end. Throws Error{kInput} at a bad one.
  bool next(Row& row, Label& label);
  const std::string& name() const { return name_; }
  bool without_zeros() const { return without_zeros_; }

 private:
  void reject(const RowError& error);

  std::unique_ptr<RowReader> reader_;
  std::string name_;
  const NameMap* labels_;
  bool need_labels_;
  bool without_zeros_;
  BadRows* bad_;
  LabelMemory memory_;
};

}  // namespace soba
