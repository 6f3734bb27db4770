// The roofline argument: what a round must do at least, over what this machine can do at best,
// beside what a round takes. See docs/performance.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/limits.h"
#include "runner.h"

namespace soba::bench {

namespace {

constexpr double kLine = 64;  // bytes that a cache moves at a time

// A set of data as a learner sees it.
struct Work {
  double k = 0, d = 0;
  double z = 0;        // non-zeros of an example
  double updates = 0;  // in a round
};

Work work_of(const DataSet& data, std::int64_t updates) {
  double entries = 0;
  for (const Block& block : data.blocks) entries += static_cast<double>(block.value.size());
  const auto rounds = static_cast<double>(data.rounds);
  return {.k = static_cast<double>(data.shape.classes),
          .d = static_cast<double>(data.shape.features),
          .z = entries / rounds,
          .updates = static_cast<double>(updates) / rounds};
}

// The sum over features has one order, so each addition waits for the one before; the rest of the
// scores' work is done meanwhile.
double scores_time(const Work& w, const Limits& can) {
  return std::max(w.z * can.add_latency, 2 * w.z * w.k / can.float_flops);
}

// What the parts of a round wait for before they can start: the two best of k scores, compared in
// pairs; the division by the probability or the variance; and the first feature of the step, a
// division between a few additions and multiplications. The next scores wait for the step's
// weights.
double waiting_time(const Work& w, const Limits& can) {
  return (2 * std::ceil(std::log2(w.k)) + 4) * can.add_latency + 2 * can.division_latency;
}

// All of an example is read once, from memory where data is larger than the caches.
double example_time(const Work& w, const Limits& can) { return 12 * w.z / can.memory_bytes; }

// Two cells of each feature: four divisions, four stores, fourteen flops, two lines of cells that
// the first-level cache does not hold.
double sobadiag_time(const Work& w, const Limits& can) {
  const double step = std::max({4 * w.z / can.divisions, 4 * w.z / can.stores, 14 * w.z / can.flops,
                                2 * w.z * kLine / can.near_bytes});
  return std::max(example_time(w, can),
                  scores_time(w, can) + waiting_time(w, can) + w.updates * step);
}

// One cell of each feature, twice: three flops for the variance; then a division, two stores and
// seven flops.
double arow_time(const Work& w, const Limits& can) {
  const double variance = std::max(3 * w.z / can.flops, w.z * kLine / can.near_bytes);
  const double step = std::max({w.z / can.divisions, 2 * w.z / can.stores, 7 * w.z / can.flops});
  return std::max(example_time(w, can),
                  scores_time(w, can) + waiting_time(w, can) + w.updates * (variance + step));
}

// In the primal form, n = (k − 1)·d. An update: P·v' from 2z columns of P and half a block of
// waiting ones, and its share of the rank-48 update of P, n² flops of BLAS.
double exact_time(const Work& w, const Limits& can) {
  const double n = (w.k - 1) * w.d;
  const double columns = 2 * w.z + 24;
  const double solve = std::max(2 * n * columns / can.flops, 8 * n * columns / can.near_bytes);
  const double update = solve + n * n / can.matrix_flops;
  return std::max(example_time(w, can),
                  scores_time(w, can) + waiting_time(w, can) + w.updates * update);
}

void print_limits(const Limits& can) {
  fmt::print("\nthis machine at its best\n");
  fmt::print("  an addition that waits for another   {:>8.2f} ns\n", 1e9 * can.add_latency);
  fmt::print("  a division that waits for another    {:>8.2f} ns\n", 1e9 * can.division_latency);
  fmt::print("  multiplications and additions        {:>8.1f} GFlop/s, floats {:.1f}\n",
             can.flops / 1e9, can.float_flops / 1e9);
  fmt::print("  divisions of doubles                 {:>8.2f} G/s\n", can.divisions / 1e9);
  fmt::print("  scattered stores, in 72 kB           {:>8.2f} G/s\n", can.stores / 1e9);
  fmt::print("  second-level cache                   {:>8.1f} GB/s\n", can.near_bytes / 1e9);
  fmt::print("  memory, in order                     {:>8.1f} GB/s\n", can.memory_bytes / 1e9);
  fmt::print("  OpenBLAS, rank-48 update             {:>8.1f} GFlop/s\n", can.matrix_flops / 1e9);
}

struct Compared {
  double ratio;    // of the time to the least
  double seconds;  // of a round
};

// A line of the table.
Compared compare(const std::string& name, const DataSet& data, const Contender& contender,
                 double (*estimate)(const Work&, const Limits&), const Limits& can,
                 int repetitions) {
  // The best of several, as the limits are: what is compared is the machine undisturbed.
  Outcome best = contender.run(data);
  for (int i = 1; i < 3 * repetitions; ++i) {
    best.seconds = std::min(best.seconds, contender.run(data).seconds);
  }
  const Work work = work_of(data, best.updates);
  const double found = best.seconds / static_cast<double>(data.rounds);
  const double least = estimate(work, can);
  fmt::print("{:<28}{:<12}{:>8.1f}{:>9.2f}{:>12.1f}{:>12.1f}{:>8.2f}{:>12.2f}\n", name, data.name,
             work.z, work.updates, 1e9 * least, 1e9 * found, found / least, 1e-6 / found);
  return {found / least, found};
}

}  // namespace

bool roofline_task(const Settings& settings) {
  const Limits can = measure_limits();
  print_limits(can);
  fmt::print("\n{:<28}{:<12}{:>8}{:>9}{:>12}{:>12}{:>8}{:>12}\n", "", "data", "nnz", "updates",
             "least ns", "found ns", "ratio", "M rounds/s");
  const DataSet synthetic =
      load("synnonsep", fmt::format("synnonsep:n={},seed=1", settings.rounds), {});
  const Compared sobadiag =
      compare("sobadiag", synthetic, learner("", "sobadiag", {{"gamma", "2^-6"}}), sobadiag_time,
              can, settings.repetitions);
  const Compared arow = compare("bandit-arow", synthetic, learner("", "bandit-arow", {}), arow_time,
                                can, settings.repetitions);
  const DataSet covtype = load("covtype", settings.covtype, {.scale = "maxabs", .shuffle = 1});
  const Compared exact = compare("soba (exact)", covtype, learner("", "soba", {{"gamma", "0.02"}}),
                                 exact_time, can, settings.repetitions);
  bool ok = at_most("sobadiag over its roofline", sobadiag.ratio, 2);
  ok &= at_most("bandit-arow over its roofline", arow.ratio, 2);
  ok &= at_least("sobadiag, million rounds/s", 1e-6 / sobadiag.seconds, 3);
  ok &= at_least("bandit-arow, million rounds/s", 1e-6 / arow.seconds, 3);
  return ok & at_most("exact SOBA on Covertype, seconds",
                      exact.seconds * static_cast<double>(covtype.rounds), 6);
}

}  // namespace soba::bench
