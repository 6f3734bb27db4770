// A learner of your own: registered, played, saved and loaded like those of Soba.
#include <soba/decide.h>
#include <soba/error.h>
#include <soba/play.h>
#include <soba/registry.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

// Nearest centroid: the label whose mean x, over the rounds in which it was right, is nearest.
class Centroids final : public soba::Learner {
 public:
  explicit Centroids(soba::Shape shape)
      : shape_(shape), count_(shape.classes, 0), sum_(shape.classes * shape.features, 0) {}

  soba::Shape shape() const override { return shape_; }

  // −‖x − c‖², without ‖x‖², which is the same for all labels.
  void scores(const soba::Features& x, std::span<double> out) const override {
    for (soba::Label y = 0; y < shape_.classes; ++y) {
      const double* const sum = &sum_[y * shape_.features];
      const double count = std::max(count_[y], 1.0);
      out[y] = 0;
      for (soba::Index j = 0; j < shape_.features; ++j) out[y] -= sum[j] * sum[j] / count / count;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (x.feature(i) < shape_.features) out[y] += 2 * x.value[i] * sum[x.feature(i)] / count;
      }
    }
  }

  soba::Exploration exploration(const soba::Moment&) const override {
    return soba::UniformMix{0.1};
  }

  // Where a learner allocates, so that learn() cannot fail. This one has all it needs.
  soba::Index reserve(const soba::Features& x) override { return x.extent(); }

  soba::Learned learn(const soba::Round& round, bool correct) noexcept override {
    if (!correct) return {};
    count_[round.played] += 1;
    for (std::size_t i = 0; i < round.x.size(); ++i) {
      const soba::Index j = round.x.feature(i);
      if (j < shape_.features) sum_[round.played * shape_.features + j] += round.x.value[i];
    }
    return {.updated = true};
  }

  void visit(soba::StateVisitor& visitor) override {
    const std::size_t counts = count_.size(), sums = sum_.size();
    visitor.field("count", count_);
    visitor.field("sum", sum_);
    visitor.require(count_.size() == counts && sum_.size() == sums && soba::all_finite(count_) &&
                        soba::all_finite(sum_),
                    "count and sum fit the model");
  }

 private:
  soba::Shape shape_;
  std::vector<double> count_, sum_;  // of each label; of each label and feature
};

}  // namespace

int main() try {
  soba::Registry registry = soba::Registry::builtin();
  registry.add({.name = "centroids", .make = [](soba::Shape shape, const soba::OptionValues&) {
                  return soba::AnyLearner(std::make_unique<Centroids>(shape));
                }});

  soba::Model model =
      soba::new_model("centroids", {}, {.classes = 3, .features = 2}, /*seed=*/1, registry);
  soba::Block block;
  const std::vector<soba::Index> both = {0, 1};
  const std::vector<double> corners[] = {{1, 0}, {0, 1}, {-1, -1}};
  for (int i = 0; i < 2000; ++i) block.append({.index = both, .value = corners[i % 3]}, i % 3);
  soba::play(block, model, [](const soba::Played&) {});

  soba::save_model(model, "own.model");
  soba::Model again = soba::load_model("own.model", registry);
  const soba::Label best =
      soba::Decider(again).decide("e", {.index = {}, .value = corners[2]}).greedy_index;
  std::printf("%lld of %lld rounds were wrong; the loaded model chooses %d for the third corner\n",
              static_cast<long long>(again.tally.mistakes),
              static_cast<long long>(again.tally.rounds), best);
  try {
    soba::load_model("own.model");  // Soba alone does not know this learner
    return 1;
  } catch (const soba::Error& error) {
    std::printf("%s\n", error.what());
  }
  return best == 2 && again.tally.mistakes < 400 ? 0 : 1;
} catch (const soba::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
