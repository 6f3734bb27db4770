#include "roofline/loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "roofline/loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace soba::bench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

double AddChain(std::size_t steps) {
  const hn::ScalableTag<double> tag;
  auto sum = hn::Zero(tag);
  const auto one = hn::Set(tag, 1.0);
  for (std::size_t i = 0; i < steps; ++i) sum = hn::Add(sum, one);
  return hn::GetLane(sum);
}

double DivisionChain(std::size_t steps) {
  const hn::ScalableTag<double> tag;
  const auto some = hn::Set(tag, 1.234567891);
  auto value = hn::Set(tag, 1.1);
  for (std::size_t i = 0; i < steps; ++i) value = hn::Div(some, value);
  return hn::GetLane(value);
}

// Eight chains, so that none waits.
template <class T>
double flops_of(std::size_t steps) {
  const hn::ScalableTag<T> tag;
  const auto near_one = hn::Set(tag, static_cast<T>(0.9999999)), little = hn::Set(tag, T(1e-7));
  auto a = hn::Set(tag, T(1.5)), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (std::size_t i = 0; i < steps; i += 16 * hn::Lanes(tag)) {
    a = hn::Add(hn::Mul(a, near_one), little);
    b = hn::Add(hn::Mul(b, near_one), little);
    c = hn::Add(hn::Mul(c, near_one), little);
    d = hn::Add(hn::Mul(d, near_one), little);
    e = hn::Add(hn::Mul(e, near_one), little);
    f = hn::Add(hn::Mul(f, near_one), little);
    g = hn::Add(hn::Mul(g, near_one), little);
    h = hn::Add(hn::Mul(h, near_one), little);
  }
  const auto all =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  return static_cast<double>(hn::GetLane(all));
}

double DoubleFlops(std::size_t steps) { return flops_of<double>(steps); }
double FloatFlops(std::size_t steps) { return flops_of<float>(steps); }

double Divisions(std::size_t steps) {
  const hn::ScalableTag<double> tag;
  const auto some = hn::Set(tag, 1.234567891);
  auto a = hn::Set(tag, 1.1), b = hn::Set(tag, 1.2), c = hn::Set(tag, 1.3), d = hn::Set(tag, 1.4);
  for (std::size_t i = 0; i < steps; i += 4 * hn::Lanes(tag)) {
    a = hn::Div(some, a);
    b = hn::Div(some, b);
    c = hn::Div(some, c);
    d = hn::Div(some, d);
  }
  return hn::GetLane(hn::Add(hn::Add(a, b), hn::Add(c, d)));
}

double Sum(const double* values, std::size_t n) {
  const hn::ScalableTag<double> tag;
  const std::size_t lanes = hn::Lanes(tag);
  auto a = hn::Zero(tag), b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  for (std::size_t i = 0; i + 8 * lanes <= n; i += 8 * lanes) {
    a = hn::Add(a, hn::LoadU(tag, values + i));
    b = hn::Add(b, hn::LoadU(tag, values + i + lanes));
    c = hn::Add(c, hn::LoadU(tag, values + i + 2 * lanes));
    d = hn::Add(d, hn::LoadU(tag, values + i + 3 * lanes));
    e = hn::Add(e, hn::LoadU(tag, values + i + 4 * lanes));
    f = hn::Add(f, hn::LoadU(tag, values + i + 5 * lanes));
    g = hn::Add(g, hn::LoadU(tag, values + i + 6 * lanes));
    h = hn::Add(h, hn::LoadU(tag, values + i + 7 * lanes));
  }
  const auto all =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(hn::Add(e, f), hn::Add(g, h)));
  return hn::GetLane(all);
}

}  // namespace
}  // namespace soba::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace soba::bench {

HWY_EXPORT(AddChain);
HWY_EXPORT(DivisionChain);
HWY_EXPORT(DoubleFlops);
HWY_EXPORT(FloatFlops);
HWY_EXPORT(Divisions);
HWY_EXPORT(Sum);

namespace {

// Where results go to be seen.
volatile double seen;

double keep(double value) {
  seen = value;
  return value;
}

}  // namespace

double add_chain(std::size_t steps) { return keep(HWY_DYNAMIC_DISPATCH(AddChain)(steps)); }
double division_chain(std::size_t steps) {
  return keep(HWY_DYNAMIC_DISPATCH(DivisionChain)(steps));
}
double double_flops(std::size_t steps) { return keep(HWY_DYNAMIC_DISPATCH(DoubleFlops)(steps)); }
double float_flops(std::size_t steps) { return keep(HWY_DYNAMIC_DISPATCH(FloatFlops)(steps)); }
double divisions(std::size_t steps) { return keep(HWY_DYNAMIC_DISPATCH(Divisions)(steps)); }
double sum(std::span<const double> values) {
  return keep(HWY_DYNAMIC_DISPATCH(Sum)(values.data(), values.size()));
}

void scatter(std::span<const std::uint32_t> places, double* to) {
  for (std::size_t i = 0; i < places.size(); ++i) to[places[i]] = static_cast<double>(i);
}

}  // namespace soba::bench
#endif  // HWY_ONCE
