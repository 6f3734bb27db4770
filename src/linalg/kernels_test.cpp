#include "linalg/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/draws.h"
#include "linalg/blas.h"
#include "soba/rng.h"
#include "support/vector_units.h"

namespace soba::linalg {
namespace {

using testing::for_each_target;

template <class T = double>
std::vector<T> random_vector(std::size_t n, std::uint64_t event) {
  Draws draws(Rng(1, Purpose::kExamples), event);
  std::vector<T> out(n);
  for (T& x : out) x = static_cast<T>(2 * draws.uniform() - 1);
  return out;
}

template <class T>
void scores_match(std::size_t k, std::size_t d) {
  const std::vector<T> weights = random_vector<T>(k * d + kSlack, k);
  std::vector<Index> index;
  std::vector<double> value;
  const std::vector<double> dense = random_vector(d, d + 1000);
  for (std::size_t j = 0; j < d; j += 1 + j % 3) {
    index.push_back(static_cast<Index>(j));
    value.push_back(dense[j]);
  }
  std::vector<double> expected(k), found(k);
  for (const Features& x : {Features{index, value}, Features{{}, dense}, Features{}}) {
    reference::scores(weights.data(), k, x, expected.data());
    for (const bool far : {false, true}) {
      scores(weights.data(), k, x, far, found.data());
      ASSERT_EQ(expected, found) << "k " << k << " d " << d;
    }
  }
}

TEST(Kernels, ScoresEqualThePlainLoopToTheBit) {
  for_each_target([] {
    for (std::size_t k = 1; k <= 130; ++k) {
      for (const std::size_t d : {1U, 2U, 7U, 30U}) {
        scores_match<float>(k, d);
        scores_match<double>(k, d);
      }
    }
    scores_match<float>(1000, 5);
    scores_match<double>(1000, 5);
  });
}

// In float: infinity, its opposite and both together, which is no number, in each class by turns;
// and in the row behind those of x, which a vector reaches into and which is no reason for doubles.
TEST(Kernels, ScoresThatAFloatDoesNotHoldAreAddedUpInDouble) {
  for_each_target([] {
    const std::vector<Index> index = {1, 2};
    const std::vector<double> large = {1e30, 1e30}, against = {1e30, -1e30},
                              dense = {0, 1e30, 1e30};
    for (std::size_t k = 1; k <= 70; ++k) {
      std::vector<double> found(k), expected(k);
      for (std::size_t c = 0; c < k; ++c) {
        std::vector<float> weights(4 * k + kSlack, 1e-3F);
        std::fill(weights.begin() + static_cast<std::ptrdiff_t>(3 * k), weights.end(), 1e30F);
        const auto check = [&](const Features& x, bool doubles) {
          for (const bool far : {false, true}) {
            scores(weights.data(), k, x, far, found.data());
            reference::scores(weights.data(), k, x, expected.data());
            ASSERT_EQ(found, expected) << k << " " << c;
            for (const double score : found) ASSERT_TRUE(std::isfinite(score)) << k << " " << c;
            ASSERT_EQ(std::fabs(found[c]) > 1e38, doubles);
          }
        };
        check({index, large}, false);
        for (const float sign : {1.0F, -1.0F}) {
          weights[k + c] = sign * 1e30F;
          check({index, large}, true);
          check({{}, dense}, true);
          weights[2 * k + c] = sign * 1.1e30F;
          check({index, against}, true);
          weights[2 * k + c] = 1e-3F;
        }
      }
    }
  });
}

TEST(Kernels, VectorLoopsEqualThePlainOnesToTheBit) {
  for_each_target([] {
    for (std::size_t n = 0; n <= 130; ++n) {
      for (std::size_t offset = 0; offset < 4; ++offset) {
        const std::vector<double> a = random_vector(n + offset, n),
                                  b = random_vector(n + 4, n + 500);
        const double* x = a.data() + offset;
        ASSERT_EQ(dot(x, b.data(), n), reference::dot(x, b.data(), n));
        std::vector<double> found = b, expected = b;
        add_scaled(0.3, x, found.data(), n);
        reference::add_scaled(0.3, x, expected.data(), n);
        ASSERT_EQ(found, expected);
        const std::vector<const double*> columns = {x, b.data(), x, b.data() + 1, x};
        const std::vector<double> factors = {0.5, -1.5, 2.25, 1e-3, -7};
        for (std::size_t count = 0; count <= factors.size(); ++count) {
          const std::span used = std::span(factors).first(count);
          combine(used, columns.data(), found.data(), n);
          reference::combine(used, columns.data(), expected.data(), n);
          ASSERT_EQ(found, expected);
        }
      }
    }
  });
}

TEST(Kernels, OuterProductsEqualThePlainLoopToTheBit) {
  for_each_target([] {
    for (std::size_t n = 0; n <= 70; ++n) {
      for (const std::size_t count : {0U, 1U, 2U, 7U, 13U}) {
        const std::size_t stride = n + count % 3;
        std::vector<double> columns = random_vector(stride * count, n);
        for (std::size_t c = 0; c < count; ++c) {
          for (std::size_t j = 0; j < n; ++j) {
            if (j % 3 == 0 || j / 4 == 2) columns[c * stride + j] = 0;
          }
        }
        std::vector<double> found = random_vector(stride * stride, n + 500);
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = 0; i < j; ++i) found[i * stride + j] = found[j * stride + i];
        }
        std::vector<double> expected = found;
        subtract_outer(columns.data(), count, found.data(), n, stride);
        reference::subtract_outer(columns.data(), count, expected.data(), n, stride);
        ASSERT_EQ(found, expected) << "n " << n << ", " << count << " columns";
      }
    }
  });
}

