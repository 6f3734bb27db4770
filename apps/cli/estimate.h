// Means of a few runs, and how far they can be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace soba::cli {

// A mean and half the width of its 95 % confidence interval by Student's t; one value has none.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;
};

// Requires: at least one value.
Estimate estimate(const std::vector<double>& values);
double median(std::vector<double> values);

// The t with P(|T| < t) = 0.95. Requires: degrees >= 1.
double student_t(std::int64_t degrees);

}  // namespace soba::cli
