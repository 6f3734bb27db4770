// Ascending numbers from their differences, with SIMD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/formats/cache/format.h"
#include "soba/types.h"

namespace soba {

// So many differences are added up at once.
inline constexpr std::size_t kAtOnce = 8;

// From the differences of one example to its indices. Returns one more than the last index, or, for
// an example without entries, 0.
template <class Difference>
std::uint64_t add_up_one(const char* differences, std::size_t count, Index* out) {
  std::uint64_t next = 0;  // 2³² differences of 32 bits fit
  for (std::size_t i = 0; i < count; ++i) {
    next += load<Difference>(differences + i * sizeof(Difference));
    out[i] = static_cast<Index>(next - 1);
  }
  return next;
}

// The same for every example of a block: example e has the differences begin[e] … begin[e+1]−1, of
// `width` bytes each, and its indices have the same places. Returns one more than the highest
// index. Requires: width is 1, 2 or 4; no difference is 0; kAtOnce differences behind the last one
// can be read, and as many indices written.
std::uint64_t add_up(const char* differences, std::uint8_t width,
                     std::span<const std::size_t> begin, Index* out);

namespace reference {
std::uint64_t add_up(const char* differences, std::uint8_t width,
                     std::span<const std::size_t> begin, Index* out);
}  // namespace reference

}  // namespace soba