// The features of x for steps in 31 of them: every other one, all, or the first few.
std::vector<Features> step_features(const std::vector<Index>& index,
                                    const std::vector<double>& value) {
  std::vector<Features> all = {{{}, value}, {}};
  for (std::size_t n = 1; n <= index.size(); ++n) {
    all.push_back({std::span(index).first(n), std::span(value).first(n)});
  }
  return all;
}

std::vector<Index> some_indices() {
  std::vector<Index> index;
  for (Index j = 0; j < 31; j += 1 + j % 3) index.push_back(j);
  return index;
}

TEST(Kernels, DiagonalStepsEqualThePlainLoopToTheBit) {
  for_each_target([] {
    const std::vector<Index> index = some_indices();
    for (const std::size_t k : {2U, 3U, 9U}) {
      const std::vector<double> value = random_vector(31, k);
      std::vector<DiagonalCell> found(k * 31, {2, 0.5}), expected = found;
      std::vector<float> found_weights(k * 31), expected_weights(k * 31);
      for (const Features& x : step_features(index, value)) {
        for (std::size_t up = 0; up < k; ++up) {
          const DiagonalStep step{k, up, (up + 1) % k, 1.7, -0.3, x.size() % 2 == 0};
          const double before = quad_diagonal(k, step.up, step.down, x, found.data());
          ASSERT_EQ(step_diagonal(step, x, found.data(), found_weights.data()), before);
          ASSERT_EQ(reference::step_diagonal(step, x, expected.data(), expected_weights.data()),
                    before);
        }
      }
      ASSERT_EQ(found_weights, expected_weights);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].diagonal, expected[i].diagonal);
        ASSERT_EQ(found[i].theta, expected[i].theta);
      }
    }
  });
}

TEST(Kernels, StepsOfOneClassEqualThePlainLoopToTheBit) {
  for_each_target([] {
    const std::vector<Index> index = some_indices();
    for (const std::size_t k : {1U, 2U, 9U}) {
      const std::vector<double> value = random_vector(31, k);
      std::vector<ClassCell> found(k * 31, {0.5, 0.25}), expected = found;
      std::vector<float> found_weights(k * 31), expected_weights(k * 31);
      for (const Features& x : step_features(index, value)) {
        const ClassMove move{k, x.size() % k, 0.7, -0.3, x.size() % 2 == 0};
        ASSERT_EQ(class_variance(move, x, found.data()),
                  reference::class_variance(move, x, expected.data()));
        step_class(move, x, found.data(), found_weights.data());
        reference::step_class(move, x, expected.data(), expected_weights.data());
      }
      ASSERT_EQ(found_weights, expected_weights);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].inverse, expected[i].inverse);
        ASSERT_EQ(found[i].weight, expected[i].weight);
      }
    }
  });
}

