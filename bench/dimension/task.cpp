// How the time of a round grows with the number of features d where a learner keeps matrices: dense
// random examples of five classes.
#include <fmt/format.h>

#include <algorithm>

#include "core/draws.h"
#include "runner.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

DataSet random_data(Index features, std::int64_t rounds) {
  DataSet data{fmt::format("random, d = {}", features), {5, features}, rounds, Data(1)};
  Draws draws(Rng(1, Purpose::kExamples), 0);
  const auto d = static_cast<std::size_t>(features);
  std::vector<Index> index(d);
  for (std::size_t j = 0; j < d; ++j) index[j] = static_cast<Index>(j);
  std::vector<double> value(d);
  for (std::int64_t t = 0; t < rounds; ++t) {
    for (double& v : value) v = 2 * draws.uniform() - 1;
    // The label follows from the first five features, with some overlap of the classes.
    const auto best = std::max_element(value.begin(), value.begin() + 5);
    data.blocks[0].append({index, value}, static_cast<Label>(best - value.begin()));
  }
  return data;
}

}  // namespace

bool dimension_task(const Settings& settings) {
  const std::vector<Contender> contenders = {
      // At gamma 1 every fifth round is an update.
      learner("soba-block", "soba-block", {{"gamma", "1"}}),
      learner("soba-ovr full", "soba-ovr", {{"covariance", "full"}}),
      learner("  with one ridge", "soba-ovr", {{"covariance", "full"}, {"ridges", "0.02"}}),
      learner("bandit-arow-full", "bandit-arow-full", {}),
      learner("squarecb-full", "squarecb-full", {}),
      learner("confidit full", "confidit", {{"covariance", "full"}}),
      learner("soba sketch", "soba", {{"covariance", "sketch"}, {"gamma", "1"}}),
      learner("bandit-arow", "bandit-arow", {}),
  };
  const std::vector<Index> dimensions = {16, 64, 256, 784};
  std::vector<std::vector<Timing>> timings;
  for (const Index d : dimensions) {
    const DataSet data = random_data(d, std::max<std::int64_t>(2000, 4000000 / (d * d)));
    timings.push_back(time_all(data, contenders, settings.repetitions));
    for (Timing& timing : timings.back()) timing.seconds /= static_cast<double>(data.rounds);
  }
  fmt::print("\ntime of a round in microseconds, k = 5, dense x\n{:<20}", "");
  for (const Index d : dimensions) fmt::print("{:>10}", fmt::format("d = {}", d));
  fmt::print("{:>24}\n", "growth from 64 to 256");
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    fmt::print("{:<20}", contenders[c].name);
    for (const auto& at : timings) fmt::print("{:>10.2f}", 1e6 * at[c].seconds);
    fmt::print("{:>24.1f}\n", timings[2][c].seconds / timings[1][c].seconds);
  }
  return true;  // a measurement, not a claim: d² is 16, d is 4
}

}  // namespace soba::bench
