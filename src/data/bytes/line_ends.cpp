// Highway compiles this file once for each vector unit and picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/bytes/line_ends.cpp"
#include "data/bytes/line_ends.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>

#include "data/bytes/mask_bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace soba::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kStep = 64;  // characters, for a word of bits
using Tag = hn::CappedTag<std::uint8_t, kStep>;

// Lines are longer than a step as a rule: the first end of a step is written down whether there is
// one or not, so that no branch depends on where lines end.
void FindLineEnds(std::string_view text, LineEnds& found) {
  const Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto line_end = hn::Set(tag, '\n'), sharp = hn::Set(tag, '#');
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto comments = hn::Zero(tag);
  std::uint16_t* place = found.place.data();
  std::size_t i = 0;
  for (; i + kStep <= text.size(); i += kStep) {
    std::uint64_t ends = 0;
    for (std::size_t j = 0; j < kStep; j += lanes) {
      const auto characters = hn::LoadU(tag, bytes + i + j);
      comments = hn::Or(comments, hn::VecFromMask(tag, hn::Eq(characters, sharp)));
      ends |= mask_bits(tag, hn::Eq(characters, line_end)) << j;
    }
    const int count = std::popcount(ends);
    for (int n = 0; n == 0 || n < count; ++n, ends &= ends - 1) {
      place[n] = static_cast<std::uint16_t>(i + static_cast<std::size_t>(std::countr_zero(ends)));
    }
    place += count;
  }
  found.has_comment = !hn::AllFalse(tag, hn::MaskFromVec(comments));
  for (; i < text.size(); ++i) {
    *place = static_cast<std::uint16_t>(i);
    place += text[i] == '\n';
    found.has_comment |= text[i] == '#';
  }
  found.count = static_cast<std::size_t>(place - found.place.data());
}

}  // namespace
}  // namespace soba::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba {

HWY_EXPORT(FindLineEnds);

void find_line_ends(std::string_view text, LineEnds& found) {
  HWY_DYNAMIC_DISPATCH(FindLineEnds)(text, found);
}

void reference::find_line_ends(std::string_view text, LineEnds& found) {
  found.count = 0;
  found.has_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') found.place[found.count++] = static_cast<std::uint16_t>(i);
    if (text[i] == '#') found.has_comment = true;
  }
}

}  // namespace soba
#endif  // HWY_ONCE
