// Random problems for tests: shapes, feature vectors, labels; everything from one printed seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/draws.h"
#include "soba/data.h"
#include "soba/rng.h"

namespace soba::testing {

struct Problem {
  Shape shape;
  Block block;
};

// How the features of a random problem look.
struct Look {
  double density = 1;      // share of non-zero features
  double condition = 1;    // ratio of the largest to the smallest scale of a feature
  bool dependent = false;  // features are nearly multiples of each other
};

// `rounds` examples of a noisy linear problem.
inline Problem random_problem(std::uint64_t seed, Shape shape, std::size_t rounds,
                              const Look& look) {
  Problem problem{shape, {}};
  const auto d = static_cast<std::size_t>(shape.features);
  const auto k = static_cast<std::size_t>(shape.classes);
  Draws draws(Rng(seed, Purpose::kExamples), 0);
  std::vector<double> truth(k * d);
  for (double& w : truth) w = 2 * draws.uniform() - 1;
  for (std::size_t t = 0; t < rounds; ++t) {
    std::vector<Index> index;
    std::vector<double> value;
    std::vector<double> scores(k);
    const double common = 2 * draws.uniform() - 1;
    for (std::size_t j = 0; j < d; ++j) {
      if (draws.uniform() >= look.density) continue;
      const double exponent = d == 1 ? 0 : static_cast<double>(j) / static_cast<double>(d - 1);
      const double own = 2 * draws.uniform() - 1;
      const double x =
          (look.dependent ? common + 1e-3 * own : own) * std::pow(look.condition, -exponent);
      if (x == 0) continue;
      index.push_back(static_cast<Index>(j));
      value.push_back(x);
      for (std::size_t c = 0; c < k; ++c) scores[c] += truth[c * d + j] * x;
    }
    auto label =
        static_cast<Label>(std::max_element(scores.begin(), scores.end()) - scores.begin());
    if (draws.uniform() < 0.1)
      label = static_cast<Label>(draws.below(static_cast<std::uint32_t>(k)));
    problem.block.append({index, value}, label);
  }
  return problem;
}

}  // namespace soba::testing
