// Dense vectors and matrices: Highway compiles this file once for each vector unit and picks one
// at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/simd_dense.cpp"
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

// Sixteen partial sums whatever the width of a vector: 16/lanes vectors of them.
double Dot(const double* a, const double* b, std::size_t n) {
  const hn::CappedTag<double, 4> tag;
  const std::size_t lanes = hn::Lanes(tag);
  alignas(64) std::array<double, 16> sums{};
  const std::size_t whole = n - n % 16;
  for (std::size_t first = 0; first < 16; first += 4 * lanes) {
    auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t i = first; i < whole; i += 16) {
      s0 = hn::Add(s0, hn::Mul(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i)));
      s1 = hn::Add(s1, hn::Mul(hn::LoadU(tag, a + i + lanes), hn::LoadU(tag, b + i + lanes)));
      s2 = hn::Add(s2,
                   hn::Mul(hn::LoadU(tag, a + i + 2 * lanes), hn::LoadU(tag, b + i + 2 * lanes)));
      s3 = hn::Add(s3,
                   hn::Mul(hn::LoadU(tag, a + i + 3 * lanes), hn::LoadU(tag, b + i + 3 * lanes)));
    }
    hn::StoreU(s0, tag, sums.data() + first);
    hn::StoreU(s1, tag, sums.data() + first + lanes);
    hn::StoreU(s2, tag, sums.data() + first + 2 * lanes);
    hn::StoreU(s3, tag, sums.data() + first + 3 * lanes);
  }
  for (std::size_t i = whole; i < n; ++i) sums[i - whole] += a[i] * b[i];
  double total = 0;
  for (double sum : sums) total += sum;
  return total;
}

void AddScaled(double factor, const double* HWY_RESTRICT x, double* HWY_RESTRICT y, std::size_t n) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto f = hn::Set(tag, factor);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(tag, y + i), hn::Mul(f, hn::LoadU(tag, x + i))), tag, y + i);
  }
  for (; i < n; ++i) y[i] += factor * x[i];
}

// The sums of dot() for two rows at once, without their last n mod 16 products: x is read once for
// both, and two streams come from memory.
void dot_two(const double* a, const double* b, const double* x, std::size_t n, double* a_sums,
             double* b_sums) {
  const hn::CappedTag<double, 4> tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t first = 0; first < 16; first += 4 * lanes) {
    auto a0 = hn::Zero(tag), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (std::size_t i = first; i + 16 <= n + first; i += 16) {
      const auto x0 = hn::LoadU(tag, x + i), x1 = hn::LoadU(tag, x + i + lanes);
      a0 = hn::Add(a0, hn::Mul(hn::LoadU(tag, a + i), x0));
      b0 = hn::Add(b0, hn::Mul(hn::LoadU(tag, b + i), x0));
      a1 = hn::Add(a1, hn::Mul(hn::LoadU(tag, a + i + lanes), x1));
      b1 = hn::Add(b1, hn::Mul(hn::LoadU(tag, b + i + lanes), x1));
      const auto x2 = hn::LoadU(tag, x + i + 2 * lanes), x3 = hn::LoadU(tag, x + i + 3 * lanes);
      a2 = hn::Add(a2, hn::Mul(hn::LoadU(tag, a + i + 2 * lanes), x2));
      b2 = hn::Add(b2, hn::Mul(hn::LoadU(tag, b + i + 2 * lanes), x2));
      a3 = hn::Add(a3, hn::Mul(hn::LoadU(tag, a + i + 3 * lanes), x3));
      b3 = hn::Add(b3, hn::Mul(hn::LoadU(tag, b + i + 3 * lanes), x3));
    }
    hn::StoreU(a0, tag, a_sums + first);
    hn::StoreU(a1, tag, a_sums + first + lanes);
    hn::StoreU(a2, tag, a_sums + first + 2 * lanes);
    hn::StoreU(a3, tag, a_sums + first + 3 * lanes);
    hn::StoreU(b0, tag, b_sums + first);
    hn::StoreU(b1, tag, b_sums + first + lanes);
    hn::StoreU(b2, tag, b_sums + first + 2 * lanes);
    hn::StoreU(b3, tag, b_sums + first + 3 * lanes);
  }
}

