#include <fmt/format.h>

#include "covariance/parts.h"
#include "linalg/blas.h"
#include "linalg/kernels.h"

namespace soba::bench {

namespace {

constexpr std::size_t kBlock = 96;

// Arithmetic in the caches, in pieces of about a millisecond: shows how much of the second core is
// to be had.
void compute(Team* team, const std::vector<double>& numbers, std::vector<double>& out) {
  for_each(team, out.size(), [&](std::size_t i) {
    out[i] = 0;
    for (int j = 0; j < 5000; ++j) out[i] += linalg::dot(numbers.data(), numbers.data(), 1000);
  });
}

}  // namespace

bool two_threads(const Settings& settings) {
  const std::unique_ptr<Team> team = Team::of_two();
  if (!team) {
    fmt::print("\none core: nothing to compare in two threads\n");
    return true;
  }
  fmt::print("\nIn one thread and in two, milliseconds: {} updates taken in, and the inversion\n",
             kBlock);
  fmt::print("{:>6}{:>12}{:>10}{:>8}{:>14}{:>10}{:>8}{:>18}\n", "n", "updates", "two", "ratio",
             "inversion", "two", "ratio", "arithmetic ratio");
  const std::vector<double> numbers = random_numbers(1000, 1);
  std::vector<double> out(12);
  double one = 0, two = 0, compute_one = 0, compute_two = 0;
  for (const std::size_t n : {1024U, 1600U, 2400U, 3200U}) {
    std::vector<double> v = random_numbers(n * kBlock, n);
    for (double& x : v) x /= static_cast<double>(n);
    std::vector<double> start(n * n);
    for (std::size_t j = 0; j < n; ++j) start[j * n + j] = 2 + static_cast<double>(j % 5);
    linalg::subtract_products(n, v.data(), kBlock, start.data(), n);
    std::vector<double> p[] = {start, start, start, start};
    const std::vector<std::function<void()>> calls = {
        [&] { linalg::subtract_products(n, v.data(), kBlock, p[0].data(), n); },
        [&] { linalg::subtract_products(n, v.data(), kBlock, p[1].data(), n, team.get()); },
        [&] { linalg::invert(n, (p[2] = start).data()); },
        [&] { linalg::invert(n, (p[3] = start).data(), team.get()); },
        [&] { compute(nullptr, numbers, out); },
        [&] { compute(team.get(), numbers, out); }};
    for (const auto& call : calls) call();
    if (p[0] != p[1] || p[2] != p[3]) {
      fmt::print("the bits differ MISSED\n");
      return false;
    }
    const std::vector<double> time = medians(calls, 3 * settings.repetitions);
    fmt::print("{:>6}{:>12.2f}{:>10.2f}{:>8.2f}{:>14.1f}{:>10.1f}{:>8.2f}{:>18.2f}\n", n,
               1e3 * time[0], 1e3 * time[1], time[0] / time[1], 1e3 * time[2], 1e3 * time[3],
               time[2] / time[3], time[4] / time[5]);
    one += time[0];
    two += time[1];
    compute_one += time[4];
    compute_two += time[5];
  }
  const double free = compute_one / compute_two;
  const bool ok = one / two >= 0.7 * free;
  fmt::print(
      "in two threads the updates are {:.2f} times as fast, arithmetic in the caches {:.2f} times "
      "(at least seven tenths of it) {}\n",
      one / two, free, ok ? "ok" : "MISSED");
  return ok;
}

}  // namespace soba::bench
