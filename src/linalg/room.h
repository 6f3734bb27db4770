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

// Widens `rows` rows of `from` numbers each, one after the other, to rows of `to`, in place; the new
// numbers are zero. Does not throw where the vector has the capacity.
inline void widen_rows(std::vector<double>& values, std::size_t rows, std::size_t from,
                       std::size_t to) {
  values.resize(rows * to);
  // From the last row on: each moves up, into what is already moved away or new.
  for (std::size_t row = rows; row-- > 0;) {
    double* old = values.data() + row * from;
    double* now = values.data() + row * to;
    std::copy_backward(old, old + from, now + from);
    std::fill(now + from, now + to, 0.0);
  }
}

// The same for `count` square matrices, one after the other: `from` × `from` numbers each become
// `to` × `to`, the old ones in the corner.
inline void widen_squares(std::vector<double>& values, std::size_t count, std::size_t from,
                          std::size_t to) {
  values.resize(count * to * to);
  for (std::size_t number = count; number-- > 0;) {
    double* now = values.data() + number * to * to;
    std::fill(now + from * to, now + to * to, 0.0);
    for (std::size_t row = from; row-- > 0;) {
      double* old = values.data() + (number * from + row) * from;
      std::copy_backward(old, old + from, now + row * to + from);
      std::fill(now + row * to + from, now + (row + 1) * to, 0.0);
    }
  }
}

}  // namespace soba::linalg
