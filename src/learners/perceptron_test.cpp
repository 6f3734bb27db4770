#include "learners/perceptron.h"

#include <gtest/gtest.h>

#include <vector>

namespace soba {
namespace {

TEST(Perceptron, MovesTowardsTheLabelOnAMistakeOnly) {
  const auto learner = make_perceptron({3, 2});
  const std::vector<double> values = {1, -2};
  const Features x{{}, values};
  std::vector<double> scores(3);
  EXPECT_TRUE(learner->learn(x, scores, 2).updated);  // ŷ = 0
  learner->scores(x, scores);
  EXPECT_EQ(scores, (std::vector<double>{-5, 0, 5}));
  EXPECT_FALSE(learner->learn(x, scores, 2).updated);
  learner->scores(x, scores);
  EXPECT_EQ(scores, (std::vector<double>{-5, 0, 5}));
}

TEST(Perceptron, PlaysGreedily) {
  EXPECT_TRUE(std::holds_alternative<Greedy>(make_perceptron({3, 2})->exploration({1, {}, 0})));
}

}  // namespace
}  // namespace soba
