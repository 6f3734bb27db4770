// The parts of the task, each a table of its own, and what they share.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "covariance/pair_vector.h"
#include "runner.h"

namespace soba::bench {

// Zᵀv by a scan of the stored pairs, by the index over features, and by the one that is chosen.
bool gram_rows(const Settings& settings);
// Our substitutions with the packed factor against those of BLAS.
bool substitutions(const Settings& settings);
// An update of the primal form, by how many wait for each other.
bool block_sizes(const Settings& settings);
// The blocked update and the inversion in one thread and in two.
bool two_threads(const Settings& settings);

// Median seconds of a call of each, in turns: `repetitions` turns, of as many calls as fill a
// millisecond.
std::vector<double> medians(const std::vector<std::function<void()>>& calls, int repetitions);

// Numbers in [−1, 1], and pairs of k classes with `numbers` of d features, feature j about as often
// as 1/(1 + j·skew).
std::vector<double> random_numbers(std::size_t count, std::uint64_t seed);
struct PairMaker {
  Label classes;
  Index features;
  std::size_t numbers;
  double skew;

  struct Made {
    Label up, down;
    std::vector<Index> index;
    std::vector<double> value;
    PairVector pair() const { return {up, down, {index, value}}; }
  };
  Made make(std::uint64_t seed) const;
};

}  // namespace soba::bench
