#include <fmt/format.h>

#include <cmath>

#include "covariance/blas_substitution.h"
#include "covariance/parts.h"
#include "linalg/blas.h"
#include "linalg/kernels.h"

namespace soba::bench {

namespace {

bool agree(const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(std::fabs(x[i] - y[i]) <= 1e-12)) return false;
  }
  return true;
}

}  // namespace

bool substitutions(const Settings& settings) {
  double one = 1;
  linalg::invert(1, &one);  // sets BLAS to one thread
  fmt::print(
      "\nSubstitution with a packed factor of U rows, microseconds: ours and BLAS's dtpsv\n");
  fmt::print("{:>6}{:>12}{:>10}{:>8}{:>14}{:>10}{:>8}{:>12}\n", "U", "forward", "BLAS", "ratio",
             "backward", "BLAS", "ratio", "ps/product");
  double ours = 0, theirs = 0;
  for (const std::size_t n : {50U, 100U, 250U, 500U, 1000U, 1500U, 2000U, 3000U, 4000U}) {
    std::vector<double> factor = random_numbers(n * (n + 1) / 2, n);
    for (double& x : factor) x /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i)
      factor[i * (i + 3) / 2] = 1 + 0.1 * static_cast<double>(i % 5);
    const std::vector<double> b = random_numbers(n, 1);
    using Solve = void (*)(const double*, double*, std::size_t);
    constexpr Solve kSolves[] = {linalg::solve_packed, blas_solve, linalg::solve_packed_transposed,
                                 blas_solve_transposed};
    std::vector<std::vector<double>> x(4, b);
    std::vector<std::function<void()>> calls;
    for (std::size_t i = 0; i < 4; ++i) {
      calls.emplace_back([&, i] {
        x[i] = b;
        kSolves[i](factor.data(), x[i].data(), n);
      });
      calls.back()();
    }
    if (!agree(x[0], x[1]) || !agree(x[2], x[3])) {
      fmt::print("the answers differ MISSED\n");
      return false;
    }
    const std::vector<double> time = medians(calls, 11 * settings.repetitions);
    const double products = static_cast<double>(n) * static_cast<double>(n) / 2;
    fmt::print("{:>6}{:>12.1f}{:>10.1f}{:>8.2f}{:>14.1f}{:>10.1f}{:>8.2f}{:>12.0f}\n", n,
               1e6 * time[0], 1e6 * time[1], time[1] / time[0], 1e6 * time[2], 1e6 * time[3],
               time[3] / time[2], 1e12 * time[0] / products);
    if (n < 1000) continue;
    ours += time[0] + time[2];
    theirs += time[1] + time[3];
  }
  const bool ok = theirs >= ours;
  fmt::print("from 1000 rows on ours are {:.2f} times as fast (at least 1) {}\n", theirs / ours,
             ok ? "ok" : "MISSED");
  return ok;
}

}  // namespace soba::bench
