// Steps of diagonal second-order states: Highway compiles this file once for each vector unit and
// picks one at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/simd_steps.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "linalg/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace soba::linalg::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// Both cells of a feature share a two-lane vector, the first lane `up`, the second `down`: a
// division costs as much for two as for one. Returns the sum of their inverses of before.
HWY_INLINE double step_pair(const DiagonalStep& step, double v, std::size_t row,
                            DiagonalCell* HWY_RESTRICT cells, float* HWY_RESTRICT weights) {
  const hn::FixedTag<double, 2> pair;
  const hn::FixedTag<float, 2> float_pair;
  alignas(16) const double signs[2] = {step.g, -step.g};
  DiagonalCell& up = cells[row + step.up];
  DiagonalCell& down = cells[row + step.down];
  const auto old_up = hn::LoadU(pair, &up.diagonal);  // diagonal, theta
  const auto old_down = hn::LoadU(pair, &down.diagonal);
  const auto old = hn::InterleaveLower(pair, old_up, old_down);
  const auto diagonal = hn::Add(old, hn::Set(pair, step.w * v * v));
  const auto theta = hn::Add(hn::InterleaveUpper(pair, old_up, old_down),
                             hn::Mul(hn::Load(pair, signs), hn::Set(pair, v)));
  const auto one = hn::Set(pair, 1.0);
  const auto weight = hn::DemoteTo(float_pair, hn::Mul(theta, hn::Div(one, diagonal)));
  hn::StoreU(hn::InterleaveLower(pair, diagonal, theta), pair, &up.diagonal);
  hn::StoreU(hn::InterleaveUpper(pair, diagonal, theta), pair, &down.diagonal);
  weights[row + step.up] = hn::GetLane(weight);
  weights[row + step.down] = hn::ExtractLane(weight, 1);
  const auto inverse = hn::Div(one, old);
  return hn::GetLane(inverse) + hn::ExtractLane(inverse, 1);
}

#if HWY_CAP_GE256
using Four = hn::FixedTag<double, 4>;

// Two features in a vector of four, as step_pair() has one in two. Returns the inverses of before,
// and the squares of the values in `squares`.
HWY_INLINE hn::Vec<Four> step_two(const DiagonalStep& step, const double* HWY_RESTRICT value,
                                  std::size_t row0, std::size_t row1,
                                  DiagonalCell* HWY_RESTRICT cells, float* HWY_RESTRICT weights,
                                  hn::Vec<Four>& squares) {
  const Four four;
  const hn::Half<Four> pair;
  double* const up0 = &cells[row0 + step.up].diagonal;
  double* const up1 = &cells[row1 + step.up].diagonal;
  double* const down0 = &cells[row0 + step.down].diagonal;
  double* const down1 = &cells[row1 + step.down].diagonal;
  const auto up = hn::Combine(four, hn::LoadU(pair, up1), hn::LoadU(pair, up0));
  const auto down = hn::Combine(four, hn::LoadU(pair, down1), hn::LoadU(pair, down0));
  const auto v = hn::Combine(four, hn::Set(pair, value[1]), hn::Set(pair, value[0]));
  const auto old = hn::InterleaveLower(four, up, down);
  squares = hn::Mul(v, v);
  const auto diagonal = hn::Add(old, hn::Mul(hn::Mul(hn::Set(four, step.w), v), v));
  alignas(32) const double signs[4] = {step.g, -step.g, step.g, -step.g};
  const auto theta =
      hn::Add(hn::InterleaveUpper(four, up, down), hn::Mul(hn::Load(four, signs), v));
  const auto one = hn::Set(four, 1.0);
  const auto weight =
      hn::DemoteTo(hn::FixedTag<float, 4>(), hn::Mul(theta, hn::Div(one, diagonal)));
  const auto new_up = hn::InterleaveLower(four, diagonal, theta);
  const auto new_down = hn::InterleaveUpper(four, diagonal, theta);
  hn::StoreU(hn::LowerHalf(pair, new_up), pair, up0);
  hn::StoreU(hn::LowerHalf(pair, new_down), pair, down0);
  hn::StoreU(hn::UpperHalf(pair, new_up), pair, up1);
  hn::StoreU(hn::UpperHalf(pair, new_down), pair, down1);
  weights[row0 + step.up] = hn::GetLane(weight);
  weights[row0 + step.down] = hn::ExtractLane(weight, 1);
  weights[row1 + step.up] = hn::ExtractLane(weight, 2);
  weights[row1 + step.down] = hn::ExtractLane(weight, 3);
  return hn::Div(one, old);
}

