// Scores and the best of them: Highway compiles this file once for each vector unit and picks one
// at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/simd_scores.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "linalg/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace soba::linalg::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, kSlack>;

// Which features the weights are needed for, and where the weights are.
enum class Access {
  kDense,   // all features, one after the other
  kSparse,  // some features
  kFar      // some features of many more than the caches hold
};

// The classes of kVectors vectors, in registers through all features. False where one of the sums
// of floats may not be finite; those behind the last class count, too.
template <std::size_t kVectors, Access kAccess, class T>
bool score_tile(const T* HWY_RESTRICT weights, std::size_t k, const Features& x,
                T* HWY_RESTRICT out) {
  const Tag<T> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t n = x.size();
  const Index* HWY_RESTRICT index = x.index.data();
  const double* HWY_RESTRICT value = x.value.data();
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto v = hn::Set(tag, static_cast<T>(value[i]));
    const T* row =
        weights + (kAccess == Access::kDense ? i : static_cast<std::size_t>(index[i])) * k;
    if constexpr (kAccess == Access::kFar) {
      const T* ahead = weights + static_cast<std::size_t>(index[std::min(i + kAhead, n - 1)]) * k;
      hwy::Prefetch(ahead);
      hwy::Prefetch(ahead + kVectors * lanes - 1);
    }
    s0 = hn::Add(s0, hn::Mul(v, hn::LoadU(tag, row)));
    if constexpr (kVectors > 1) s1 = hn::Add(s1, hn::Mul(v, hn::LoadU(tag, row + lanes)));
    if constexpr (kVectors > 2) s2 = hn::Add(s2, hn::Mul(v, hn::LoadU(tag, row + 2 * lanes)));
    if constexpr (kVectors > 3) s3 = hn::Add(s3, hn::Mul(v, hn::LoadU(tag, row + 3 * lanes)));
  }
  hn::Store(s0, tag, out);
  if constexpr (kVectors > 1) hn::Store(s1, tag, out + lanes);
  if constexpr (kVectors > 2) hn::Store(s2, tag, out + 2 * lanes);
  if constexpr (kVectors > 3) hn::Store(s3, tag, out + 3 * lanes);
  if constexpr (std::is_same_v<T, double>) return true;
  auto sum = s0;  // not finite where one of them is not
  if constexpr (kVectors > 1) sum = hn::Add(sum, s1);
  if constexpr (kVectors > 2) sum = hn::Add(sum, s2);
  if constexpr (kVectors > 3) sum = hn::Add(sum, s3);
  return hn::AllTrue(tag, hn::Eq(hn::Sub(sum, sum), hn::Zero(tag)));
}

template <Access kAccess, class T>
void score_all(const T* weights, std::size_t k, const Features& x, double* out) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  alignas(64) T sums[4 * kSlack];
  bool finite = true;
  for (std::size_t c = 0; c < k;) {
    const std::size_t vectors = std::min<std::size_t>(4, (k - c + lanes - 1) / lanes);
    switch (vectors) {
      case 1:
        finite &= score_tile<1, kAccess>(weights + c, k, x, sums);
        break;
      case 2:
        finite &= score_tile<2, kAccess>(weights + c, k, x, sums);
        break;
      case 3:
        finite &= score_tile<3, kAccess>(weights + c, k, x, sums);
        break;
      default:
        finite &= score_tile<4, kAccess>(weights + c, k, x, sums);
    }
    const std::size_t count = std::min(k - c, vectors * lanes);
    for (std::size_t i = 0; i < count; ++i) out[c + i] = sums[i];
    c += count;
  }
  if constexpr (std::is_same_v<T, float>) {
    if (!finite) score_in_double(weights, k, x, out);
  }
}

template <class T>
void scores_of(const T* weights, std::size_t k, const Features& x, bool far, double* out) {
  if (x.dense()) {
    score_all<Access::kDense>(weights, k, x, out);
  } else if (far) {
    score_all<Access::kFar>(weights, k, x, out);
  } else {
    score_all<Access::kSparse>(weights, k, x, out);
  }
}

void ScoresFloat(const float* weights, std::size_t k, const Features& x, bool far, double* out) {
  scores_of(weights, k, x, far, out);
}

void ScoresDouble(const double* weights, std::size_t k, const Features& x, bool far, double* out) {
  scores_of(weights, k, x, far, out);
}

// First the highest value, then where it stands first.
std::size_t Argmax(const double* HWY_RESTRICT values, std::size_t n) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto higher = [](auto a, auto b) { return hn::IfThenElse(hn::Gt(b, a), b, a); };
  auto m0 = hn::Set(tag, -std::numeric_limits<double>::infinity()), m1 = m0, m2 = m0, m3 = m0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    m0 = higher(m0, hn::LoadU(tag, values + i));
    m1 = higher(m1, hn::LoadU(tag, values + i + lanes));
    m2 = higher(m2, hn::LoadU(tag, values + i + 2 * lanes));
    m3 = higher(m3, hn::LoadU(tag, values + i + 3 * lanes));
  }
  m0 = higher(higher(m0, m1), higher(m2, m3));
  double highest = hn::GetLane(hn::MaxOfLanes(tag, m0));
  for (; i < n; ++i) highest = values[i] > highest ? values[i] : highest;
  const auto wanted = hn::Set(tag, highest);
  for (i = 0; i + lanes <= n; i += lanes) {
    const auto found = hn::Eq(hn::LoadU(tag, values + i), wanted);
    if (!hn::AllFalse(tag, found)) {
      return i + static_cast<std::size_t>(hn::FindFirstTrue(tag, found));
    }
  }
  for (; i < n; ++i) {
    if (values[i] == highest) return i;
  }
  return 0;  // nothing is a number
}

}  // namespace
}  // namespace soba::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba::linalg {

HWY_EXPORT(ScoresFloat);
HWY_EXPORT(ScoresDouble);
HWY_EXPORT(Argmax);

void scores(const float* weights, std::size_t k, const Features& x, bool far, double* out) {
  HWY_DYNAMIC_DISPATCH(ScoresFloat)(weights, k, x, far, out);
}

void scores(const double* weights, std::size_t k, const Features& x, bool far, double* out) {
  HWY_DYNAMIC_DISPATCH(ScoresDouble)(weights, k, x, far, out);
}

std::size_t argmax(const double* values, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(Argmax)(values, n);
}

}  // namespace soba::linalg
#endif  // HWY_ONCE
