#include "evaluate/intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "evaluate/estimators.h"
#include "soba/rng.h"

namespace soba {
namespace {

// Weights of a policy that plays 1 of 4 labels, in a log that mostly plays another.
Column random_column(std::int64_t n, std::uint64_t seed, double value) {
  const Rng rng(seed, Purpose::kExamples);
  Column column;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto event = static_cast<std::uint64_t>(i);
    const auto words = rng.words(event);
    const double u = words[0] / 4294967296.0, v = words[1] / 4294967296.0;
    const double p = i % 2 == 0 ? 0.05 : 0.85;
    column.push(u < p ? 1 / p : 0, v < value);
  }
  return column;
}

// The definition, with logarithms and bisection.
double naive_lower(const std::vector<double>& x, double alpha, double cap) {
  const auto wealth = [&](double m) {
    double sum = 0;
    for (int j = 1; j <= 14; ++j) {
      double log = 0;
      for (const double one : x) log += std::log1p(std::exp2(-j) * (one / m - 1));
      sum += std::exp(std::min(log, 600.0)) / 14;
    }
    return sum;
  };
  double low = 0, high = cap;
  if (wealth(cap) >= 1 / alpha) return cap;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (wealth(middle) >= 1 / alpha ? low : high) = middle;
  }
  return high;
}

std::vector<double> gains(const Column& column, Gain gain) {
  std::vector<double> x;
  column.for_each([&](double w, bool correct) {
    const double r = correct ? 1 : 0;
    switch (gain) {
      case Gain::kRight:
        x.push_back(w * r);
        break;
      case Gain::kWrong:
        x.push_back(w * (1 - r));
        break;
      case Gain::kRightOrRefused:
        x.push_back(w * r + 1 - r);
        break;
      case Gain::kWrongOrKept:
        x.push_back(w * (1 - r) + r);
        break;
    }
  });
  return x;
}

TEST(Betting, AgreesWithItsDefinition) {
  for (const std::int64_t n : {1, 2, 17, 400}) {
    for (const double value : {0.02, 0.7, 1.0}) {
      const Column column = random_column(n, 7 + static_cast<std::uint64_t>(n), value);
      for (const Gain gain :
           {Gain::kRight, Gain::kWrong, Gain::kRightOrRefused, Gain::kWrongOrKept}) {
        for (const double cap : {1.0, 2.0}) {
          const double expected = naive_lower(gains(column, gain), 0.025, cap);
          EXPECT_NEAR(betting_lower(column, gain, 0.025, cap), expected, 1e-8)
              << n << " " << value << " " << static_cast<int>(gain);
        }
      }
    }
  }
}

// More different weights than are gathered: products in order.
TEST(Betting, AgreesWithItsDefinitionWhereAllWeightsDiffer) {
  Column column, few;
  for (int i = 0; i < 70'000; ++i) {
    column.push(i % 9 == 0 ? 5 + i * 1e-4 : 1e-6 * i, i % 4 != 0);
    if (i % 7 == 0) few.push(i % 9 == 0 ? 5 + i * 1e-4 : 1e-6 * i, i % 4 != 0);
  }
  for (const Column* one : {&column, &few}) {
    const double found = betting_lower(*one, Gain::kRight, 0.025, 2);
    const std::vector<double> x = gains(*one, Gain::kRight);
    const auto log_wealth = [&](double m) {
      double most = -1e300;
      std::vector<double> logs;
      for (int j = 1; j <= 14; ++j) {
        double log = 0;
        for (const double each : x) log += std::log1p(std::exp2(-j) * (each / m - 1));
        logs.push_back(log);
        most = std::max(most, log);
      }
      double sum = 0;
      for (const double log : logs) sum += std::exp(log - most) / 14;
      return most + std::log(sum);
    };
    EXPECT_GT(log_wealth(found * (1 - 1e-7)), -std::log(0.025));
    EXPECT_LT(log_wealth(found * (1 + 1e-7)), -std::log(0.025));
  }
}

TEST(Betting, HugeWeightsDoNotOverflow) {
  Column column;
  for (int i = 0; i < 1000; ++i) column.push(i % 100 == 0 ? 1e12 : 0, true);
  const double lower = betting_lower(column, Gain::kRight, 0.025, 1);
  EXPECT_EQ(lower, 1);
  Column one;
  for (int i = 0; i < 1000; ++i) one.push(i == 0 ? 1e12 : 0, i == 0);
  EXPECT_NEAR(betting_lower(one, Gain::kRight, 0.025, 1e13),
              naive_lower(gains(one, Gain::kRight), 0.025, 1e13), 1);
}

