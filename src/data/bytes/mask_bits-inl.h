// Included once for each vector unit, after hwy/highway.h.
#if defined(SOBA_DATA_MASK_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SOBA_DATA_MASK_BITS_INL_H_
#undef SOBA_DATA_MASK_BITS_INL_H_
#else
#define SOBA_DATA_MASK_BITS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "data/bytes/digits.h"

HWY_BEFORE_NAMESPACE();
namespace soba::HWY_NAMESPACE {

// The bits of a mask, the first in the lowest. Requires: at most 64 lanes.
template <class Tag>
std::uint64_t mask_bits(Tag tag, hwy::HWY_NAMESPACE::Mask<Tag> mask) {
  char bytes[8] = {};
  hwy::HWY_NAMESPACE::StoreMaskBits(tag, mask, reinterpret_cast<std::uint8_t*>(bytes));
  return load_word(bytes);
}

}  // namespace soba::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
