#include "soba/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

#include "core/draws.h"

namespace soba {
namespace {

// The known answer for an all-zero counter and key, from the test vectors that Random123 ships
// (philox4x32, 10 rounds): kExploration = 1 moves word 2 of the counter, so it is asked for as
// block 0, event 0 of purpose 0.
TEST(Rng, IsPhilox4x32WithTenRounds) {
  const Rng rng(0, static_cast<Purpose>(0));
  const auto words = rng.words(0);
  EXPECT_EQ(words[0], 0x6627e8d5U);
  EXPECT_EQ(words[1], 0xe169c58dU);
  EXPECT_EQ(words[2], 0xbc57ac4cU);
  EXPECT_EQ(words[3], 0x9b00dbd8U);
}

TEST(Rng, SeedPurposeEventAndBlockAllMatter) {
  std::set<std::array<std::uint32_t, 4>> seen;
  for (const std::uint64_t seed : {1ULL, 2ULL, 1ULL << 32}) {
    for (const Purpose purpose : {Purpose::kExploration, Purpose::kShuffle}) {
      for (const std::uint64_t event : {1ULL, 2ULL, 1ULL << 32}) {
        for (const std::uint32_t block : {0U, 1U}) {
          seen.insert(Rng(seed, purpose).words(event, block));
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U * 2 * 3 * 2);
}

TEST(Rng, UniformIsInTheUnitIntervalAndHasItsMean) {
  const Rng rng(5, Purpose::kExploration);
  double sum = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = rng.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  // Five standard deviations: a false alarm once in two million seeds; this seed is fixed.
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * 0.2887 / std::sqrt(kDraws));
}

TEST(Draws, BelowIsUniformAndReachesEveryValue) {
  Draws draws(Rng(6, Purpose::kExamples), 3);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[draws.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 5 * 93);
  EXPECT_EQ(Draws(Rng(6, Purpose::kExamples), 3).below(1), 0U);
}

TEST(Draws, TheFirstUniformIsTheEventsUniform) {
  const Rng rng(9, Purpose::kExamples);
  EXPECT_EQ(Draws(rng, 12).uniform(), rng.uniform(12));
}

TEST(Rng, EventOfSpreadsSimilarIds) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10000; ++i) seen.insert(event_of("order-" + std::to_string(i)));
  EXPECT_EQ(seen.size(), 10000U);
  EXPECT_EQ(event_of("a"), event_of("a"));
}

}  // namespace
}  // namespace soba