TEST(Kernels, ArgmaxEqualsThePlainLoop) {
  for_each_target([] {
    for (std::size_t n = 0; n <= 130; ++n) {
      std::vector<double> values = random_vector(n, n);
      ASSERT_EQ(argmax(values.data(), n), reference::argmax(values.data(), n));
      for (double& v : values) v = std::round(2 * v);  // many ties
      ASSERT_EQ(argmax(values.data(), n), reference::argmax(values.data(), n));
      for (std::size_t i = 0; i < n; i += 3) values[i] = std::nan("");
      ASSERT_EQ(argmax(values.data(), n), reference::argmax(values.data(), n));
      std::fill(values.begin(), values.end(), -std::numeric_limits<double>::infinity());
      ASSERT_EQ(argmax(values.data(), n), 0U);
      if (n > 1) values[0] = std::nan("");
      ASSERT_EQ(argmax(values.data(), n), reference::argmax(values.data(), n));
    }
  });
}

TEST(Kernels, StepsOfEveryClassEqualThePlainLoopToTheBit) {
  for_each_target([] {
    for (std::size_t k = 1; k <= 35; ++k) {
      const std::size_t d = 13;
      std::vector<double> found(k * d, 2), expected = found;
      std::vector<double> found_weights = random_vector(k * d, k), expected_weights = found_weights;
      std::vector<double> curve = random_vector(k, 3), push = random_vector(k, 4);
      for (double& c : curve) c *= c;
      std::vector<Index> index;
      for (Index j = 0; j < 13; j += 2) index.push_back(j);
      const std::vector<double> value = random_vector(index.size(), k), dense = random_vector(d, k);
      const ClassStep step{k, curve.data(), push.data()};
      for (const Features& x : {Features{index, value}, Features{{}, dense}, Features{}}) {
        ASSERT_EQ(step_classes(step, x, found.data(), found_weights.data()),
                  reference::step_classes(step, x, expected.data(), expected_weights.data()));
      }
      ASSERT_EQ(found, expected);
      ASSERT_EQ(found_weights, expected_weights);
    }
  });
}

TEST(Kernels, SubstitutionsEqualThePlainLoopsToTheBit) {
  for_each_target([] {
    for (std::size_t n = 0; n <= 130; ++n) {
      std::vector<double> factor = random_vector(n * (n + 1) / 2, n);
      for (std::size_t i = 0; i < n; ++i) factor[i * (i + 3) / 2] += i % 2 == 0 ? 9 : -9;
      const std::vector<double> x = random_vector(n, n + 1);
      std::vector<double> found = x, expected = x;
      solve_packed(factor.data(), found.data(), n);
      reference::solve_packed(factor.data(), expected.data(), n);
      ASSERT_EQ(found, expected) << n;
      for (std::size_t i = 0; i < n; ++i) {  // L·found = x
        const double* row = factor.data() + i * (i + 1) / 2;
        ASSERT_NEAR(reference::dot(row, found.data(), i + 1), x[i], 1e-12);
      }
      found = expected = x;
      solve_packed_transposed(factor.data(), found.data(), n);
      reference::solve_packed_transposed(factor.data(), expected.data(), n);
      ASSERT_EQ(found, expected) << n;
      for (std::size_t j = 0; j < n; ++j) {  // Lᵀ·found = x
        double sum = 0;
        for (std::size_t i = j; i < n; ++i) sum += factor[i * (i + 1) / 2 + j] * found[i];
        ASSERT_NEAR(sum, x[j], 1e-12);
      }
    }
  });
}

TEST(Kernels, SparseDotIsTheSumOfTheProducts) {
  const std::vector<double> dense = {1, 10, 100, 1000, 10000, 100000};
  const std::vector<Index> index = {0, 2, 3, 4, 5};
  const std::vector<double> value = {1, 2, 3, -4, 5};
  EXPECT_EQ(sparse_dot({index, value}, dense.data()), 1 + 200 + 3000 - 40000 + 500000);
  EXPECT_EQ(sparse_dot({}, dense.data()), 0);
}

TEST(Blas, SubtractsProductsOnBothTriangles) {
  for (const std::size_t n : {1U, 3U, 33U, 70U}) {
    for (const std::size_t count : {1U, 5U}) {
      const std::vector<double> v = random_vector(n * count, n);
      std::vector<double> p(n * n, 0.5), expected = p;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t c = 0; c < count; ++c)
            expected[j * n + i] -= v[c * n + i] * v[c * n + j];
        }
      }
      subtract_products(n, v.data(), count, p.data(), n);
      for (std::size_t i = 0; i < n * n; ++i) ASSERT_NEAR(p[i], expected[i], 1e-14);
    }
  }
}

