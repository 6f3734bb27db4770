// Highway compiles this file once for each vector unit and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/formats/libsvm/short_entries.cpp"
#include "data/formats/libsvm/short_entries.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "data/bytes/mask_bits-inl.h"

// Once for all vector units.
#ifndef SOBA_DATA_SHORT_ENTRIES_SHAPES_
#define SOBA_DATA_SHORT_ENTRIES_SHAPES_
namespace soba {
namespace {

// What two entries with indices of the same length look like in 16 characters.
struct PairShape {
  alignas(16) std::uint8_t least[16] = {};  // the lowest character in each place
  alignas(16) std::uint8_t above[16] = {};  // how far others may be above it
  // Which of the characters are digits of the first and of the second index, four bytes each, and
  // of the two values. The highest digit is in the lowest byte of a word, and where there is none,
  // a zero.
  alignas(16) std::uint8_t from[16] = {};
  unsigned length = 0;           // of an entry
  std::uint32_t per_length = 0;  // 2¹⁶/length, rounded up

  constexpr explicit PairShape(unsigned digits)
      : length(digits + 3), per_length((65535 + length) / length) {
    for (unsigned i = 0; i < 16; ++i) {
      allow(i, 0, 255);
      from[i] = 255;  // nothing
    }
    for (unsigned entry = 0; entry < 2; ++entry) {
      const unsigned blank = entry * length, colon = blank + digits + 1;
      allow(blank, ' ', ' ');
      for (unsigned i = 1; i <= digits; ++i) {
        allow(blank + i, '0', '9');
        from[byte_of_word(entry, 4 - digits + i - 1)] = static_cast<std::uint8_t>(blank + i);
      }
      allow(colon, ':', ':');
      allow(colon + 1, '1', '9');
      from[byte_of_word(2 + entry, 0)] = static_cast<std::uint8_t>(colon + 1);
    }
    allow(2 * length, 0, ' ');
  }

 private:
  constexpr void allow(unsigned place, unsigned lowest, unsigned highest) {
    least[place] = static_cast<std::uint8_t>(lowest);
    above[place] = static_cast<std::uint8_t>(highest - lowest);
  }
  static constexpr unsigned byte_of_word(unsigned word, unsigned byte) {
    return 4 * word + (std::endian::native == std::endian::little ? byte : 3 - byte);
  }
};

constexpr PairShape kPairShapes[kShortDigits] = {PairShape(1), PairShape(2), PairShape(3),
                                                 PairShape(4)};

}  // namespace
}  // namespace soba
#endif  // SOBA_DATA_SHORT_ENTRIES_SHAPES_

HWY_BEFORE_NAMESPACE();
namespace soba::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_SCALAR  // has no vectors

