#include "learners/rescaled.h"

#include <gtest/gtest.h>

#include <cmath>

#include "learners/testing.h"
#include "soba/model.h"
#include "soba/registry.h"

namespace soba {
namespace {

std::unique_ptr<Learner> inside(Index features) {
  return std::get<std::unique_ptr<Learner>>(
      make_learner(choose_learner("bandit-arow", {}), {2, features}));
}

std::vector<double> scores(const Learner& learner, const Features& x) {
  std::vector<double> out(2);
  learner.scores(x, out);
  return out;
}

TEST(Rescaled, LeavesOrdinaryFeaturesAlone) {
  Rescaled scaled(inside(2));
  const auto plain = inside(2);
  for (const double value : {0.3, -0x1p20, 1e-9}) {
    const std::vector<double> x = {value, 1};
    testing::answer(scaled, {{}, x}, 0, 1, value > 0);
    testing::answer(*plain, {{}, x}, 0, 1, value > 0);
    EXPECT_EQ(scores(scaled, {{}, x}), scores(*plain, {{}, x}));
  }
  EXPECT_EQ(scaled.remarks(), "");
}

// 3·2³⁰ is divided by 2³², and so are later values of the feature; one beyond 2²⁰·2³² raises again.
TEST(Rescaled, DividesHugeFeaturesByAPowerOfTwo) {
  Rescaled scaled(inside(0));
  const auto plain = inside(0);
  const std::vector<double> values = {3 * 0x1p30, -0x1p30, 5, 0x1p52, 1.5 * 0x1p52, 0x1p30};
  const std::vector<double> seen = {0.75, -0.25, 5 * 0x1p-32, 0x1p20, 0.75, 0x1p-23};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<Index> index = {1, 4};
    const std::vector<double> x = {1, values[i]}, small = {1, seen[i]};
    EXPECT_EQ(scores(scaled, {index, x}), scores(*plain, {index, small})) << i;  // before it learns
    testing::answer(scaled, {index, x}, 0, 1, i % 2 == 0);
    testing::answer(*plain, {index, small}, 0, 1, i % 2 == 0);
    EXPECT_EQ(scores(scaled, {index, x}), scores(*plain, {index, small})) << i;
  }
  EXPECT_EQ(scaled.remarks(), "huge features, divided by a power of two: 1");
}

}  // namespace
}  // namespace soba
