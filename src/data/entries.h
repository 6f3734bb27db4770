// The quick loop over the entries of a LIBSVM line, on 64-bit words (data/digits.h): of what nearly
// all lines are made, and nothing else; LibsvmReader::parse() is for the rest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "data/digits.h"
#include "data/lines.h"
#include "soba/types.h"

namespace soba {

// The entries that a line has so far, in a row's vectors: not through them, or the compiler would
// look up their places again after each store.
struct Entries {
  // As many as there is room for without a new allocation, or more.
  void make_room(Row& row) {
    room = std::max(std::min(row.index.capacity(), row.value.capacity()),
                    std::max<std::size_t>(64, 2 * count));
    row.index.resize(room);
    row.value.resize(room);
    index = row.index.data();
    value = row.value.data();
  }

  Index* index = nullptr;
  double* value = nullptr;
  std::size_t count = 0, room = 0;
  std::int32_t last = 0;  // the last index, as it is in the text
};

// What an entry with an index of a given length looks like in 64-bit words, which start at its blank
// or at its index.
struct EntryShape {
  std::uint64_t mark = 0, marks = 0;  // marked_strangers() behind the digits, and where to look
  // The characters of a short entry, and how far each may be above them (by exclusive or): added,
  // what is further sets the high bit. Digits by 9, the blank and the colon not at all; what is
  // behind the value may be all that is no more than a blank.
  std::uint64_t pattern = 0, slack = kHighBits;
  unsigned digits = 0, shift = 0;  // the shift puts the last digit of the index into byte 4

  static constexpr std::uint64_t kHighBits = 0x8080808080808080;

  constexpr explicit EntryShape(unsigned length)
      : mark(std::uint64_t{0x80} << (8 * length)), marks(mark | (mark - 1)), digits(length) {
    if (length > 4) return;  // never short: with this slack every byte overruns
    const unsigned behind = 8 * (length + 1);
    const std::uint64_t index = ((std::uint64_t{1} << (8 * length)) - 1) << 8;
    pattern = 0x20 | (0x3030303030303030 & index) | std::uint64_t{0x303A} << behind;
    slack = 0x7F | (0x7676767676767676 & index) | std::uint64_t{0x5F767F} << behind;
    shift = 8 * (4 - length);
  }

  std::uint64_t overruns(std::uint64_t found) const {
    return ((found + slack) | found) & kHighBits;
  }
};

// Reads ` index:value`. In ascending order most indices have as many digits as the one before: a
// guess that the processor can run ahead on, where a computed length would make each index wait for
// the one before it.
class EntryScanner {
 public:
  explicit EntryScanner(std::int32_t base) : base_(base) {}

  // Takes the entries that are as most are where features are counts or switches, ` 123:1` with an
  // index as long as the last and of at most four digits, while they ascend and there is room.
  // Returns where the next one starts.
  const char* take_short(const char* p, Entries& entries) const {
    const EntryShape shape = *shape_;
    Entries into = entries;  // in registers
    while (into.count != into.room) {
      const std::uint64_t found = load_word(p) ^ shape.pattern;
      if (shape.overruns(found) != 0) break;
      const std::uint64_t aligned = found << shape.shift;
      const auto number =
          static_cast<std::int32_t>(four_digits_value(static_cast<std::uint32_t>(aligned >> 8)));
      if (number <= into.last) break;
      const auto value = static_cast<std::int32_t>(aligned >> 48 & 0xF);
      into.last = number;
      into.index[into.count] = number - base_;
      into.value[into.count] = value;
      into.count += value != 0;
      p += shape.digits + 3;
    }
    entries = into;
    return p;
  }

  // Whether the index at p has another length than the last, which is looked for from now on.
  bool adapt(const char* p) {
    const std::uint64_t strangers = marked_strangers(load_word(p));
    if ((strangers & shape_->marks) == shape_->mark) [[likely]]
      return false;
    const auto digits = static_cast<std::size_t>(std::countr_zero(strangers)) / 8;
    if (digits == 0 || digits > kLongest) return false;
    shape_ = &kShapes[digits - 1];
    return true;
  }

  // The index at p. Returns the place of its colon, or null.
  const char* scan_index(const char* p, std::int32_t& index) const {
    const std::uint64_t word = load_word(p);
    if ((marked_strangers(word) & shape_->marks) != shape_->mark) return nullptr;
    index = static_cast<std::int32_t>(digits_value(word, shape_->digits));
    p += shape_->digits;
    return *p == ':' ? p : nullptr;
  }

 private:
  // An index of seven digits is never too large, so that only their order is looked at.
  static constexpr std::size_t kLongest = 7;
  static_assert(kMaxFeatures - 1 > 9'999'999);
  static constexpr EntryShape kShapes[kLongest] = {EntryShape(1), EntryShape(2), EntryShape(3),
                                                   EntryShape(4), EntryShape(5), EntryShape(6),
                                                   EntryShape(7)};
  std::int32_t base_;
  const EntryShape* shape_ = kShapes;
};

}  // namespace soba