// What lies between the columns is left alone, and the bits do not depend on how much that is.
TEST(Blas, SubtractsProductsFromColumnsThatLieApart) {
  for (const std::size_t n : {3U, 33U, 70U, 301U}) {
    for (const std::size_t count : {1U, 48U}) {
      const std::size_t stride = n + n / 2;
      const std::vector<double> v = random_vector(n * count, n);
      std::vector<double> close(n * n, 0.5), apart(stride * stride, 0.5);
      subtract_products(n, v.data(), count, close.data(), n);
      subtract_products(n, v.data(), count, apart.data(), stride);
      for (std::size_t j = 0; j < stride; ++j) {
        for (std::size_t i = 0; i < stride; ++i) {
          const bool within = i < n && j < n;
          ASSERT_EQ(apart[j * stride + i], within ? close[j * n + i] : 0.5) << n;
        }
      }
    }
  }
}

// A symmetric positive definite matrix: a diagonal and three products.
std::vector<double> definite_matrix(std::size_t n) {
  const std::vector<double> v = random_vector(n * 3, n);
  std::vector<double> matrix(n * n);
  for (std::size_t j = 0; j < n; ++j) matrix[j * n + j] = -1 - static_cast<double>(j % 7);
  subtract_products(n, v.data(), 3, matrix.data(), n);
  for (double& x : matrix) x = -x;
  return matrix;
}

// Sizes on both sides of where panels begin, with a last panel of one column and of many.
TEST(Blas, LargeMatricesAreTheSameToTheBitWithATeamAndRightWithout) {
  Team team;
  for (const std::size_t n : {kLarge - 1, kLarge, kLarge + 1, kLarge + 200}) {
    const std::vector<double> v = random_vector(n * 5, n);
    const std::vector<double> matrix = definite_matrix(n);
    std::vector<double> alone = matrix, shared = matrix;
    subtract_products(n, v.data(), 5, alone.data(), n);
    subtract_products(n, v.data(), 5, shared.data(), n, &team);
    ASSERT_TRUE(alone == shared) << n;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j % 97; i < n; i += 97) {
        double expected = matrix[j * n + i];
        for (std::size_t c = 0; c < 5; ++c) expected -= v[c * n + i] * v[c * n + j];
        ASSERT_NEAR(alone[j * n + i], expected, 1e-14);
        ASSERT_EQ(alone[j * n + i], alone[i * n + j]);
      }
    }
    alone = shared = matrix;
    ASSERT_TRUE(invert(n, alone.data()));
    ASSERT_TRUE(invert(n, shared.data(), &team));
    ASSERT_TRUE(alone == shared) << n;
    for (std::size_t j = 0; j < n; j += 31) {
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(alone[j * n + i], alone[i * n + j]);
        ASSERT_NEAR(dot(matrix.data() + i * n, alone.data() + j * n, n), i == j, 1e-13) << i;
      }
    }
  }
}

// Calls of BLAS in two threads at once, again and again.
TEST(Blas, StaysTheSameToTheBitUnderManySharedUpdates) {
  Team team;
  const std::size_t n = kLarge + 77;
  const std::vector<double> v = random_vector(n * 9, n);
  std::vector<double> alone = definite_matrix(n), shared = alone;
  for (int i = 0; i < 60; ++i) {
    subtract_products(n, v.data(), 9, alone.data(), n);
    subtract_products(n, v.data(), 9, shared.data(), n, &team);
  }
  EXPECT_TRUE(alone == shared);
}

TEST(Blas, ALargeMatrixWithoutAFactorIsRefused) {
  Team team;
  const std::size_t n = kLarge + 300;
  std::vector<double> matrix = definite_matrix(n);
  matrix[(n - 1) * n + n - 1] = -1;
  EXPECT_FALSE(invert(n, matrix.data(), &team));
}

TEST(Blas, InvertsAndSaysWhenItCannot) {
  std::vector<double> matrix = {4, 2, -99, 3};  // the upper triangle is not read
  ASSERT_TRUE(invert(2, matrix.data()));
  EXPECT_NEAR(matrix[0], 3.0 / 8, 1e-15);
  EXPECT_NEAR(matrix[1], -2.0 / 8, 1e-15);
  EXPECT_EQ(matrix[1], matrix[2]);
  EXPECT_NEAR(matrix[3], 4.0 / 8, 1e-15);
  std::vector<double> indefinite = {1, 2, 2, 1};
  EXPECT_FALSE(invert(2, indefinite.data()));
}

}  // namespace
}  // namespace soba::linalg