// The last n mod 16 products, and all sums added up.
double finish_dot(const double* a, const double* x, std::size_t n, double* sums) {
  const std::size_t whole = n - n % 16;
  for (std::size_t i = whole; i < n; ++i) sums[i - whole] += a[i] * x[i];
  return std::accumulate(sums, sums + 16, 0.0);
}

// Two rows at a time. The second is longer by one, an odd number of products: both have as many
// sixteens.
void SolvePacked(const double* factor, double* x, std::size_t n) {
  alignas(64) double even_sums[16], odd_sums[16];
  const double* even = factor;
  for (std::size_t i = 0; i < n; i += 2) {
    const double* odd = even + i + 1;
    if (i + 1 == n) odd = even;  // the last row is alone
    dot_two(even, odd, x, i, even_sums, odd_sums);
    x[i] = (x[i] - finish_dot(even, x, i, even_sums)) / even[i];
    if (i + 1 == n) return;
    x[i + 1] = (x[i + 1] - finish_dot(odd, x, i + 1, odd_sums)) / odd[i + 1];
    even = odd + i + 2;
  }
}

// Four rows at a time: x is read and written once for all.
void SolvePackedTransposed(const double* factor, double* x, std::size_t n) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto row = [&](std::size_t i) { return factor + i * (i + 1) / 2; };
  std::size_t end = n;
  for (; end >= 4; end -= 4) {
    const std::size_t first = end - 4;
    for (std::size_t i = end; i-- > first;) {
      x[i] /= row(i)[i];
      for (std::size_t j = first; j < i; ++j) x[j] += -x[i] * row(i)[j];
    }
    const double *r3 = row(first + 3), *r2 = row(first + 2), *r1 = row(first + 1), *r0 = row(first);
    const auto f3 = hn::Set(tag, -x[first + 3]), f2 = hn::Set(tag, -x[first + 2]);
    const auto f1 = hn::Set(tag, -x[first + 1]), f0 = hn::Set(tag, -x[first]);
    std::size_t j = 0;
    for (; j + lanes <= first; j += lanes) {
      auto y = hn::LoadU(tag, x + j);
      y = hn::Add(y, hn::Mul(f3, hn::LoadU(tag, r3 + j)));
      y = hn::Add(y, hn::Mul(f2, hn::LoadU(tag, r2 + j)));
      y = hn::Add(y, hn::Mul(f1, hn::LoadU(tag, r1 + j)));
      y = hn::Add(y, hn::Mul(f0, hn::LoadU(tag, r0 + j)));
      hn::StoreU(y, tag, x + j);
    }
    for (; j < first; ++j) {
      for (std::size_t i = end; i-- > first;) x[j] += -x[i] * row(i)[j];
    }
  }
  reference::solve_packed_transposed(factor, x, end);
}