// As many features as come in fours. Returns how many, and their part of the four sums.
template <bool kDense, bool kFar>
HWY_INLINE std::size_t step_fours(const DiagonalStep& step, const Features& x,
                                  DiagonalCell* HWY_RESTRICT cells, float* HWY_RESTRICT weights,
                                  std::array<double, 4>& quad) {
  const Four four;
  const Index* HWY_RESTRICT index = x.index.data();
  const double* HWY_RESTRICT value = x.value.data();
  const auto row = [&](std::size_t i) {
    return (kDense ? i : static_cast<std::size_t>(index[i])) * step.k;
  };
  auto sums = hn::Zero(four);
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    if constexpr (kFar) {
      for (std::size_t j = i + kAhead; j < std::min(i + kAhead + 4, x.size()); ++j) {
        hwy::Prefetch(cells + row(j) + step.up);
        hwy::Prefetch(cells + row(j) + step.down);
      }
    }
    hn::Vec<Four> squares01, squares23;
    const auto old01 = step_two(step, value + i, row(i), row(i + 1), cells, weights, squares01);
    const auto old23 =
        step_two(step, value + i + 2, row(i + 2), row(i + 3), cells, weights, squares23);
    // The lanes are those of the features 0, 2, 1, 3 here.
    const auto both =
        hn::Add(hn::InterleaveLower(four, old01, old23), hn::InterleaveUpper(four, old01, old23));
    sums = hn::Add(sums, hn::Mul(hn::InterleaveLower(four, squares01, squares23), both));
  }
  alignas(32) double lanes[4];
  hn::Store(sums, four, lanes);
  quad = {lanes[0], lanes[2], lanes[1], lanes[3]};
  return i;
}
#endif  // HWY_CAP_GE256
#endif  // HWY_TARGET != HWY_SCALAR

double StepDiagonal(const DiagonalStep& step, const Features& x, DiagonalCell* HWY_RESTRICT cells,
                    float* HWY_RESTRICT weights) {
#if HWY_TARGET == HWY_SCALAR
  return reference::step_diagonal(step, x, cells, weights);
#else
  std::array<double, 4> quad{};
  std::size_t i = 0;
#if HWY_CAP_GE256
  if (x.dense()) {
    i = step_fours<true, false>(step, x, cells, weights, quad);
  } else if (step.far) {
    i = step_fours<false, true>(step, x, cells, weights, quad);
  } else {
    i = step_fours<false, false>(step, x, cells, weights, quad);
  }
#endif
  for (; i < x.size(); ++i) {
    const double v = x.value[i];
    const std::size_t row = static_cast<std::size_t>(x.feature(i)) * step.k;
    quad[i % 4] += v * v * step_pair(step, v, row, cells, weights);
  }
  return quad[0] + quad[1] + quad[2] + quad[3];
#endif
}

#if HWY_CAP_GE256
// The cells of four features as two vectors, one of what comes first in a cell and one of what
// comes second, and back.
struct FourCells {
  hn::Vec<Four> first, second;
};

HWY_INLINE FourCells load_four(const ClassCell* c0, const ClassCell* c1, const ClassCell* c2,
                               const ClassCell* c3) {
  const Four four;
  const hn::Half<Four> pair;
  const auto even = hn::Combine(four, hn::LoadU(pair, &c2->inverse), hn::LoadU(pair, &c0->inverse));
  const auto odd = hn::Combine(four, hn::LoadU(pair, &c3->inverse), hn::LoadU(pair, &c1->inverse));
  return {hn::InterleaveLower(four, even, odd), hn::InterleaveUpper(four, even, odd)};
}

