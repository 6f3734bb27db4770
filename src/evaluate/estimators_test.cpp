#include "evaluate/estimators.h"

#include <gtest/gtest.h>

namespace soba {
namespace {

// Four decisions: w = 2, 0.5, 0, 4; right, wrong, right, right.
Column four() {
  Column column;
  column.push(2, true);
  column.push(0.5, false);
  column.push(0, true);
  column.push(4, true);
  return column;
}

TEST(Estimators, FourDecisionsByHand) {
  const Column column = four();
  EXPECT_DOUBLE_EQ(ips(column), 6.0 / 4);
  EXPECT_DOUBLE_EQ(snips(column), 6.0 / 6.5);
  EXPECT_DOUBLE_EQ(clipped_ips(column, 3), 5.0 / 4);
  EXPECT_DOUBLE_EQ(effective_size(column), 6.5 * 6.5 / 20.25);
  EXPECT_DOUBLE_EQ(largest_share(column), 4 / 6.5);
  // Variance 20.25/4 − (6.5/4)² = 2.421875.
  EXPECT_DOUBLE_EQ(weight_error(column), std::sqrt(2.421875 / 4));
}

TEST(Estimators, AZeroWeightKeepsItsAnswer) {
  Column column;
  column.push(0, false);
  column.push(0, true);
  EXPECT_EQ(column.right(), 1);
  std::vector<bool> answers;
  column.for_each([&](double w, bool correct) {
    EXPECT_EQ(w, 0);
    answers.push_back(correct);
  });
  EXPECT_EQ(answers, (std::vector<bool>{false, true}));
  EXPECT_EQ(snips(column), 0);
}

TEST(Estimators, AColumnKeepsItsOrderOverManyChunks) {
  Column column;
  const std::int64_t n = 3 * static_cast<std::int64_t>(Column::kChunk) + 7;
  for (std::int64_t i = 0; i < n; ++i) column.push(static_cast<double>(i), i % 3 == 0);
  std::int64_t next = 0;
  column.for_each([&](double w, bool correct) {
    ASSERT_EQ(w, static_cast<double>(next));
    ASSERT_EQ(correct, next % 3 == 0);
    ++next;
  });
  EXPECT_EQ(next, n);
  EXPECT_EQ(column.largest(), static_cast<double>(n - 1));
}

// Below a mean weight of 1, what is missing has the mean answer: IPS + (1 − w̄)·r̄.
TEST(Estimators, CressieReadFillsWhatIsMissing) {
  Column column;
  column.push(0.5, true);
  column.push(1, false);
  EXPECT_DOUBLE_EQ(cressie_read(column), 0.25 + 0.25 * 0.5);
}

// Above it, an unseen weight of 0 balances: with n = 2, w = 1, 3: a = 4/3, b = 10/3, γ = −(b − a) /
// (b − a²)/3 and β = −(1 − a)/(b − a²)/3 (by hand).
TEST(Estimators, CressieReadBalancesTooMuchWeight) {
  Column column;
  column.push(1, true);
  column.push(3, false);
  const double a = 4.0 / 3, b = 10.0 / 3, d = a * a - b;
  const double gamma = (b - a) / d / 3, beta = (1 - a) / d / 3;
  const double mass = -gamma * 4 - beta * 10;
  EXPECT_DOUBLE_EQ(cressie_read(column), -gamma * 1 - beta * 1 + (1 - mass) / 2);
  EXPECT_NEAR(mass, 1, 1e-12);  // all of it is there
}

TEST(Estimators, DoublyRobustByHand) {
  DoublyRobust dr(3);
  dr.add(0.6, 0.5, 2, true);   // 0.6 + 2·0.5 = 1.6
  dr.add(0.4, 0.3, 4, false);  // 0.4 − 4·0.3 = −0.8; not corrected by switch-DR
  EXPECT_DOUBLE_EQ(dr.value(), 0.4);
  EXPECT_DOUBLE_EQ(dr.direct(), 0.5);
  EXPECT_DOUBLE_EQ(dr.switched(), 1.0);
  EXPECT_NEAR(dr.error(), 1.2 / std::sqrt(2), 1e-12);
}

}  // namespace
}  // namespace soba
