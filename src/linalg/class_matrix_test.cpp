#include "linalg/class_matrix.h"

#include <gtest/gtest.h>

#include <vector>

namespace soba {
namespace {

// The kernel sees numbers behind the last class, of the row that follows: what they give is no
// reason to add up the scores in another way.
TEST(ClassMatrix, LargeWeightsOfOtherFeaturesDoNotChangeAScore) {
  ClassMatrix<float> matrix({3, 2});
  for (Label c = 0; c < 3; ++c) {
    matrix[matrix.cell(0, c)] = 0.1F;
    matrix[matrix.cell(1, c)] = 1e30F;
  }
  const Index first = 0;
  const double value = 1e10;
  std::vector<double> scores(3);
  matrix.scores({{&first, 1}, {&value, 1}}, scores);
  EXPECT_EQ(scores, std::vector<double>(3, 0.1F * 1e10F));
}

// Where a float does not hold a score, all of them are added up in double.
TEST(ClassMatrix, ScoresBeyondAFloatAreFinite) {
  ClassMatrix<float> matrix({3, 2});
  matrix[matrix.cell(1, 2)] = 1e30F;
  const std::vector<double> x = {1, -1e20};
  std::vector<double> scores(3);
  matrix.scores({{}, x}, scores);
  EXPECT_EQ(scores, (std::vector<double>{0, 0, -1e20 * 1e30F}));
}

}  // namespace
}  // namespace soba