HWY_INLINE void store_four(const FourCells& cells, ClassCell* c0, ClassCell* c1, ClassCell* c2,
                           ClassCell* c3) {
  const Four four;
  const hn::Half<Four> pair;
  const auto even = hn::InterleaveLower(four, cells.first, cells.second);
  const auto odd = hn::InterleaveUpper(four, cells.first, cells.second);
  hn::StoreU(hn::LowerHalf(pair, even), pair, &c0->inverse);
  hn::StoreU(hn::LowerHalf(pair, odd), pair, &c1->inverse);
  hn::StoreU(hn::UpperHalf(pair, even), pair, &c2->inverse);
  hn::StoreU(hn::UpperHalf(pair, odd), pair, &c3->inverse);
}

// As many features as come in fours. Returns how many, and their part of the four sums.
template <bool kDense>
std::size_t variance_fours(const ClassMove& move, const Features& x,
                           const ClassCell* HWY_RESTRICT cells, std::array<double, 4>& sums) {
  const Four four;
  const std::size_t n = x.size();
  const Index* HWY_RESTRICT index = x.index.data();
  const auto cell = [&](std::size_t i) {
    return cells + (kDense ? i : static_cast<std::size_t>(index[i])) * move.k + move.label;
  };
  auto lanes = hn::Zero(four);
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    if (!kDense && move.far) {
      for (std::size_t j = i + kAhead; j < std::min(i + kAhead + 4, n); ++j) hwy::Prefetch(cell(j));
    }
    const auto v = hn::LoadU(four, x.value.data() + i);
    const FourCells both = load_four(cell(i), cell(i + 1), cell(i + 2), cell(i + 3));
    lanes = hn::Add(lanes, hn::Mul(hn::Mul(v, v), both.first));
  }
  hn::StoreU(lanes, four, sums.data());
  return i;
}

template <bool kDense>
std::size_t step_class_fours(const ClassMove& move, const Features& x,
                             ClassCell* HWY_RESTRICT cells, float* HWY_RESTRICT weights) {
  const Four four;
  const Index* HWY_RESTRICT index = x.index.data();
  const auto place = [&](std::size_t i) {
    return (kDense ? i : static_cast<std::size_t>(index[i])) * move.k + move.label;
  };
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    const std::size_t p0 = place(i), p1 = place(i + 1), p2 = place(i + 2), p3 = place(i + 3);
    const auto v = hn::LoadU(four, x.value.data() + i);
    FourCells both = load_four(cells + p0, cells + p1, cells + p2, cells + p3);
    const auto shrunk = hn::Mul(v, both.first);
    both.second = hn::Add(both.second, hn::Mul(hn::Set(four, move.along), shrunk));
    const auto growth =
        hn::Add(hn::Set(four, 1.0), hn::Mul(hn::Mul(hn::Set(four, move.w), v), shrunk));
    both.first = hn::Div(both.first, growth);
    store_four(both, cells + p0, cells + p1, cells + p2, cells + p3);
    const auto rounded = hn::DemoteTo(hn::FixedTag<float, 4>(), both.second);
    weights[p0] = hn::GetLane(rounded);
    weights[p1] = hn::ExtractLane(rounded, 1);
    weights[p2] = hn::ExtractLane(rounded, 2);
    weights[p3] = hn::ExtractLane(rounded, 3);
  }
  return i;
}
#endif  // HWY_CAP_GE256

