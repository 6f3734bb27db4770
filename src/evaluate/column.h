// What a policy would have been paid, one number a decision: the weight w = π(a|x)/p, and in its
// sign bit whether the answer was wrong. 8 bytes a decision; nothing is moved as it grows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace soba {

class Column {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 15;

  // Requires: weight >= 0 and finite.
  void push(double weight, bool correct) {
    const std::size_t at = static_cast<std::size_t>(count_) % kChunk;
    if (at == 0) chunks_.push_back(std::make_unique_for_overwrite<double[]>(kChunk));
    chunks_.back()[at] = correct ? weight : -weight;  // −0.0 is a wrong answer with weight 0
    ++count_;
    w_ += weight;
    ww_ += weight * weight;
    largest_ = std::max(largest_, weight);
    if (!correct) return;
    ++right_;
    wr_ += weight;
    wwr_ += weight * weight;
  }

  static double weight(double held) { return std::fabs(held); }
  static bool correct(double held) { return !std::signbit(held); }

  std::int64_t count() const { return count_; }
  double n() const { return static_cast<double>(count_); }
  double right() const { return static_cast<double>(right_); }  // Σr
  double w() const { return w_; }                               // Σw
  double ww() const { return ww_; }                             // Σw²
  double wr() const { return wr_; }                             // Σwr
  double wwr() const { return wwr_; }                           // Σw²r
  double largest() const { return largest_; }

  // Calls visit(std::span<const double>) with everything, in order.
  template <class Visit>
  void for_each_chunk(Visit&& visit) const {
    auto left = static_cast<std::size_t>(count_);
    for (const auto& chunk : chunks_) {
      const std::size_t size = std::min(left, kChunk);
      visit(std::span<const double>(chunk.get(), size));
      left -= size;
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_chunk([&](std::span<const double> part) {
      for (const double held : part) visit(weight(held), correct(held));
    });
  }

 private:
  std::vector<std::unique_ptr<double[]>> chunks_;
  std::int64_t count_ = 0, right_ = 0;
  double w_ = 0, ww_ = 0, wr_ = 0, wwr_ = 0, largest_ = 0;
};

}  // namespace soba
