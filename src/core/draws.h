// Many draws for one event, where Rng::uniform() is the first alone.
#pragma once

#include <array>
#include <cstdint>

#include "soba/rng.h"

namespace soba {

// The draws of one event, one after the other.
class Draws {
 public:
  Draws(const Rng& rng, std::uint64_t event) : rng_(rng), event_(event) {}

  std::uint32_t word();
  double uniform();
  // Uniform in {0, …, n−1}, without bias. Requires: n >= 1.
  std::uint32_t below(std::uint32_t n);

 private:
  Rng rng_;
  std::uint64_t event_;
  std::uint32_t block_ = 0;
  std::uint32_t used_ = 4;
  std::array<std::uint32_t, 4> words_{};
};

}  // namespace soba