const char* TakeShortEntries(const char* p, std::int32_t base, Entries& entries) {
  return reference::take_short_entries(p, base, entries);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

#undef SOBA_TWO_BLOCKS
#if HWY_MAX_BYTES >= 32 && !HWY_HAVE_SCALABLE
#define SOBA_TWO_BLOCKS 1
#else
#define SOBA_TWO_BLOCKS 0
#endif
// A block of 128 bits holds a pair of entries as text, or four of them as numbers.
constexpr std::size_t kBlocks = SOBA_TWO_BLOCKS ? 2 : 1;
constexpr std::size_t kStep = 4 * kBlocks;
static_assert(kStep < kShortRoom && (kStep - 2) * (kShortDigits + 3) + 16 <= kShortReach);

using Bytes = hn::FixedTag<std::uint8_t, 16 * kBlocks>;
using Words = hn::Repartition<std::uint32_t, Bytes>;
using Numbers = hn::Repartition<std::int32_t, Bytes>;
using Doubles = hn::Repartition<double, Bytes>;
using Halves = hn::Repartition<std::uint64_t, Bytes>;

// Every other pair of entries, each into its block.
hn::Vec<Bytes> load_pairs(const char* p, [[maybe_unused]] std::size_t length) {
  const auto* const text = reinterpret_cast<const std::uint8_t*>(p);
#if SOBA_TWO_BLOCKS
  const hn::Half<Bytes> block;
  return hn::Combine(Bytes(), hn::LoadU(block, text + 4 * length), hn::LoadU(block, text));
#else
  return hn::LoadU(Bytes(), text);
#endif
}

// What is before each of the numbers; before the first the last of `last`.
hn::Vec<Numbers> before(hn::Vec<Numbers> number, hn::Vec<Numbers> last) {
#if SOBA_TWO_BLOCKS
  last = hn::ConcatLowerUpper(Numbers(), number, last);
#endif
  return hn::CombineShiftRightBytes<12>(Numbers(), number, last);
}

// The numbers of four digits each, the first digit in the lowest byte: first pairs of them become
// numbers below 100.
hn::Vec<Words> four_digits(hn::Vec<Words> x) {
  const auto tens = hn::Add(hn::ShiftLeft<3>(x), hn::ShiftLeft<1>(x));
  const auto pairs = hn::And(hn::Add(tens, hn::ShiftRight<8>(x)), hn::Set(Words(), 0x00FF00FFU));
  return hn::ShiftRight<16>(hn::Mul(pairs, hn::Set(Words(), 0x00640001U)));
}

// How many entries have nothing but good characters, of which those of even and of odd pairs are
// given.
std::size_t count_good(std::uint64_t even, std::uint64_t odd, const PairShape& shape) {
  const unsigned pair = 2 * shape.length;
  const std::uint64_t used = (std::uint64_t{1} << pair) - 1;
  std::uint64_t good = 0;
  for (unsigned block = 0; block < kBlocks; ++block) {
    const std::uint64_t both = (even >> 16 * block & used) | (odd >> 16 * block & used) << pair;
    good |= both << 2 * pair * block;
  }
  return static_cast<std::uint32_t>(std::countr_one(good)) * shape.per_length >> 16;
}

// Entries with indices of the same length. In ascending order nearly all of a line are in a few
// such runs; where the next step's text is does not wait for what this one finds.
const char* take_run(const char* p, std::int32_t base, const PairShape& shape, Entries& into) {
  const Bytes bytes;
  const Numbers numbers;
  const Doubles doubles;
  const Halves halves;
  const auto least = hn::LoadDup128(bytes, shape.least);
  const auto above = hn::LoadDup128(bytes, shape.above);
  const auto from = hn::LoadDup128(bytes, shape.from);
  const auto first = hn::Set(numbers, base), one = hn::Set(numbers, 1);
  const std::size_t length = shape.length;
  auto last = hn::Set(numbers, into.last);
  std::size_t taken = kStep, count = into.count;
  while (taken == kStep && count + kShortRoom <= into.room) {
    const auto even = hn::Sub(load_pairs(p, length), least);
    const auto odd = hn::Sub(load_pairs(p + 2 * length, length), least);
    const auto even_digits = hn::BitCast(halves, hn::TableLookupBytesOr0(even, from));
    const auto odd_digits = hn::BitCast(halves, hn::TableLookupBytesOr0(odd, from));
    const auto number = hn::BitCast(
        numbers,
        four_digits(hn::BitCast(Words(), hn::InterleaveLower(halves, even_digits, odd_digits))));
    const auto value =
        hn::Add(hn::BitCast(numbers, hn::InterleaveUpper(halves, even_digits, odd_digits)), one);
    hn::StoreU(hn::Sub(number, first), numbers, into.index + count);
    hn::StoreU(hn::PromoteTo(doubles, hn::LowerHalf(value)), doubles, into.value + count);
    hn::StoreU(hn::PromoteTo(doubles, hn::UpperHalf(hn::Half<Numbers>(), value)), doubles,
               into.value + count + kStep / 2);

    const auto even_good = hn::Eq(hn::Min(even, above), even);
    const auto odd_good = hn::Eq(hn::Min(odd, above), odd);
    const auto ascends = hn::Gt(number, before(number, last));
    const auto ascends_bytes = hn::BitCast(bytes, hn::VecFromMask(numbers, ascends));
    last = number;
    if (!hn::AllTrue(bytes,
                     hn::And(hn::And(even_good, odd_good), hn::MaskFromVec(ascends_bytes)))) {
      const auto ascending = static_cast<std::size_t>(std::countr_one(mask_bits(numbers, ascends)));
      taken = std::min(ascending,
                       count_good(mask_bits(bytes, even_good), mask_bits(bytes, odd_good), shape));
      // Perhaps the value of the last of them goes on.
      if (taken > 0 && static_cast<unsigned char>(p[taken * length]) > ' ') --taken;
    }
    count += taken;
    p += taken * length;
  }
  if (count > into.count) into.last = into.index[count - 1] + base;
  into.count = count;
  return p;
}

const char* TakeShortEntries(const char* p, std::int32_t base, Entries& entries) {
  unsigned digits = count_digits(load_word(p + 1));
  if (digits == 0) return p;
  Entries into = entries;  // in registers
  for (; digits <= kShortDigits; ++digits) {
    p = take_run(p, base, kPairShapes[digits - 1], into);
    if (*p != ' ' || p[digits + 2] != ':') break;  // no blank and index of one digit more
  }
  entries = into;
  return p;
}

#endif  // HWY_TARGET

}  // namespace
}  // namespace soba::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba {

HWY_EXPORT(TakeShortEntries);

const char* take_short_entries(const char* p, std::int32_t base, Entries& entries) {
  return HWY_DYNAMIC_DISPATCH(TakeShortEntries)(p, base, entries);
}

const char* reference::take_short_entries(const char* p, std::int32_t base, Entries& entries) {
  while (*p == ' ' && entries.count + kShortRoom <= entries.room) {
    std::int32_t number = 0;
    const char* digit = p + 1;
    for (; *digit >= '0' && *digit <= '9' && digit != p + 1 + kShortDigits; ++digit) {
      number = number * 10 + (*digit - '0');
    }
    const char value = digit[1];
    const bool is_short = digit != p + 1 && digit[0] == ':' && value >= '1' && value <= '9' &&
                          static_cast<unsigned char>(digit[2]) <= ' ';
    if (!is_short || number <= entries.last) break;
    entries.last = number;
    entries.index[entries.count] = number - base;
    entries.value[entries.count] = value - '0';
    ++entries.count;
    p = digit + 2;
  }
  return p;
}

}  // namespace soba
#endif  // HWY_ONCE
