// Many classes and many features: how the time of a round grows with k and with d where x stays
// sparse. Random examples of 50 non-zeros, one of which tells the label.
#include <fmt/format.h>

#include <algorithm>

#include "core/draws.h"
#include "runner.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

constexpr std::size_t kNonzeros = 50;

DataSet random_data(Label classes, Index features, std::int64_t rounds) {
  DataSet data{fmt::format("random, k = {}, d = {}", classes, features),
               {classes, features},
               rounds,
               Data(1)};
  Draws draws(Rng(1, Purpose::kExamples), static_cast<std::uint64_t>(classes));
  std::vector<Index> index;
  std::vector<double> value(kNonzeros, 0.14);
  for (std::int64_t t = 0; t < rounds; ++t) {
    index.clear();
    const auto label = static_cast<Label>(draws.below(static_cast<std::uint32_t>(classes)));
    index.push_back(label);  // what tells the class
    while (index.size() < kNonzeros) {
      index.push_back(
          static_cast<Index>(static_cast<std::uint32_t>(classes) +
                             draws.below(static_cast<std::uint32_t>(features - classes))));
      if (index.size() < kNonzeros) continue;
      std::sort(index.begin(), index.end());
      index.erase(std::unique(index.begin(), index.end()), index.end());
    }
    data.blocks[0].append({index, value}, label);
  }
  return data;
}

std::vector<Contender> contenders() {
  return {learner("sobadiag", "sobadiag", {{"gamma", "0.1"}}),
          learner("bandit-arow", "bandit-arow", {}),
          learner("banditron", "banditron", {{"gamma", "0.1"}})};
}

// Nanoseconds of a round for each contender, at each of the shapes.
std::vector<std::vector<double>> time_shapes(const std::vector<Shape>& shapes, std::int64_t rounds,
                                             int repetitions) {
  std::vector<std::vector<double>> out;
  for (const Shape shape : shapes) {
    const DataSet data = random_data(shape.classes, shape.features, rounds);
    out.emplace_back();
    for (const Timing& timing : time_all(data, contenders(), repetitions)) {
      out.back().push_back(1e9 * timing.seconds / static_cast<double>(rounds));
    }
  }
  return out;
}

void print_shapes(const std::string& title, const std::vector<std::string>& heads,
                  const std::vector<std::vector<double>>& times) {
  fmt::print("\n{:<44}", title);
  for (const std::string& head : heads) fmt::print("{:>14}", head);
  fmt::print("\n");
  const std::vector<Contender> all = contenders();
  for (std::size_t c = 0; c < all.size(); ++c) {
    fmt::print("{:<44}", all[c].name);
    for (const auto& at : times) fmt::print("{:>14.0f}", at[c]);
    fmt::print("\n");
  }
}

}  // namespace

bool scale_task(const Settings& settings) {
  bool ok = true;
  const auto by_classes =
      time_shapes({{10, 2000}, {100, 2000}, {1000, 2000}}, 50000, settings.repetitions);
  print_shapes("ns a round, d = 2000, 50 non-zeros", {"k = 10", "k = 100", "k = 1000"}, by_classes);
  // The scores of all classes are looked at, so k times the work is fair; more is not.
  for (std::size_t c = 0; c < by_classes[0].size(); ++c) {
    ok &= at_most(fmt::format("{}, growth from k = 100 to 1000", contenders()[c].name),
                  by_classes[2][c] / by_classes[1][c], 20);
  }
  const auto by_features = time_shapes({{9, 1000}, {9, 100000}, {9, 1000000}, {9, 10000000}}, 50000,
                                       settings.repetitions);
  print_shapes("ns a round, k = 9, 50 non-zeros", {"d = 10^3", "d = 10^5", "d = 10^6", "d = 10^7"},
               by_features);
  // Only where rows lie changes: caches at first, then memory. A hundredth of d's own growth is
  // fair.
  for (std::size_t c = 0; c < by_features[0].size(); ++c) {
    ok &= at_most(fmt::format("{}, growth from d = 10^3 to 10^7", contenders()[c].name),
                  by_features[3][c] / by_features[0][c], 100);
  }
  return ok;
}

}  // namespace soba::bench
