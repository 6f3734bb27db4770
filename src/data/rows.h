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

// NameMap::find for labels, of which there are few and which come again and again: short ones are
// remembered as words.
class LabelMemory {
 public:
  // kNoLabel where it is none. Requires: the same map in every call, which may have grown.
  Label find(const NameMap& labels, std::string_view text) {
    const std::uint64_t word = word_of(text);
    Known& known = known_[word * 0x9E3779B97F4A7C15 >> 56];  // a factor without a pattern
    if (known.word == word) return known.label;
    const Label label = labels.find(text).value_or(kNoLabel);
    if (label != kNoLabel && word != kUnfit) known = {word, label};
    return label;
  }

 private:
  static constexpr std::size_t kLongest = 7;
  static constexpr std::uint64_t kUnfit = ~std::uint64_t{0};
  struct Known {
    std::uint64_t word = 0;  // of no label
    Label label = kNoLabel;
  };

  // The characters, and above them their number.
  static std::uint64_t word_of(std::string_view text) {
    if (text.empty() || text.size() > kLongest) return kUnfit;
    std::uint64_t word = text.size();
    for (const char c : text) word = word << 8 | static_cast<unsigned char>(c);
    return word;
  }

  std::array<Known, 256> known_;
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
