// The entries of a LIBSVM line, as nearly all lines have them: what is read of them quickly.
// LibsvmReader::parse() is for the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "data/bytes/digits.h"
#include "data/bytes/lines.h"
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

// Reads indices. In ascending order most have as many digits as the one before: a guess that the
// processor can run ahead on, where a computed length would make each index wait for the one before
// it.
class IndexScanner {
 public:
  // The index at p. Returns the place of its colon, or null.
  const char* scan(const char* p, std::int32_t& index) {
    const std::uint64_t word = load_word(p);
    if ((marked_strangers(word) & (mark_ | (mark_ - 1))) != mark_) [[unlikely]] {
      digits_ = count_digits(word);
      if (digits_ == 0 || digits_ > kLongest) return nullptr;
      mark_ = std::uint64_t{0x80} << 8 * digits_;
    }
    index = static_cast<std::int32_t>(digits_value(word, digits_));
    p += digits_;
    return *p == ':' ? p : nullptr;
  }

 private:
  // An index of seven digits is never too large, so that only their order is looked at.
  static constexpr unsigned kLongest = 7;
  static_assert(kMaxFeatures - 1 > 9'999'999);

  unsigned digits_ = 1;
  std::uint64_t mark_ = 0x8000;  // marked_strangers() has it behind so many digits
};

}  // namespace soba
