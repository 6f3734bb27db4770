// A matrix with a row for each feature and a column for each class, stored row after row: the
// weights that one non-zero feature needs lie side by side. Grows by rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "linalg/kernels.h"
#include "linalg/room.h"
#include "soba/state.h"
#include "soba/types.h"

namespace soba {

// The part of x that lies in the first `features` features.
inline Features first_features(const Features& x, Index features) {
  if (x.extent() <= features) return x;
  if (x.dense()) return {{}, x.value.first(static_cast<std::size_t>(features))};
  const auto end = std::lower_bound(x.index.begin(), x.index.end(), features);
  const auto count = static_cast<std::size_t>(end - x.index.begin());
  return {x.index.first(count), x.value.first(count)};
}

template <class T>
class ClassMatrix {
 public:
  explicit ClassMatrix(Shape shape) : classes_(shape.classes) { grow(shape.features); }

  Shape shape() const { return {classes_, features_}; }
  // Room for `features` features; shows nowhere but in that growing to as many does not throw.
  // Returns how many there is room for.
  Index reserve(Index features) {
    if (features <= features_) return features_;
    linalg::make_room(cells_, cell(features, 0) + linalg::kSlack);
    return features;
  }
  // Rows for at least `features` features; new ones are zero.
  void grow(Index features) {
    if (features <= features_) return;
    cells_.resize(cell(features, 0) + linalg::kSlack);
    features_ = features;
  }

  // Columns for `classes` classes; new ones are zero. Of several groups of columns, which are
  // equally many, each gets its share of them at its end.
  void add_classes(Label classes, Label groups = 1) {
    const auto from = static_cast<std::size_t>(classes_ / groups);
    const auto to = static_cast<std::size_t>(classes / groups);
    cells_ = linalg::longer_runs(cells_, cell(features_, 0), from, to, T{});
    classes_ = classes;
    if (features_ > 0) cells_.resize(cell(features_, 0) + linalg::kSlack);
  }

  std::size_t cell(Index feature, Label label) const {
    return static_cast<std::size_t>(feature) * static_cast<std::size_t>(classes_) +
           static_cast<std::size_t>(label);
  }
  T& operator[](std::size_t cell) { return cells_[cell]; }
  const T& operator[](std::size_t cell) const { return cells_[cell]; }
  std::span<T> cells() { return {cells_.data(), cell(features_, 0)}; }
  std::span<const T> cells() const { return {cells_.data(), cell(features_, 0)}; }

  // out = xᵀ·matrix, where feature 0 of x belongs to row `first`; features beyond the last row
  // count as zero. Requires: first <= features.
  void scores(const Features& x, std::span<double> out, Index first = 0) const {
    const bool far = cells_.size() * sizeof(T) > linalg::kNear;
    const auto k = static_cast<std::size_t>(classes_);
    const T* rows = cells_.data() + cell(first, 0);
    const Index known = features_ - first;
    if (x.extent() <= known) {
      linalg::scores(rows, k, x, far, out.data());
    } else {
      linalg::scores(rows, k, first_features(x, known), far, out.data());
    }
  }
  // Column `up` += factor·x and column `down` −= factor·x. Requires: x.extent() <= features.
  void add_difference(Label up, Label down, T factor, const Features& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      T* row = cells_.data() + cell(x.feature(i), 0);
      const T step = factor * static_cast<T>(x.value[i]);
      row[up] += step;
      row[down] -= step;
    }
  }
  // Column `label` += factor·x. Requires: x.extent() <= features.
  void add(Label label, T factor, const Features& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      cells_[cell(x.feature(i), label)] += factor * static_cast<T>(x.value[i]);
    }
  }
  // Every column += its factor·x. Requires: a factor for each class, x.extent() <= features.
  void add_all(std::span<const T> factors, const Features& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      T* row = cells_.data() + cell(x.feature(i), 0);
      const T value = static_cast<T>(x.value[i]);
      for (std::size_t c = 0; c < factors.size(); ++c) row[c] += factors[c] * value;
    }
  }

  void visit(std::string_view name, StateVisitor& visitor) {
    visitor.field(name, cells_);
    visitor.require(cells_.size() == (features_ == 0 ? 0 : cell(features_, 0) + linalg::kSlack),
                    "the weights have one row for each feature");
    visitor.require(std::all_of(cells_.begin(), cells_.end(), [](T w) { return std::isfinite(w); }),
                    "every weight is finite");
  }

 private:
  Label classes_;
  Index features_ = 0;
  std::vector<T> cells_;
};

}  // namespace soba