double ClassVariance(const ClassMove& move, const Features& x,
                     const ClassCell* HWY_RESTRICT cells) {
#if HWY_CAP_GE256
  std::array<double, 4> sums;
  std::size_t i = x.dense() ? variance_fours<true>(move, x, cells, sums)
                            : variance_fours<false>(move, x, cells, sums);
  for (; i < x.size(); ++i) {
    const double v = x.value[i];
    const std::size_t place = static_cast<std::size_t>(x.feature(i)) * move.k + move.label;
    sums[i % 4] += v * v * cells[place].inverse;
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
#else
  return reference::class_variance(move, x, cells);
#endif
}

void StepClass(const ClassMove& move, const Features& x, ClassCell* HWY_RESTRICT cells,
               float* HWY_RESTRICT weights) {
#if HWY_CAP_GE256
  std::size_t i = x.dense() ? step_class_fours<true>(move, x, cells, weights)
                            : step_class_fours<false>(move, x, cells, weights);
  for (; i < x.size(); ++i) {
    const Index feature = x.feature(i);
    reference::step_class(move, {{&feature, 1}, {&x.value[i], 1}}, cells, weights);
  }
#else
  reference::step_class(move, x, cells, weights);
#endif
}

// `tag` has as many lanes as classes are taken together, from class `first` on. Returns `total`
// with their sums added.
template <class D>
double step_class_tile(D tag, double total, const ClassStep& step, std::size_t first,
                       const Features& x, double* HWY_RESTRICT diagonal,
                       double* HWY_RESTRICT weights) {
  const auto curve = hn::LoadU(tag, step.curve + first);
  const auto push = hn::LoadU(tag, step.push + first);
  auto change = hn::Zero(tag);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = x.value[i];
    const std::size_t cell = static_cast<std::size_t>(x.feature(i)) * step.k + first;
    const auto old_diagonal = hn::LoadU(tag, diagonal + cell);
    const auto old = hn::LoadU(tag, weights + cell);
    const auto grown = hn::Add(old_diagonal, hn::Mul(curve, hn::Set(tag, v * v)));
    const auto moved = hn::Add(hn::Mul(old_diagonal, old), hn::Mul(push, hn::Set(tag, v)));
    const auto weight = hn::Div(moved, grown);
    hn::StoreU(grown, tag, diagonal + cell);
    hn::StoreU(weight, tag, weights + cell);
    change = hn::Add(change, hn::Sub(hn::Mul(weight, weight), hn::Mul(old, old)));
  }
  alignas(64) double sums[kSlack];
  hn::Store(change, tag, sums);
  return std::accumulate(sums, sums + hn::Lanes(tag), total);
}

double StepClasses(const ClassStep& step, const Features& x, double* diagonal, double* weights) {
  const hn::CappedTag<double, 4> tag;
  const hn::CappedTag<double, 1> single;
  double total = 0;
  std::size_t c = 0;
  for (; c + hn::Lanes(tag) <= step.k; c += hn::Lanes(tag)) {
    total = step_class_tile(tag, total, step, c, x, diagonal, weights);
  }
  for (; c < step.k; ++c) {
    total = step_class_tile(single, total, step, c, x, diagonal, weights);
  }
  return total;
}

}  // namespace
}  // namespace soba::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba::linalg {

HWY_EXPORT(StepDiagonal);
HWY_EXPORT(StepClasses);
HWY_EXPORT(ClassVariance);
HWY_EXPORT(StepClass);

double step_diagonal(const DiagonalStep& step, const Features& x, DiagonalCell* cells,
                     float* weights) {
  return HWY_DYNAMIC_DISPATCH(StepDiagonal)(step, x, cells, weights);
}

double step_classes(const ClassStep& step, const Features& x, double* diagonal, double* weights) {
  return HWY_DYNAMIC_DISPATCH(StepClasses)(step, x, diagonal, weights);
}

double class_variance_of_many(const ClassMove& move, const Features& x, const ClassCell* cells) {
  return HWY_DYNAMIC_DISPATCH(ClassVariance)(move, x, cells);
}

void step_class_of_many(const ClassMove& move, const Features& x, ClassCell* cells,
                        float* weights) {
  HWY_DYNAMIC_DISPATCH(StepClass)(move, x, cells, weights);
}

}  // namespace soba::linalg
#endif  // HWY_ONCE
