// A square matrix that grows at its lower right corner. Rows begin a stride apart, which reserve()
// sets ahead of need: growing within it moves nothing. What lies beyond the matrix is zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "linalg/room.h"
#include "soba/state.h"

namespace soba::linalg {

class GrowingSquare {
 public:
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  double* row(std::size_t i) { return cells_.data() + i * stride_; }
  const double* row(std::size_t i) const { return cells_.data() + i * stride_; }

  // Room for `size` rows: growing to as many does not throw. Throws where there is no memory;
  // nothing has changed then.
  void reserve(std::size_t size) {
    if (size <= stride_) return;
    std::vector<double> wider(size * size);
    copy_rows(size_, size_, cells_.data(), stride_, wider.data(), size);
    cells_.swap(wider);
    stride_ = size;
    moved_ += size_ * size_;
  }
  // New cells are zero. Requires: size >= size().
  void grow(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  // Back to no rows; the room stays.
  void clear() {
    std::fill(cells_.begin(), cells_.end(), 0.0);
    size_ = 0;
  }
  // Without the stride. Does not throw where `out` has room for size()² numbers.
  void copy_to(std::vector<double>& out) const {
    out.resize(size_ * size_);
    copy_rows(size_, size_, cells_.data(), stride_, out.data(), size_);
  }
  // Requires: size()² numbers.
  void copy_from(const std::vector<double>& cells) {
    copy_rows(size_, size_, cells.data(), size_, cells_.data(), stride_);
  }
  // A file has no stride.
  void visit(std::string_view name, StateVisitor& visitor) {
    std::vector<double> own;
    const bool plain = visitor.loading() || size_ == stride_;
    if (!plain) copy_to(own);
    std::vector<double>& cells = plain ? cells_ : own;
    visitor.field(name, cells);
    if (visitor.loading()) {
      size_ = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(cells.size()))));
      stride_ = size_;
    }
    visitor.require(cells.size() == size_ * size_, "the matrix is square");
    visitor.require(all_finite(cells), "every number of the matrix is finite");
  }

  std::size_t moved() const { return moved_; }  // numbers that reserve() has copied so far

 private:
  std::size_t size_ = 0, stride_ = 0, moved_ = 0;
  std::vector<double> cells_;
};

}  // namespace soba::linalg
