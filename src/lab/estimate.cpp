#include "lab/estimate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace soba::lab {

namespace {

constexpr double kConfidence = 0.95;

// P(|T| < t), the finite sums for whole degrees of freedom.
double student_probability(double t, std::int64_t degrees) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = degrees == 1 ? 0 : term;
  for (std::int64_t i = odd ? 3 : 2; i < degrees; i += 2) {
    term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
    sum += term;
  }
  sum *= std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

}  // namespace

double student_t(std::int64_t degrees) {
  double low = 0, high = 16;  // one degree of freedom: 12.7
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (student_probability(middle, degrees) < kConfidence ? low : high) = middle;
  }
  return (low + high) / 2;
}

Estimate estimate(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Estimate out;
  for (const double value : values) out.mean += value;
  out.mean /= count;
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.half_width = student_t(static_cast<std::int64_t>(values.size()) - 1) *
                   std::sqrt(squares / (count - 1) / count);
  return out;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace soba::lab
