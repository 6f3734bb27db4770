// The entries of a LIBSVM line that are as most are where features are counts or switches, by
// vectors: ` 123:1`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/bytes/digits.h"
#include "data/formats/libsvm/entries.h"

namespace soba {

// A short entry is a space, an index of at most kShortDigits digits, ':' and a digit from 1 to 9,
// followed by a space or the end of the line (or another byte that is not above a space).
inline constexpr unsigned kShortDigits = 4;
// Entries that the output must have room for: the eight that are written at once, and one more.
inline constexpr std::size_t kShortRoom = 9;
// Bytes that are read ahead.
inline constexpr std::size_t kShortReach = 64;

// Whether the entry at p has the length of a short one. If not, a call is not worth it.
inline bool may_be_short(const char* p) {
  const unsigned digits = count_digits(load_word(p + 1));
  return digits <= kShortDigits && static_cast<unsigned char>(p[digits + 3]) <= ' ';
}

// Takes short entries from p on, perhaps not all, while their indices ascend and there is room for
// kShortRoom. Returns where the next entry starts. Requires: kShortReach characters from the end of
// the line on can be read; the file's indices start at `base`.
const char* take_short_entries(const char* p, std::int32_t base, Entries& entries);

namespace reference {
const char* take_short_entries(const char* p, std::int32_t base, Entries& entries);
}  // namespace reference

}  // namespace soba
