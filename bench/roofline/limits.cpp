#include "roofline/limits.h"

#include <algorithm>
#include <vector>

#include "core/draws.h"
#include "linalg/blas.h"
#include "roofline/loops.h"
#include "runner.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

// The best of a few: a limit is what the machine can do when nothing disturbs it.
template <class Work>
double best(double amount, Work&& work) {
  double seconds = 1e9;
  for (int i = 0; i < 9; ++i) seconds = std::min(seconds, seconds_of(work));
  return amount / seconds;
}

// Places in any order.
std::vector<std::uint32_t> scattered(std::uint32_t n) {
  std::vector<std::uint32_t> places(1 << 14);
  Draws draws(Rng(1, Purpose::kExamples), 0);
  for (std::uint32_t& place : places) place = draws.below(n);
  return places;
}

}  // namespace

Limits measure_limits() {
  constexpr std::size_t kSteps = 4'000'000;
  Limits limits{};
  limits.add_latency = 1 / best(kSteps, [] { add_chain(kSteps); });
  limits.division_latency = 1 / best(kSteps, [] { division_chain(kSteps); });
  limits.flops = best(kSteps, [] { double_flops(kSteps); });
  limits.float_flops = best(kSteps, [] { float_flops(kSteps); });
  limits.divisions = best(kSteps, [] { divisions(kSteps); });
  // As much as the diagonal forms keep for nine classes and 400 features: 20 bytes a cell.
  constexpr std::uint32_t kState = std::size_t{9} * 400 * 20 / sizeof(double);
  const std::vector<std::uint32_t> places = scattered(kState);
  std::vector<double> state(kState);
  limits.stores = best(static_cast<double>(places.size() * 200), [&] {
    for (int i = 0; i < 200; ++i) scatter(places, state.data());
  });
  const std::vector<double> near((std::size_t{128} << 10) / sizeof(double), 1.0);
  limits.near_bytes = best(static_cast<double>(near.size() * sizeof(double) * 200), [&] {
    for (int i = 0; i < 200; ++i) sum(near);
  });
  const std::vector<double> far((std::size_t{512} << 20) / sizeof(double), 1.0);
  limits.memory_bytes = best(static_cast<double>(far.size() * sizeof(double)), [&] { sum(far); });
  constexpr std::size_t kOrder = 1000, kRank = 48;
  std::vector<double> matrix(kOrder * kOrder), columns(kOrder * kRank, 1e-3);
  limits.matrix_flops = best(double{kOrder} * kOrder * kRank * 20, [&] {
    for (int i = 0; i < 20; ++i) {
      linalg::subtract_products(kOrder, columns.data(), kRank, matrix.data(), kOrder);
    }
  });
  return limits;
}

}  // namespace soba::bench
