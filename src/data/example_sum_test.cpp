#include "data/example_sum.h"

#include <gtest/gtest.h>

#include <vector>

namespace soba {
namespace {

// Example i has i mod 4 features.
Block some_examples(std::size_t count) {
  Block block;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Index> index;
    std::vector<double> value;
    for (std::size_t j = 0; j < i % 4; ++j) {
      index.push_back(static_cast<Index>(i % 7 + j));
      value.push_back(static_cast<double>(i) + 0.5);
    }
    block.append({index, value}, static_cast<Label>(i % 3));
  }
  return block;
}

std::uint64_t sum_of(const Block& block) {
  ExampleSum sum;
  sum.add(block, 0, block.size());
  return sum.value();
}

TEST(ExampleSum, DoesNotDependOnBlocks) {
  const Block all = some_examples(1000);
  for (const std::size_t cut : {0, 1, 255, 256, 257, 999, 1000}) {
    Block second;  // as a stream would give it: its offsets begin anew
    for (std::size_t i = cut; i < all.size(); ++i) second.append(all.features(i), all.label[i]);
    ExampleSum sum;
    sum.add(all, 0, cut / 2);
    sum.add(all, cut / 2, cut);
    sum.add(second, 0, second.size());
    EXPECT_EQ(sum.value(), sum_of(all)) << cut;
  }
}

TEST(ExampleSum, DependsOnEverythingElse) {
  const Block all = some_examples(1000);
  EXPECT_NE(sum_of(some_examples(999)), sum_of(all));
  Block other = all;
  other.label[500] = (other.label[500] + 1) % 3;
  EXPECT_NE(sum_of(other), sum_of(all));
  other = all;
  other.value[500] += 1e-9;
  EXPECT_NE(sum_of(other), sum_of(all));
  other = all;
  other.index[500] += 100;
  EXPECT_NE(sum_of(other), sum_of(all));
  other = all;
  ++other.begin[502];  // an entry goes over to the example before
  EXPECT_NE(sum_of(other), sum_of(all));
}

}  // namespace
}  // namespace soba
