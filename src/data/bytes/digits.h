// Decimal digits eight at a time: a 64-bit word holds eight characters, the first in its lowest
// byte. For the inner loops of readers; data/text.h has the general ways.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace soba {

// The eight characters at `p`, which must be there to be read.
inline std::uint64_t load_word(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

// The highest bit of each byte that is no digit; right up to and including the first of them.
inline std::uint64_t marked_strangers(std::uint64_t word) {
  const std::uint64_t low = word ^ 0x3030303030303030;  // 0 … 9 for digits
  return ((low + 0x7676767676767676) | low) & 0x8080808080808080;
}

// How many digits the word starts with, 0 … 8.
inline unsigned count_digits(std::uint64_t word) {
  return static_cast<unsigned>(std::countr_zero(marked_strangers(word))) / 8;
}

// The number that the first `count` digits of the word are. Requires: 1 <= count <= 8. First pairs
// of digits become numbers below 100, then these two numbers below 10,000, then these one.
inline std::uint32_t digits_value(std::uint64_t word, unsigned count) {
  std::uint64_t x = (word ^ 0x3030303030303030) << (64 - 8 * count);
  x = x * 10 + (x >> 8);
  constexpr std::uint64_t kPair = 0x000000FF000000FF;
  x = (x & kPair) * 0x000F424000000064 + (x >> 16 & kPair) * 0x0000271000000001;
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace soba
