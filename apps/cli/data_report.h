// What a data set looks like, gathered in one pass, and what about it deserves a warning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output.h"
#include "soba/data.h"

namespace soba::cli {

struct FeatureRange {
  std::int64_t count = 0;  // examples in which it is not zero
  double largest = 0;      // by absolute value
};

struct DataReport {
  std::string data;
  std::int64_t examples = 0;
  std::vector<std::string> labels;
  std::vector<std::int64_t> label_counts;
  Index features = 0;
  std::int64_t values = 0;  // stored entries
  double minimum = 0, maximum = 0;
  std::int64_t unit_norm = 0;  // examples whose norm is 1
  std::int64_t zero = 0;       // examples without a value other than zero
  std::vector<FeatureRange> ranges;
  std::int64_t bad_lines = 0;
  std::string first_bad;

  double density() const;
};

// Reads the whole source.
DataReport examine(Source& source);

std::vector<std::string> warnings(const DataReport& report);
std::string report_text(const DataReport& report);
Json report_json(const DataReport& report);

}  // namespace soba::cli
