// The loops of a round, in caches: scores of sparse and dense x, the best score, the updates of
// SOBAdiag and Bandit-AROW, for few and many classes and non-zeros. Then scores from weights that
// no cache holds, with and without asking for rows ahead.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/draws.h"
#include "kernels/contender.h"
#include "runner.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

constexpr std::size_t kExamples = 256;

// Random examples of `nonzeros` of `features`; dense where these are the same.
struct Examples {
  Examples(std::size_t features, std::size_t nonzeros) {
    Draws draws(Rng(1, Purpose::kExamples), nonzeros);
    for (std::size_t i = 0; i < kExamples; ++i) {
      std::set<Index> chosen;
      while (nonzeros < features && chosen.size() < nonzeros) {
        chosen.insert(static_cast<Index>(draws.below(static_cast<std::uint32_t>(features))));
      }
      index.emplace_back(chosen.begin(), chosen.end());
      value.emplace_back();
      for (std::size_t j = 0; j < nonzeros; ++j) value.back().push_back(2 * draws.uniform() - 1);
    }
  }
  Features x(std::size_t i) const { return {index[i], value[i]}; }

  std::vector<std::vector<Index>> index;
  std::vector<std::vector<double>> value;
};

std::vector<float> random_weights(std::size_t n) {
  Draws draws(Rng(2, Purpose::kExamples), 0);
  std::vector<float> out(n + linalg::kSlack);
  for (float& w : out) w = static_cast<float>(2 * draws.uniform() - 1);
  return out;
}

// Nanoseconds of a call: all examples again and again for a few milliseconds.
template <class Call>
double time_calls(Call&& call) {
  constexpr double kLeast = 4e-3;
  std::size_t calls = 0;
  double seconds = 0;
  while (seconds < kLeast) {
    seconds += seconds_of([&] {
      for (std::size_t i = 0; i < kExamples; ++i) call(i);
    });
    calls += kExamples;
  }
  return 1e9 * seconds / static_cast<double>(calls);
}

