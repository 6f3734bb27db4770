// The parts of the exact covariance, each compared with other ways to compute it.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/draws.h"
#include "covariance/parts.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

double seconds_of(const std::function<void()>& call, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) call();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / times;
}

}  // namespace

std::vector<double> medians(const std::vector<std::function<void()>>& calls, int repetitions) {
  constexpr double kTurn = 0.001;
  std::vector<int> times;
  for (const auto& call : calls) {
    call();
    times.push_back(static_cast<int>(std::clamp(kTurn / seconds_of(call, 1), 1.0, 1e5)));
  }
  std::vector<std::vector<double>> seconds(calls.size());
  for (int r = 0; r < repetitions; ++r) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      seconds[i].push_back(seconds_of(calls[i], times[i]));
    }
  }
  std::vector<double> out;
  for (auto& each : seconds) {
    std::sort(each.begin(), each.end());
    out.push_back(each[each.size() / 2]);
  }
  return out;
}

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  Draws draws(Rng(seed, Purpose::kExamples), 1);
  std::vector<double> out(count);
  for (double& x : out) x = 2 * draws.uniform() - 1;
  return out;
}

PairMaker::Made PairMaker::make(std::uint64_t seed) const {
  Draws draws(Rng(seed, Purpose::kExamples), 2);
  const auto up = static_cast<Label>(draws.below(static_cast<std::uint32_t>(classes)));
  const auto apart = static_cast<Label>(1 + draws.below(static_cast<std::uint32_t>(classes - 1)));
  Made made{up, (up + apart) % classes, {}, {}};
  // By turning round ∫ 1/(1 + j·skew); a feature drawn twice is there once.
  const double total = std::log1p(features * skew);
  for (std::size_t i = 0; i < numbers; ++i) {
    const double u = draws.uniform();
    const double j = skew == 0 ? features * u : std::expm1(u * total) / skew;
    made.index.push_back(std::min(features - 1, static_cast<Index>(j)));
  }
  std::sort(made.index.begin(), made.index.end());
  made.index.erase(std::unique(made.index.begin(), made.index.end()), made.index.end());
  for (std::size_t i = 0; i < made.index.size(); ++i) made.value.push_back(2 * draws.uniform() - 1);
  return made;
}

bool covariance_task(const Settings& settings) {
  bool ok = gram_rows(settings);
  ok = substitutions(settings) && ok;
  ok = block_sizes(settings) && ok;
  return two_threads(settings) && ok;
}

}  // namespace soba::bench
