// The entries of a LIBSVM line that are as most are where features are counts or switches, by
// vectors: ` 123:1`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/digits.h"
#include "data/entries.h"

namespace soba {

// A blank, an index of so many digits at most, a colon, a digit from 1 to 9, and a blank or a line's
// end behind it (or what else is no more than a blank).
inline constexpr unsigned kShortDigits = 4;
// So many are written at once, of which some may not count, and so far is looked at for it.
inline constexpr std::size_t kEntriesAtOnce = 8, kEntriesReach = 64;

// Whether the entry at p has the length of a short one: if not, why bother.
inline bool may_be_short(const char* p) {
  const unsigned digits = count_digits(load_word(p + 1));
  return digits <= kShortDigits && static_cast<unsigned char>(p[digits + 3]) <= ' ';
}

// Takes short entries from p on, perhaps not all, while their indices ascend and there is room for
// kEntriesAtOnce. Returns where the next entry starts. Requires: kEntriesReach characters at p can be read; the
// file's indices start at `base`.
const char* take_short_entries(const char* p, std::int32_t base, Entries& entries);

namespace reference {
const char* take_short_entries(const char* p, std::int32_t base, Entries& entries);
}  // namespace reference

}  // namespace soba
