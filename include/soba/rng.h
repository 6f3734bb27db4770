// Counter-based randomness: a draw is a pure function of (seed, purpose, event), so results do not
// depend on threads, batches or restarts, and a single draw can be recomputed years later.
// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace soba {

// Separate streams under one seed. The values are part of what makes old runs repeatable: never
// renumber.
enum class Purpose : std::uint32_t {
  kExploration = 1,
  kShuffle = 2,
  kTopics = 3,      // the class vectors of a synthetic stream
  kExamples = 4,    // its examples
  kDecisions = 5,   // draws by the text of an id, where kExploration draws by the number of a round
  kAcceptance = 6,  // of a log's decisions, by rejection sampling
};

class Rng {
 public:
  Rng(std::uint64_t seed, Purpose purpose) : seed_(seed), purpose_(purpose) {}

  // Four independent 32-bit words for block number `block` of event `event`.
  std::array<std::uint32_t, 4> words(std::uint64_t event, std::uint32_t block = 0) const;
  // Uniform in [0, 1), 53 random bits; the first draw of the event.
  double uniform(std::uint64_t event) const;

  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  Purpose purpose_;
};

// The event number of an event that is known by a text, such as a decision's id.
std::uint64_t event_of(std::string_view id);

}  // namespace soba