// The medians of the contenders that have the kernel, with their ratio to ours.
std::vector<double> print_row(const std::string& title, const std::vector<Trial>& trials,
                              int repetitions) {
  std::vector<double> times = medians(trials, std::max(15, repetitions));
  fmt::print("{:<44}", title);
  for (const double time : times) fmt::print("{:>9.1f}{:>7.2f}", time, time / times[0]);
  fmt::print("\n");
  std::fflush(stdout);
  return times;
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

// Ours over the plain loops, where that matters.
struct Claims {
  double few_classes = 0, few_nonzeros = 0;  // the worst ratio
};

bool compare_scores(const std::vector<Kernels>& all, std::size_t k, std::size_t features,
                    std::size_t nonzeros, int repetitions, Claims& claims) {
  const Examples examples(features, nonzeros);
  const std::vector<float> weights = random_weights(k * features);
  std::vector<double> expected(k), out(k);
  std::vector<Trial> trials;
  for (const Kernels& kernels : all) {
    for (std::size_t i = 0; i < kExamples; ++i) {
      all[0].scores(weights.data(), k, examples.x(i), expected.data());
      kernels.scores(weights.data(), k, examples.x(i), out.data());
      if (!std::equal(out.begin(), out.end(), expected.begin(), close)) {
        fmt::print("scores of {} differ MISSED\n", kernels.name);
        return false;
      }
    }
    trials.push_back({kernels.name, [&, scores = kernels.scores] {
                        return time_calls([&](std::size_t i) {
                          scores(weights.data(), k, examples.x(i), out.data());
                        });
                      }});
  }
  const auto times = print_row(
      fmt::format("scores, k = {}, {}", k,
                  nonzeros == features ? fmt::format("dense, d = {}", features)
                                       : fmt::format("{} of {} features", nonzeros, features)),
      trials, repetitions);
  if (k == 2) claims.few_classes = std::max(claims.few_classes, times[0] / times[1]);
  if (nonzeros == 5) claims.few_nonzeros = std::max(claims.few_nonzeros, times[0] / times[1]);
  return true;
}

bool compare_argmax(const std::vector<Kernels>& all, std::size_t k, int repetitions) {
  const Examples examples(k, k);
  std::vector<Trial> trials;
  std::size_t used = 0;
  for (const Kernels& kernels : all) {
    for (const std::vector<double>& scores : examples.value) {
      if (kernels.argmax(scores.data(), k) != all[0].argmax(scores.data(), k)) {
        fmt::print("the best score of {} differs MISSED\n", kernels.name);
        return false;
      }
    }
    trials.push_back({kernels.name, [&, argmax = kernels.argmax] {
                        return time_calls(
                            [&](std::size_t i) { used += argmax(examples.value[i].data(), k); });
                      }});
  }
  print_row(fmt::format("best score, k = {}", k), trials, repetitions);
  return used > 0;
}

// A step changes cells, so contenders are compared on cells of their own.
template <class Cell, class Step>
bool compare_steps(const std::string& title, const std::vector<Kernels>& all, std::size_t k,
                   std::size_t nonzeros, Cell start, int repetitions, double& worst, Step&& step) {
  constexpr std::size_t kFeatures = 400;
  const Examples examples(kFeatures, nonzeros);
  std::vector<Trial> trials;
  std::vector<std::vector<Cell>> cells(all.size(), std::vector<Cell>(k * kFeatures, start));
  std::vector<std::vector<float>> weights(all.size(), std::vector<float>(k * kFeatures));
  for (std::size_t c = 0; c < all.size(); ++c) {
    const auto run = [&, c](std::size_t i) {
      return step(all[c], i, examples.x(i), cells[c].data(), weights[c].data());
    };
    for (std::size_t i = 0; i < kExamples; ++i) run(i);
    if (weights[c] != weights[0]) {
      fmt::print("{} of {} differs MISSED\n", title, all[c].name);
      return false;
    }
    trials.push_back({all[c].name, [run] { return time_calls(run); }});
  }
  const auto times = print_row(fmt::format("{}, k = {}, {} of {}", title, k, nonzeros, kFeatures),
                               trials, repetitions);
  worst = std::max(worst, times[0] / times[1]);
  return true;
}

bool compare_all_steps(const std::vector<Kernels>& all, int repetitions) {
  bool ok = true;
  double worst = 0;
  for (const std::size_t nonzeros : {5U, 47U}) {
    for (const std::size_t k : {2U, 9U, 1000U}) {
      ok &= compare_steps(
          "SOBAdiag's update", all, k, nonzeros, linalg::DiagonalCell{1, 0}, repetitions, worst,
          [k](const Kernels& kernels, std::size_t i, const Features& x, auto* cells,
              float* weights) {
            const std::size_t up = i % k;
            return kernels.step_diagonal({k, up, (up + 1) % k, 1.02, 0.3}, x, cells, weights);
          });
      ok &= compare_steps("Bandit-AROW's update", all, k, nonzeros, linalg::ClassCell{1, 0},
                          repetitions, worst,
                          [k](const Kernels& kernels, std::size_t i, const Features& x, auto* cells,
                              float* weights) {
                            return kernels.step_class({k, i % k, 1e-3, 0.3}, x, cells, weights);
                          });
    }
  }
  return at_most("updates, our time over a plain loop's, at worst", worst, 1.05) && ok;
}

// 47 of 10⁷ features: nearly every row comes from memory.
bool compare_far(int repetitions) {
  constexpr std::size_t kClasses = 9, kFeatures = 10'000'000;
  const Examples examples(kFeatures, 47);
  const std::vector<float> weights(kClasses * kFeatures + linalg::kSlack, 0.5F);
  std::vector<double> out(kClasses);
  // Rows of other examples push those of this one out of the caches.
  std::vector<Trial> trials;
  for (const bool far : {true, false}) {
    trials.push_back(
        {"", [&, far] {
           std::size_t shift = 0;
           std::vector<Index> index(47);
           return time_calls([&](std::size_t i) {
             shift = (shift + 7919) % 4096;
             for (std::size_t j = 0; j < 47; ++j) {
               index[j] = (examples.index[i][j] + static_cast<Index>(shift * 2411)) %
                          static_cast<Index>(kFeatures);
             }
             linalg::scores(weights.data(), kClasses, {index, examples.value[i]}, far, out.data());
           });
         }});
  }
  fmt::print("\n{:<44}{:>16}{:>16}\n", "ns a call, and ratio", "rows asked for", "not");
  const auto times = print_row("scores, k = 9, 47 of 10000000 features", trials, repetitions);
  return at_most("asking for rows ahead where weights exceed the caches, time over not asking",
                 times[0] / times[1], 1.02);
}

}  // namespace

bool kernels_task(const Settings& settings) {
  const std::vector<Kernels> all = {soba_kernels(), plain_kernels(), eigen_kernels()};
  const std::vector<Kernels> steppers = {soba_kernels(), plain_kernels()};
  fmt::print("\n{:<44}", "ns a call, and ratio to ours");
  for (const Kernels& kernels : all) fmt::print("{:>16}", kernels.name);
  fmt::print("\n");
  Claims claims;
  bool ok = true;
  for (const std::size_t k : {2U, 9U, 100U, 1000U}) {
    for (const std::size_t nonzeros : {5U, 47U}) {
      ok &= compare_scores(all, k, 400, nonzeros, settings.repetitions, claims);
    }
    ok &= compare_scores(all, k, 54, 54, settings.repetitions, claims);
  }
  for (const std::size_t k : {32U, 100U, 1000U}) ok &= compare_argmax(all, k, settings.repetitions);
  ok &= compare_all_steps(steppers, settings.repetitions);
  ok &= at_most("scores at k = 2, our time over a plain loop's, at worst", claims.few_classes, 1);
  ok &= at_most("scores of 5 non-zeros, our time over a plain loop's, at worst",
                claims.few_nonzeros, 1);
  return compare_far(settings.repetitions) && ok;
}

}  // namespace soba::bench