// Row j, or with kRows = 4 the rows from j on, in two vectors each from column i on: they stay in
// registers while all columns of V pass by.
template <std::size_t kRows, class D>
void subtract_tile(D tag, const double* HWY_RESTRICT columns, std::size_t count, std::size_t j,
                   std::size_t i, double* HWY_RESTRICT matrix, std::size_t stride) {
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t apart = kRows == 4 ? stride : 0;
  double* r0 = matrix + j * stride + i;
  double* r1 = r0 + apart;
  double* r2 = r1 + apart;
  double* r3 = r2 + apart;
  auto a0 = hn::LoadU(tag, r0), b0 = hn::LoadU(tag, r0 + lanes);
  auto a1 = a0, b1 = b0, a2 = a0, b2 = b0, a3 = a0, b3 = b0;
  if constexpr (kRows == 4) {
    a1 = hn::LoadU(tag, r1);
    b1 = hn::LoadU(tag, r1 + lanes);
    a2 = hn::LoadU(tag, r2);
    b2 = hn::LoadU(tag, r2 + lanes);
    a3 = hn::LoadU(tag, r3);
    b3 = hn::LoadU(tag, r3 + lanes);
  }
  for (std::size_t c = 0; c < count; ++c) {
    const double* v = columns + c * stride;
    const auto a = hn::LoadU(tag, v + i), b = hn::LoadU(tag, v + i + lanes);
    const auto f0 = hn::Set(tag, v[j]);
    a0 = hn::Sub(a0, hn::Mul(f0, a));
    b0 = hn::Sub(b0, hn::Mul(f0, b));
    if constexpr (kRows == 4) {
      const auto f1 = hn::Set(tag, v[j + 1]);
      a1 = hn::Sub(a1, hn::Mul(f1, a));
      b1 = hn::Sub(b1, hn::Mul(f1, b));
      const auto f2 = hn::Set(tag, v[j + 2]);
      a2 = hn::Sub(a2, hn::Mul(f2, a));
      b2 = hn::Sub(b2, hn::Mul(f2, b));
      const auto f3 = hn::Set(tag, v[j + 3]);
      a3 = hn::Sub(a3, hn::Mul(f3, a));
      b3 = hn::Sub(b3, hn::Mul(f3, b));
    }
  }
  hn::StoreU(a0, tag, r0);
  hn::StoreU(b0, tag, r0 + lanes);
  if constexpr (kRows == 4) {
    hn::StoreU(a1, tag, r1);
    hn::StoreU(b1, tag, r1 + lanes);
    hn::StoreU(a2, tag, r2);
    hn::StoreU(b2, tag, r2 + lanes);
    hn::StoreU(a3, tag, r3);
    hn::StoreU(b3, tag, r3 + lanes);
  }
}

// As many tiles side by side as it takes to reach the diagonal, if there is room for them. Returns
// the first column that is left.
template <std::size_t kRows, class D>
std::size_t subtract_tiles(D tag, const double* columns, std::size_t count, std::size_t j,
                           std::size_t i, double* matrix, std::size_t n, std::size_t stride) {
  const std::size_t wide = 2 * hn::Lanes(tag);
  for (; i < j + kRows && i + wide <= n; i += wide) {
    subtract_tile<kRows>(tag, columns, count, j, i, matrix, stride);
  }
  return i;
}

// The kRows rows from j on up to the diagonal, and their mirror image. What lies beyond the
// diagonal in the last tile is right, too: rows to come will write the same there.
template <std::size_t kRows>
void subtract_rows(const double* columns, std::size_t count, std::size_t j, double* matrix,
                   std::size_t n, std::size_t stride) {
  bool zero = true;
  for (std::size_t c = 0; c < count && zero; ++c) {
    for (std::size_t r = j; r < j + kRows; ++r) zero = zero && columns[c * stride + r] == 0;
  }
  if (zero) return;
  std::size_t i = 0;
  i = subtract_tiles<kRows>(hn::ScalableTag<double>(), columns, count, j, i, matrix, n, stride);
  i = subtract_tiles<kRows>(hn::CappedTag<double, 2>(), columns, count, j, i, matrix, n, stride);
  i = subtract_tiles<kRows>(hn::CappedTag<double, 1>(), columns, count, j, i, matrix, n, stride);
  if (i < j + kRows) {  // the last cell of all, where n is odd
    for (std::size_t c = 0; c < count; ++c) {
      matrix[j * stride + i] -= columns[c * stride + j] * columns[c * stride + i];
    }
  }
  const double* rows = matrix + j * stride;
  for (i = 0; i < j; ++i) {
    for (std::size_t r = 0; r < kRows; ++r) matrix[i * stride + j + r] = rows[r * stride + i];
  }
}

void SubtractOuter(const double* columns, std::size_t count, double* matrix, std::size_t n,
                   std::size_t stride) {
  std::size_t j = 0;
  for (; j + 4 <= n; j += 4) subtract_rows<4>(columns, count, j, matrix, n, stride);
  for (; j < n; ++j) subtract_rows<1>(columns, count, j, matrix, n, stride);
}

