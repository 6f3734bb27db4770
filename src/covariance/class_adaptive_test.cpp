#include "covariance/class_adaptive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/file.h"
#include "support/out_of_memory.h"

namespace soba {
namespace {

constexpr double kMemory = 1e9;

std::vector<double> scores(const AdaptiveClasses& classes, const Features& x) {
  std::vector<double> out(2);
  classes.scores(x, out);
  return out;
}

// Two features and a third one, which is too many: A of class 0 is 0.5·I + Σ w·x·xᵀ.
class Adaptive : public ::testing::Test {
 protected:
  void learn(AdaptiveClasses& classes) const {
    for (const std::vector<double>& x : {x1_, x2_}) {
      classes.reserve({{}, x});
      regress(classes, 0, {{}, x}, scores(classes, {{}, x})[0], 1, 2);
    }
  }

  const std::vector<double> x1_ = {1, 2}, x2_ = {3, -1}, x3_ = {0, 0, 1};
};

TEST_F(Adaptive, HandsOverTheDiagonalOfAAndTheWeights) {
  AdaptiveClasses classes({2, 0}, 0.5, 2, kMemory);
  learn(classes);
  ASSERT_TRUE(classes.full());
  const std::vector<double> e1 = {1, 0}, e2 = {0, 1};
  const double w1 = scores(classes, {{}, e1})[0], w2 = scores(classes, {{}, e2})[0];
  classes.reserve({{}, x3_});
  EXPECT_TRUE(classes.full());  // reserve() changes nothing
  {
    const testing::OutOfMemory now;
    classes.grow(3);
  }
  ASSERT_FALSE(classes.full());
  EXPECT_EQ(classes.shape(), (Shape{2, 3}));
  EXPECT_EQ(scores(classes, {{}, e1})[0], static_cast<float>(w1));
  EXPECT_EQ(scores(classes, {{}, e2})[0], static_cast<float>(w2));
  EXPECT_NEAR(classes.variance(0, {{}, e1}), 1 / (0.5 + 2 * 1 + 2 * 9), 1e-12);
  EXPECT_NEAR(classes.variance(0, {{}, e2}), 1 / (0.5 + 2 * 4 + 2 * 1), 1e-12);
  EXPECT_DOUBLE_EQ(classes.variance(0, {{}, x3_}), 2);
  EXPECT_DOUBLE_EQ(classes.variance(1, {{}, e1}), 2);
}

TEST_F(Adaptive, DoesNotDependOnFeaturesThatAreOnlyAnnounced) {
  for (const Index announced : {0, 2, 3, 1000}) {
    AdaptiveClasses classes({2, announced}, 0.5, 2, kMemory), plain({2, 0}, 0.5, 2, kMemory);
    learn(classes);
    learn(plain);
    EXPECT_TRUE(classes.full());
    EXPECT_EQ(scores(classes, {{}, x1_}), scores(plain, {{}, x1_}));
  }
}

TEST_F(Adaptive, IsSavedInEitherForm) {
  AdaptiveClasses classes({2, 0}, 0.5, 2, kMemory);
  learn(classes);
  for (const Index features : {2, 3}) {
    classes.grow(features);
    FieldWriter writer;
    classes.visit(writer);
    const std::string bytes = writer.finish();
    // Less memory than the matrices take must not keep them from being loaded.
    AdaptiveClasses loaded({2, features}, 0.5, 2, features == 2 ? 1 : kMemory);
    FieldReader reader(bytes);
    loaded.visit(reader);
    EXPECT_EQ(loaded.full(), classes.full());
    EXPECT_EQ(scores(loaded, {{}, x1_}), scores(classes, {{}, x1_}));
  }
}

TEST_F(Adaptive, HandsOverWhereMemoryIsLowered) {
  AdaptiveClasses classes({2, 0}, 0.5, 2, kMemory);
  learn(classes);
  classes.limit_memory(1);
  EXPECT_TRUE(classes.full());
  learn(classes);
  EXPECT_FALSE(classes.full());
}

// Rounding has taken all digits: no Cholesky factor, but a diagonal all the same.
TEST_F(Adaptive, HandsOverWhatCannotBeInverted) {
  AdaptiveClasses classes({2, 2}, 1, 2, kMemory);
  const std::vector<double> x = {1e12, 1e12}, y = {1e12, 0.9999e12};
  for (int i = 0; i < 40; ++i) {
    const Features features{{}, i % 2 == 0 ? x : y};
    classes.solve(0, features);
    classes.step(0, features, 1, 1e-24);
  }
  classes.grow(3);
  const std::vector<double> one = {1, 1};
  EXPECT_TRUE(std::isfinite(classes.variance(0, {{}, one})));
  EXPECT_GE(classes.variance(0, {{}, one}), 0);
}

}  // namespace
}  // namespace soba
