// The words that every part of Soba shares: labels, feature indices and feature vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace soba {

using Label = std::int32_t;  // 0 … k−1; the text of a label is in the Schema
using Index = std::int32_t;  // 0 … d−1; the name of a feature is in the Schema

// Bounds that input is checked against, so that one bad line cannot ask for all the memory there
// is.
inline constexpr Label kMaxClasses = 1 << 20;
inline constexpr Index kMaxFeatures = 1 << 24;
// And the largest magnitude of a value: squares and sums of such values are far from overflow.
inline constexpr double kMaxValue = 1e50;

// One feature vector, not owned. Sparse: `index` is strictly ascending and `value` runs beside it.
// Dense: `index` is empty and value[j] belongs to feature j. No value is NaN, or beyond ±kMaxValue.
struct Features {
  std::span<const Index> index;
  std::span<const double> value;

  bool dense() const { return index.empty(); }
  std::size_t size() const { return value.size(); }
  Index feature(std::size_t i) const { return dense() ? static_cast<Index>(i) : index[i]; }
  // One more than the highest feature: the number of features that a learner must hold for x.
  Index extent() const { return size() == 0 ? 0 : feature(size() - 1) + 1; }
};

// Σ x_j², in four partial sums that are added up at the end: one order, on every machine.
inline double squared_norm(const Features& x) {
  double sums[4] = {};
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % 4] += x.value[i] * x.value[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

// The size of a learner: k classes, and the features known so far (a learner grows as it meets new
// ones).
struct Shape {
  Label classes = 0;
  Index features = 0;
  friend bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace soba
