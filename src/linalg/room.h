// Room ahead of need: what grows while a learner learns reserves its memory beforehand, so that the
// growing itself cannot fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "soba/types.h"

namespace soba::linalg {

// Capacity for `count` elements in all; grows geometrically, so that one more at a time is cheap.
template <class T>
void make_room(std::vector<T>& values, std::size_t count) {
  if (count > values.capacity()) values.reserve(std::max(count, 2 * values.capacity()));
}

// How many features to make room for where `needed` are and there is room for `room`: half as many
// again, so that features that appear one by one are cheap, but no more than fits(features) allows.
// Requires: fits(needed).
template <class Fits>
Index features_ahead(Index room, Index needed, Fits&& fits) {
  Index features = std::max(needed, room + room / 2);
  while (features > needed && !fits(features)) features = needed + (features - needed) / 2;
  return features;
}

// The first `count` numbers, which are runs of `from`, as runs of `to`: behind each, `fresh` ones.
template <class T>
std::vector<T> longer_runs(const std::vector<T>& values, std::size_t count, std::size_t from,
                           std::size_t to, const T& fresh) {
  std::vector<T> out;
  if (count == 0) return out;
  out.reserve(count / from * to);
  for (std::size_t run = 0; run < count; run += from) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(run);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(from));
    out.insert(out.end(), to - from, fresh);
  }
  return out;
}

// Copies `rows` rows of `count` numbers, which begin `from_stride` and `to_stride` apart.
inline void copy_rows(std::size_t rows, std::size_t count, const double* from,
                      std::size_t from_stride, double* to, std::size_t to_stride) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * from_stride, count, to + row * to_stride);
  }
}

}  // namespace soba::linalg
