#include <fmt/format.h>

#include <algorithm>

#include "covariance/parts.h"
#include "covariance/primal.h"

namespace soba::bench {

namespace {

struct Kind {
  const char* name;
  PairMaker maker;
};

constexpr Kind kKinds[] = {{"n = 324, as Covertype", {7, 54, 14, 0.5}},
                           {"n = 1000", {6, 200, 30, 0}},
                           {"n = 3200, as SynNonSep", {9, 400, 50, 0}}};
constexpr std::uint64_t kUpdates = 384;  // a multiple of every block
constexpr std::size_t kBlocks[] = {8, 16, 32, 48, 64, 96, 128};

// A primal form that takes in pairs, with the weights that go with it.
class Updated {
 public:
  Updated(Shape shape, std::size_t block)
      : form_(shape, 1, block),
        weights_(shape),
        theta_(static_cast<std::size_t>(shape.classes) * static_cast<std::size_t>(shape.features)) {
  }
  double step(const PairVector& v) {
    const double quad = form_.quad(v);
    form_.step(v, 1, quad, 0.5, theta_, weights_);
    return quad;
  }

 private:
  PrimalForm form_;
  ClassMatrix<double> weights_;
  std::vector<double> theta_;
};

}  // namespace

bool block_sizes(const Settings& settings) {
  fmt::print("\nAn update of the primal form, microseconds, by the updates that wait together\n");
  fmt::print("{:<26}", "");
  for (const std::size_t block : kBlocks) fmt::print("{:>9}", block);
  fmt::print("\n");
  bool ok = true;
  for (const Kind& kind : kKinds) {
    std::vector<PairMaker::Made> pairs;
    for (std::uint64_t i = 0; i < kUpdates; ++i) pairs.push_back(kind.maker.make(i));
    std::vector<Updated> forms;
    std::vector<std::function<void()>> calls;
    forms.reserve(std::size(kBlocks));
    std::vector<double> sums;
    for (const std::size_t block : kBlocks) {
      Updated& form = forms.emplace_back(Shape{kind.maker.classes, kind.maker.features}, block);
      double sum = 0;
      for (const auto& pair : pairs) sum += form.step(pair.pair());
      sums.push_back(sum);
      calls.emplace_back([&] {
        for (const auto& pair : pairs) form.step(pair.pair());
      });
    }
    for (const double sum : sums) {
      if (!(std::abs(sum - sums[0]) <= 1e-9 * sums[0])) {
        fmt::print("the answers differ MISSED\n");
        return false;
      }
    }
    const std::vector<double> time = medians(calls, 3 * settings.repetitions);
    fmt::print("{:<26}", kind.name);
    const auto per_update = 1e6 / static_cast<double>(pairs.size());
    for (const double seconds : time) fmt::print("{:>9.1f}", per_update * seconds);
    fmt::print("\n");
    const std::size_t block =
        PrimalForm::block(PrimalForm::size({kind.maker.classes, kind.maker.features}));
    const auto place = std::find(std::begin(kBlocks), std::end(kBlocks), block);
    const double chosen = time[static_cast<std::size_t>(place - std::begin(kBlocks))];
    ok = ok && chosen <= 1.25 * *std::min_element(time.begin(), time.end());
  }
  fmt::print("what is chosen, {} and from n = {} on {}, is within a quarter of the best {}\n",
             PrimalForm::block(1), linalg::kLarge, PrimalForm::block(linalg::kLarge),
             ok ? "ok" : "MISSED");
  return ok;
}

}  // namespace soba::bench
