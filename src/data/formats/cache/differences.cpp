// Highway compiles this file once for each vector unit and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/formats/cache/differences.cpp"
#include "data/formats/cache/differences.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace soba::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <class Difference>
std::uint64_t add_up_any(const char* differences, std::size_t count, Index* out) {
  return add_up_one<Difference>(differences, count, out);
}

#else

// The sums of so many differences of up to 16 bits are numbers of 32 bits.
constexpr std::size_t kShortExample = std::size_t{1} << 16;

using Words = hn::FixedTag<std::uint16_t, 8>;
using Wide = hn::FixedTag<std::uint32_t, 4>;
using WideVec = hn::Vec<Wide>;

// Eight differences, and the sums of the first, the first two, …, in two halves.
HWY_INLINE void sum_eight(const std::uint8_t* at, std::uint8_t /*type*/, WideVec& low,
                          WideVec& high) {
  const Words words;
  const Wide wide;
  auto sums = hn::PromoteTo(words, hn::LoadU(hn::FixedTag<std::uint8_t, 8>(), at));
  sums = hn::Add(sums, hn::ShiftLeftLanes<1>(words, sums));
  sums = hn::Add(sums, hn::ShiftLeftLanes<2>(words, sums));
  sums = hn::Add(sums, hn::ShiftLeftLanes<4>(words, sums));
  low = hn::PromoteTo(wide, hn::LowerHalf(sums));
  high = hn::PromoteTo(wide, hn::UpperHalf(hn::FixedTag<std::uint16_t, 4>(), sums));
}

HWY_INLINE void sum_eight(const std::uint8_t* at, std::uint16_t /*type*/, WideVec& low,
                          WideVec& high) {
  const Words words;
  const Wide wide;
  const auto both = hn::BitCast(words, hn::LoadU(hn::FixedTag<std::uint8_t, 16>(), at));
  low = hn::PromoteTo(wide, hn::LowerHalf(both));
  high = hn::PromoteTo(wide, hn::UpperHalf(hn::FixedTag<std::uint16_t, 4>(), both));
  for (WideVec* const half : {&low, &high}) {
    *half = hn::Add(*half, hn::ShiftLeftLanes<1>(wide, *half));
    *half = hn::Add(*half, hn::ShiftLeftLanes<2>(wide, *half));
  }
  high = hn::Add(high, hn::Broadcast<3>(low));
}

// add_up_one for up to kShortExample differences. What it writes behind the last index is written
// again by the next example.
template <class Difference>
HWY_INLINE std::uint64_t add_up_short(const char* differences, std::size_t count, Index* out) {
  const Wide wide;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(differences);
  auto* const places = reinterpret_cast<std::uint32_t*>(out);
  WideVec last = hn::Set(wide, 0xFFFFFFFFU);  // −1 in every place
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    WideVec low, high;
    sum_eight(bytes + i * sizeof(Difference), Difference{}, low, high);
    low = hn::Add(low, last);
    high = hn::Add(high, last);
    hn::StoreU(low, wide, places + i);
    hn::StoreU(high, wide, places + i + kAtOnce / 2);
    last = hn::Broadcast<3>(high);
  }
  return count == 0 ? 0 : static_cast<std::uint32_t>(out[count - 1]) + std::uint64_t{1};
}

template <class Difference>
HWY_INLINE std::uint64_t add_up_any(const char* differences, std::size_t count, Index* out) {
  return count <= kShortExample ? add_up_short<Difference>(differences, count, out)
                                : add_up_one<Difference>(differences, count, out);
}

#endif  // HWY_SCALAR

template <class Difference>
HWY_INLINE std::uint64_t add_up_all(const char* differences, std::span<const std::size_t> begin,
                                    Index* out) {
  std::uint64_t most = 0;
  for (std::size_t e = 0; e + 1 < begin.size(); ++e) {
    const std::size_t first = begin[e], count = begin[e + 1] - first;
    const char* const own = differences + first * sizeof(Difference);
    most = std::max(most, add_up_any<Difference>(own, count, out + first));
  }
  return most;
}

std::uint64_t AddUpBytes(const char* differences, std::span<const std::size_t> begin, Index* out) {
  return add_up_all<std::uint8_t>(differences, begin, out);
}

std::uint64_t AddUpWords(const char* differences, std::span<const std::size_t> begin, Index* out) {
  return add_up_all<std::uint16_t>(differences, begin, out);
}

}  // namespace
}  // namespace soba::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba {

namespace {

template <class Difference>
std::uint64_t add_up_plain(const char* differences, std::span<const std::size_t> begin,
                           Index* out) {
  std::uint64_t most = 0;
  for (std::size_t e = 0; e + 1 < begin.size(); ++e) {
    const std::size_t first = begin[e], count = begin[e + 1] - first;
    const char* const own = differences + first * sizeof(Difference);
    most = std::max(most, add_up_one<Difference>(own, count, out + first));
  }
  return most;
}

}  // namespace

HWY_EXPORT(AddUpBytes);
HWY_EXPORT(AddUpWords);

std::uint64_t add_up(const char* differences, std::uint8_t width,
                     std::span<const std::size_t> begin, Index* out) {
  if (width == 1) return HWY_DYNAMIC_DISPATCH(AddUpBytes)(differences, begin, out);
  if (width == 2) return HWY_DYNAMIC_DISPATCH(AddUpWords)(differences, begin, out);
  return add_up_plain<std::uint32_t>(differences, begin, out);
}

std::uint64_t reference::add_up(const char* differences, std::uint8_t width,
                                std::span<const std::size_t> begin, Index* out) {
  if (width == 1) return add_up_plain<std::uint8_t>(differences, begin, out);
  if (width == 2) return add_up_plain<std::uint16_t>(differences, begin, out);
  return add_up_plain<std::uint32_t>(differences, begin, out);
}

}  // namespace soba
#endif  // HWY_ONCE
