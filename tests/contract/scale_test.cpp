// What a learner says about the scale of its input is true, in both directions: what is called free
// of it is, and what is not, is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "core/draws.h"
#include "soba/play.h"
#include "soba/registry.h"

namespace soba {
namespace {

constexpr Shape kShape{4, 11};  // the last feature is constant
constexpr std::size_t kRounds = 4000;

// What is done to feature j.
using Change = std::function<double(std::size_t j, double value)>;

double normal(Draws& draws) {
  const double radius = std::sqrt(-2 * std::log(1 - draws.uniform()));
  return radius * std::cos(2 * std::numbers::pi * draws.uniform());
}

// Four classes, each a cloud of its own; features of order one, changed.
Block clouds(const Change& change) {
  constexpr std::size_t kOwn = kShape.features - 1;
  Draws draws(Rng(5, Purpose::kExamples), 0);
  std::vector<double> centres(kShape.classes * kOwn);
  for (double& centre : centres) centre = normal(draws);
  Block block;
  std::vector<double> x(kShape.features);
  std::vector<Index> index(kShape.features);
  std::iota(index.begin(), index.end(), 0);
  for (std::size_t t = 0; t < kRounds; ++t) {
    const auto label = static_cast<Label>(draws.below(kShape.classes));
    for (std::size_t j = 0; j < kOwn; ++j) {
      x[j] = change(j, centres[static_cast<std::size_t>(label) * kOwn + j] + normal(draws));
    }
    x[kOwn] = change(kOwn, 1);
    block.append({index, x}, label);
  }
  return block;
}

// Only every other feature, and never the constant one.
Change half(const std::function<double(double)>& change) {
  return [change](std::size_t j, double value) { return j % 2 == 1 ? change(value) : value; };
}

const Change kRaw = [](std::size_t, double value) { return value; };

// A power of two, so that a learner that is homogeneous in x computes the same.
Change whole(double factor) {
  return [factor](std::size_t, double value) { return factor * value; };
}

std::string plays(const std::string& learner, const Block& block) {
  Model model = new_model(learner, {}, kShape, 1);
  std::string out;
  play(block, model, [&](const Played& row) { out += static_cast<char>('0' + row.played); });
  return out;
}

// The share of wrong plays, over a few seeds.
double error(const std::string& learner, const Block& block) {
  constexpr int kSeeds = 3;
  std::int64_t mistakes = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Model model = new_model(learner, {}, kShape, static_cast<std::uint64_t>(seed));
    play(block, model, [&](const Played& row) { mistakes += row.correct ? 0 : 1; });
  }
  return static_cast<double>(mistakes) / (kSeeds * static_cast<double>(kRounds));
}

// How far the error moves at most, whatever is done to half of the features.
double sway(const std::string& learner) {
  const double raw = error(learner, clouds(kRaw));
  double most = 0;
  for (const Change& change :
       {half([](double v) { return 1000 * v; }), half([](double v) { return v / 1000; }),
        half([](double v) { return v + 10; })}) {
    most = std::max(most, std::abs(error(learner, clouds(change)) - raw));
  }
  return most;
}

class ScaleOf : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> every_learner() {
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners()) names.push_back(info.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(EveryLearner, ScaleOf, ::testing::ValuesIn(every_learner()),
                         [](const auto& name) {
                           std::string out = name.param;
                           std::replace(out.begin(), out.end(), '-', '_');
                           return out;
                         });

TEST_P(ScaleOf, AFeatureMattersWhereItSaysSo) {
  const ScaleFree says = choose_learner(GetParam(), {}).info->scale_free;
  const double moved = sway(GetParam());
  RecordProperty("points", std::to_string(100 * moved));
  if (says == ScaleFree::kEachFeature) {
    EXPECT_LT(moved, 0.01);
  } else {
    EXPECT_GT(moved, 0.01);
  }
}

TEST_P(ScaleOf, AllOfXMattersWhereItSaysSo) {
  const ScaleFree says = choose_learner(GetParam(), {}).info->scale_free;
  if (says == ScaleFree::kEachFeature) return;  // moved by rounding, and tested above
  const std::string raw = plays(GetParam(), clouds(kRaw));
  const bool same = plays(GetParam(), clouds(whole(1024))) == raw &&
                    plays(GetParam(), clouds(whole(1.0 / 1024))) == raw;
  EXPECT_EQ(same, says == ScaleFree::kWhole);
}

}  // namespace
}  // namespace soba