// Π (1 + 2^−j (m − X)/(B − m)), whose inf{m: mean >= 1/alpha} is found by small steps.
TEST(Betting, TheUpperBoundForRareRewardsAgreesWithItsDefinition) {
  const Column column = random_column(3000, 3, 0.01);
  const double bound = 20, alpha = 0.0125;
  const auto wealth = [&](double m) {
    double sum = 0;
    for (int j = 1; j <= 14; ++j) {
      double log = 0;
      for (const double x : gains(column, Gain::kRight)) {
        log += std::log1p(std::exp2(-j) * (m - x) / (bound - m));
      }
      sum += std::exp(log) / 14;
    }
    return sum;
  };
  const double upper = betting_upper(column, bound, alpha);
  EXPECT_GT(upper, ips(column));
  EXPECT_LT(wealth(upper * (1 - 1e-6)), 1 / alpha);
  EXPECT_GT(wealth(upper * (1 + 1e-6)), 1 / alpha);
  // Which is what it is for: without the bound on weights the interval is wider.
  const Interval usual = betting_interval(column, 0.95, {});
  const Interval refined = betting_interval(column, 0.95, bound);
  EXPECT_LT(refined.upper, usual.upper);
  EXPECT_EQ(refined.lower, usual.lower);
}

TEST(Betting, NothingRightHasALowerBoundOfZero) {
  Column column;
  for (int i = 0; i < 100; ++i) column.push(1, false);
  const Interval found = betting_interval(column, 0.95, {});
  EXPECT_EQ(found.lower, 0);
  EXPECT_LT(found.upper, 0.12);
}

TEST(Betting, SidesAreMirrored) {
  const Column column = random_column(500, 5, 0.4);
  Column mirrored;
  column.for_each([&](double w, bool correct) { mirrored.push(w, !correct); });
  const Interval one = betting_interval(column, 0.9, {});
  const Interval other = betting_interval(mirrored, 0.9, {});
  EXPECT_NEAR(one.lower, 1 - other.upper, 1e-9);
  EXPECT_NEAR(one.upper, 1 - other.lower, 1e-9);
  const Interval difference = betting_difference(column, 0.9);
  const Interval back = betting_difference(mirrored, 0.9);
  EXPECT_NEAR(difference.lower, -back.upper, 1e-9);
}

TEST(Betting, ThePolicyOfTheLogDoesNotDiffer) {
  Column column;
  for (int i = 0; i < 1000; ++i) column.push(1, i % 3 == 0);
  const Interval difference = betting_difference(column, 0.95);
  EXPECT_LE(difference.lower, 0);
  EXPECT_GE(difference.upper, 0);
  EXPECT_LT(difference.upper - difference.lower, 0.03);
}

TEST(Betting, AHigherConfidenceIsWider) {
  const Column column = random_column(500, 9, 0.4);
  const Interval low = betting_interval(column, 0.8, {}), high = betting_interval(column, 0.99, {});
  EXPECT_LT(high.lower, low.lower);
  EXPECT_GT(high.upper, low.upper);
}

TEST(Intervals, NormalQuantiles) {
  EXPECT_NEAR(normal_quantile(0.95), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.99), 2.5758293035489004, 1e-12);
}

// w = 2, 0.5, 0, 4; right, wrong, right, right: SNIPS 12/13, w(r − v) = 2/13, −6/13, 0, 4/13.
TEST(Intervals, DeltaByHand) {
  Column column;
  column.push(2, true);
  column.push(0.5, false);
  column.push(0, true);
  column.push(4, true);
  const double error = std::sqrt((4 + 36 + 0 + 16) / 169.0 / 4) / (6.5 / 4) / 2;
  const double z = normal_quantile(0.5);
  const Interval found = delta_interval(column, 0.5);
  EXPECT_NEAR(found.lower, 12.0 / 13 - z * error, 1e-12);
  EXPECT_NEAR(found.upper, std::min(1.0, 12.0 / 13 + z * error), 1e-12);
}

TEST(Intervals, CressieReadIsAboutThePointAndMirrored) {
  const Column column = random_column(2000, 11, 0.3);
  Column mirrored;
  column.for_each([&](double w, bool correct) { mirrored.push(w, !correct); });
  const Interval found = cressie_read_interval(column, 0.95);
  EXPECT_LT(found.lower, cressie_read(column));
  EXPECT_GT(found.upper, cressie_read(column));
  const Interval other = cressie_read_interval(mirrored, 0.95);
  EXPECT_NEAR(found.lower, 1 - other.upper, 1e-9);
}

}  // namespace
}  // namespace soba
