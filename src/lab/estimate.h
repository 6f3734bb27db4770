// Means, medians and their confidence.
#pragma once

#include <cstdint>
#include <vector>

#include "soba/lab/summary.h"

namespace soba::lab {

// Requires: at least one value.
Estimate estimate(const std::vector<double>& values);
double median(std::vector<double> values);
// The t with P(|T| < t) = 0.95. Requires: degrees >= 1.
double student_t(std::int64_t degrees);

}  // namespace soba::lab
