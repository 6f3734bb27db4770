#include "soba/rng.h"

#include <Random123/philox.h>

#include "core/draws.h"

namespace soba {

namespace {

double to_unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace

std::array<std::uint32_t, 4> Rng::words(std::uint64_t event, std::uint32_t block) const {
  const r123::Philox4x32::ctr_type counter = {{static_cast<std::uint32_t>(event),
                                               static_cast<std::uint32_t>(event >> 32),
                                               static_cast<std::uint32_t>(purpose_), block}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

double Rng::uniform(std::uint64_t event) const {
  const auto w = words(event);
  return to_unit(w[0], w[1]);
}

std::uint32_t Draws::word() {
  if (used_ == 4) {
    words_ = rng_.words(event_, block_++);
    used_ = 0;
  }
  return words_[used_++];
}

double Draws::uniform() {
  const std::uint32_t high = word();
  return to_unit(high, word());
}

// Multiply and keep the high half; reject the few low halves that would favour some values
// (Lemire, "Fast random integer generation in an interval", 2019).
std::uint32_t Draws::below(std::uint32_t n) {
  const std::uint32_t threshold = (0U - n) % n;
  for (;;) {
    const std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) >= threshold) {
      return static_cast<std::uint32_t>(product >> 32);
    }
  }
}

// FNV-1a, then a finalizer that spreads short texts over all 64 bits.
std::uint64_t event_of(std::string_view id) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccd;
  return hash ^ hash >> 33;
}

}  // namespace soba
