#include <fmt/format.h>

#include "covariance/parts.h"
#include "covariance/stored_pairs.h"

namespace soba::bench {

namespace {

struct Kind {
  const char* name;
  PairMaker maker;
};

// As the documents of Reuters, the examples of SynNonSep and those of Covertype are; and with
// nearly every feature in every pair.
constexpr Kind kKinds[] = {{"as Reuters", {4, 47236, 110, 0.01}},
                           {"as SynNonSep", {9, 400, 50, 0}},
                           {"as Covertype", {7, 54, 14, 0.5}},
                           {"dense", {4, 100, 600, 0}}};

}  // namespace

bool gram_rows(const Settings& settings) {
  fmt::print(
      "\nZᵀv, microseconds: by a scan of all stored pairs, by the lists of v's features, and "
      "by what is chosen\n");
  fmt::print("{:<14}{:>8}{:>10}{:>10}{:>10}{:>10}{:>14}\n", "pairs", "stored", "numbers", "scan",
             "index", "chosen", "scan/chosen");
  bool ok = true;
  for (const Kind& kind : kKinds) {
    for (const std::size_t stored : {250U, 1000U, 4000U}) {
      StoredPairs pairs;
      std::size_t numbers = 0;
      for (std::size_t i = 0; i < stored; ++i) {
        const PairMaker::Made made = kind.maker.make(i);
        numbers += made.index.size();
        pairs.reserve(StoredPairs::Size::of(made.pair().x));
        pairs.push_back(made.pair(), 1.5);
      }
      constexpr std::uint64_t kQueries = 16;
      std::vector<PairMaker::Made> queries;
      std::vector<double> scan, index, chosen;
      for (std::uint64_t i = 0; i < kQueries; ++i) {
        queries.push_back(kind.maker.make(stored + i));
        pairs.products_by_scan(queries.back().pair(), scan);
        pairs.products_by_index(queries.back().pair(), index);
        pairs.products(queries.back().pair(), chosen);
        if (scan != index || scan != chosen) {
          fmt::print("the two ways differ MISSED\n");
          return false;
        }
      }
      const auto all = [&](auto way) {
        return [&, way] {
          for (const auto& query : queries) (pairs.*way)(query.pair(), chosen);
        };
      };
      const std::vector<double> time =
          medians({all(&StoredPairs::products_by_scan), all(&StoredPairs::products_by_index),
                   all(&StoredPairs::products)},
                  11 * settings.repetitions);
      fmt::print("{:<14}{:>8}{:>10}{:>10.1f}{:>10.1f}{:>10.1f}{:>14.2f}\n", kind.name, stored,
                 numbers, 1e6 * time[0] / kQueries, 1e6 * time[1] / kQueries,
                 1e6 * time[2] / kQueries, time[0] / time[2]);
      ok = ok && time[2] <= 1.5 * std::min(time[0], time[1]);
    }
  }
  fmt::print("what is chosen takes at most half as much again as the better way {}\n",
             ok ? "ok" : "MISSED");
  return ok;
}

}  // namespace soba::bench
