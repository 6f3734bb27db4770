#include <array>
#include <numeric>

#include "reading/reader.h"
#include "runner.h"

namespace soba::bench {

namespace {

// Eight sums side by side, so that adding up is no part of what is timed.
double sum_of(const std::vector<double>& values) {
  std::array<double, 8> sums{};
  for (std::size_t i = 0; i < values.size(); ++i) sums[i % 8] += values[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

Reading read_soba(const std::string& path, int classes) {
  Reading found;
  found.seconds = seconds_of([&] {
    Source source(path, {.classes = classes}, {});
    const auto stream = source.open();
    while (const Block* block = stream->next()) {
      found.examples += static_cast<std::int64_t>(block->size());
      found.entries += static_cast<std::int64_t>(block->value.size());
      found.sum += sum_of(block->value);
    }
  });
  return found;
}

double read_blocks(const std::string& path) {
  return seconds_of([&] {
    Source source(path, {}, {});
    const auto stream = source.open();
    while (stream->next() != nullptr) {
    }
  });
}

}  // namespace soba::bench