// kVectors vectors of y, eight, four or one, stay in registers while all columns pass by.
template <std::size_t kVectors, class D>
void combine_tile(D tag, std::span<const double> factors, const double* const* columns,
                  std::size_t first, double* y) {
  const std::size_t lanes = hn::Lanes(tag);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t c = 0; c < factors.size(); ++c) {
    const auto f = hn::Set(tag, factors[c]);
    const double* x = columns[c] + first;
    s0 = hn::Add(s0, hn::Mul(f, hn::LoadU(tag, x)));
    if constexpr (kVectors >= 4) {
      s1 = hn::Add(s1, hn::Mul(f, hn::LoadU(tag, x + lanes)));
      s2 = hn::Add(s2, hn::Mul(f, hn::LoadU(tag, x + 2 * lanes)));
      s3 = hn::Add(s3, hn::Mul(f, hn::LoadU(tag, x + 3 * lanes)));
    }
    if constexpr (kVectors == 8) {
      s4 = hn::Add(s4, hn::Mul(f, hn::LoadU(tag, x + 4 * lanes)));
      s5 = hn::Add(s5, hn::Mul(f, hn::LoadU(tag, x + 5 * lanes)));
      s6 = hn::Add(s6, hn::Mul(f, hn::LoadU(tag, x + 6 * lanes)));
      s7 = hn::Add(s7, hn::Mul(f, hn::LoadU(tag, x + 7 * lanes)));
    }
  }
  double* out = y + first;
  hn::StoreU(s0, tag, out);
  if constexpr (kVectors >= 4) {
    hn::StoreU(s1, tag, out + lanes);
    hn::StoreU(s2, tag, out + 2 * lanes);
    hn::StoreU(s3, tag, out + 3 * lanes);
  }
  if constexpr (kVectors == 8) {
    hn::StoreU(s4, tag, out + 4 * lanes);
    hn::StoreU(s5, tag, out + 5 * lanes);
    hn::StoreU(s6, tag, out + 6 * lanes);
    hn::StoreU(s7, tag, out + 7 * lanes);
  }
}

// The last tile ends where y ends, and computes again what it shares with the one before. False
// where y is shorter than a tile.
template <std::size_t kVectors, class D>
bool combine_tiles(D tag, std::span<const double> factors, const double* const* columns, double* y,
                   std::size_t n) {
  const std::size_t wide = kVectors * hn::Lanes(tag);
  if (n < wide) return false;
  for (std::size_t i = 0; i < n; i += wide) {
    combine_tile<kVectors>(tag, factors, columns, std::min(i, n - wide), y);
  }
  return true;
}

void Combine(std::span<const double> factors, const double* const* columns, double* y,
             std::size_t n) {
  const hn::ScalableTag<double> tag;
  const hn::CappedTag<double, 1> single;
  if (combine_tiles<8>(tag, factors, columns, y, n)) return;
  if (combine_tiles<4>(tag, factors, columns, y, n)) return;
  if (combine_tiles<1>(tag, factors, columns, y, n)) return;
  combine_tiles<1>(single, factors, columns, y, n);
}

}  // namespace
}  // namespace soba::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba::linalg {

HWY_EXPORT(Dot);
HWY_EXPORT(AddScaled);
HWY_EXPORT(SubtractOuter);
HWY_EXPORT(Combine);
HWY_EXPORT(SolvePacked);
HWY_EXPORT(SolvePackedTransposed);

double dot(const double* a, const double* b, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Dot)(a, b, n);
}

void add_scaled(double factor, const double* x, double* y, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaled)(factor, x, y, n);
}

void subtract_outer(const double* columns, std::size_t count, double* matrix, std::size_t n,
                    std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(SubtractOuter)(columns, count, matrix, n, stride);
}

void combine(std::span<const double> factors, const double* const* columns, double* y,
             std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Combine)(factors, columns, y, n);
}

void solve_packed(const double* factor, double* x, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(SolvePacked)(factor, x, n);
}

void solve_packed_transposed(const double* factor, double* x, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(SolvePackedTransposed)(factor, x, n);
}

}  // namespace soba::linalg
#endif  // HWY_ONCE
