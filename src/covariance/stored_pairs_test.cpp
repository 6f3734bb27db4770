#include "covariance/stored_pairs.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "model/file.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

PairVector pair_of(const testing::Problem& problem, std::size_t t) {
  const Label k = problem.shape.classes;
  const auto up = static_cast<Label>(t % static_cast<std::size_t>(k));
  const auto apart = static_cast<Label>(1 + t / 3 % static_cast<std::size_t>(k - 1));
  return {up, (up + apart) % k, problem.block.features(t)};
}

Eigen::VectorXd written_out(const PairVector& v, Shape shape) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(Eigen::Index{shape.classes} * shape.features);
  for (std::size_t i = 0; i < v.x.size(); ++i) {
    out[v.x.feature(i) * shape.classes + v.up] += v.x.value[i];
    out[v.x.feature(i) * shape.classes + v.down] -= v.x.value[i];
  }
  return out;
}

class StoredPairsOf : public ::testing::TestWithParam<testing::Look> {};

// Sparse and dense, with scales that make any other order of a sum show in its bits.
TEST_P(StoredPairsOf, HaveTheSameProductsByScanByIndexAndByTheCheaper) {
  for (const Shape shape : {Shape{2, 1}, Shape{3, 30}, Shape{6, 200}}) {
    const testing::Problem problem = testing::random_problem(31, shape, 150, GetParam());
    StoredPairs pairs;
    std::vector<Eigen::VectorXd> naive;
    std::vector<double> scan, index, cheaper;
    for (std::size_t t = 0; t < 150; ++t) {
      const PairVector v = pair_of(problem, t);
      pairs.products_by_scan(v, scan);
      pairs.products_by_index(v, index);
      pairs.products(v, cheaper);
      ASSERT_EQ(scan, index) << t;
      ASSERT_EQ(scan, cheaper) << t;
      ASSERT_EQ(scan.size(), t);
      const Eigen::VectorXd dense = written_out(v, shape);
      for (std::size_t i = 0; i < t; ++i) {
        const double largest = naive[i].norm() * dense.norm();
        ASSERT_NEAR(scan[i], naive[i].dot(dense), 1e-14 * largest) << t << ' ' << i;
      }
      const double root = 0.5 + static_cast<double>(t % 7);
      pairs.reserve(StoredPairs::Size::of(v.x));
      pairs.push_back(v, root);
      naive.push_back(root * dense);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Looks, StoredPairsOf,
                         ::testing::Values(testing::Look{1, 1e6, false},
                                           testing::Look{0.3, 1e6, false},
                                           testing::Look{0.02, 1e3, true}),
                         [](const auto& look) {
                           return std::to_string(std::lround(100 * look.param.density)) +
                                  "PercentOfTheFeatures";
                         });

// Zeros that are written down, features that nothing stored has, and an x that is written out.
TEST(StoredPairs, TakeOddFeatures) {
  const std::vector<Index> some = {0, 2, 5}, beyond = {2, 5, 900};
  const std::vector<double> value = {1, 0, 3}, far = {0, 2, 7}, dense = {4, 0, 0, 0, 0, -1};
  StoredPairs pairs;
  const PairVector stored{1, 0, {some, value}};
  pairs.reserve(StoredPairs::Size::of(stored.x));
  pairs.push_back(stored, 2);
  EXPECT_EQ(pairs.pair(0).x.size(), 2U);
  std::vector<double> scan, index;
  for (const PairVector& v :
       {PairVector{1, 0, {beyond, far}}, PairVector{0, 2, {{}, dense}}, PairVector{2, 3, {}}}) {
    pairs.products_by_scan(v, scan);
    pairs.products_by_index(v, index);
    EXPECT_EQ(scan, index);
    EXPECT_EQ(scan[0], v.up == 1 ? 2 * 2 * (3 * 2) : v.up == 0 ? -2 * (4 - 3) : 0);
  }
}

// The index is not in the file; after loading it is there again.
TEST(StoredPairs, AreIndexedAgainAfterLoading) {
  const Shape shape{4, 50};
  const testing::Problem problem = testing::random_problem(32, shape, 60, {0.2, 10, false});
  StoredPairs pairs, loaded;
  std::vector<double> before, after;
  for (std::size_t t = 0; t < 60; ++t) {
    const PairVector v = pair_of(problem, t);
    FieldWriter writer;
    pairs.visit(shape, writer);
    const std::string bytes = writer.finish();
    FieldReader reader(bytes);
    loaded.visit(shape, reader);
    pairs.products_by_scan(v, before);
    loaded.products_by_index(v, after);
    ASSERT_EQ(before, after) << t;
    const auto size = StoredPairs::Size::of(v.x);
    ASSERT_EQ(pairs.bytes_after(size), loaded.bytes_after(size));
    pairs.reserve(StoredPairs::Size::of(v.x));
    pairs.push_back(v, 1);
  }
}

}  // namespace
}  // namespace soba
