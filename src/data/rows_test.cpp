#include "data/rows.h"

#include <gtest/gtest.h>

#include <string>

#include "core/draws.h"
#include "soba/rng.h"

namespace soba {
namespace {

std::string random_label(Draws& draws) {
  if (draws.below(3) == 0) {  // the same end
    constexpr std::size_t kEnds[] = {8, 300, 301};
    return "ab"[draws.below(2)] + std::string(kEnds[draws.below(3)], 'c');
  }
  std::string label(draws.below(11), 'a');
  for (char& c : label) c = "ab\0\xFF"[draws.below(4)];
  return label;
}

// Labels of all lengths that differ in little, while the map grows.
TEST(LabelMemory, FindsWhatTheMapFinds) {
  NameMap labels;
  LabelMemory memory;
  Draws draws(Rng(1, Purpose::kExamples), 1);
  int found = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string label = random_label(draws);
    ASSERT_EQ(memory.find(labels, label), labels.find(label).value_or(kNoLabel)) << label;
    found += memory.find(labels, label) != kNoLabel;
    if (draws.below(500) == 0) labels.add(label);
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace soba
