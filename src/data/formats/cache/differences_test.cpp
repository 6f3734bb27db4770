#include "data/formats/cache/differences.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "core/draws.h"
#include "soba/rng.h"
#include "support/vector_units.h"

namespace soba {
namespace {

// Examples of these sizes with random differences of that width, none of them 0, which start at an
// odd place.
void sums_match(const std::vector<std::size_t>& sizes, std::uint8_t width, Draws& draws) {
  std::vector<std::size_t> begin = {0};
  for (const std::size_t size : sizes) begin.push_back(begin.back() + size);
  const std::size_t entries = begin.back();
  std::string bytes(1 + (entries + kAtOnce) * width, '\0');
  for (char& byte : bytes) byte = static_cast<char>(1 + draws.below(255));
  std::vector<Index> found(entries + kAtOnce), expected(entries + kAtOnce);
  const std::uint64_t most = add_up(bytes.data() + 1, width, begin, found.data());
  EXPECT_EQ(most, reference::add_up(bytes.data() + 1, width, begin, expected.data()));
  found.resize(entries);
  expected.resize(entries);
  EXPECT_EQ(found, expected) << "width " << int{width} << ", " << entries << " entries";
}

TEST(Differences, AddUpAsInThePlainLoop) {
  testing::for_each_target([] {
    Draws draws(Rng(1, Purpose::kExamples), 1);
    for (const std::uint8_t width : std::initializer_list<std::uint8_t>{1, 2, 4}) {
      for (std::size_t size = 0; size <= 40; ++size) sums_match({size}, width, draws);
      for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::size_t> sizes(draws.below(30));
        for (std::size_t& size : sizes) size = draws.below(trial % 2 == 0 ? 4 : 100);
        sums_match(sizes, width, draws);
      }
    }
  });
}

// The longest example that is added up in 32 bits, and the first that is not.
TEST(Differences, OfLongExamplesAddUp) {
  testing::for_each_target([] {
    Draws draws(Rng(2, Purpose::kExamples), 1);
    for (const std::uint8_t width : std::initializer_list<std::uint8_t>{1, 2}) {
      for (const std::size_t size : {65535, 65536, 65537}) sums_match({3, size, 5}, width, draws);
    }
  });
}

}  // namespace
}  // namespace soba
