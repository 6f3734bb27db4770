#include "data/formats/synthetic.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/testing.h"

namespace soba {
namespace {

using testing::error_of;
using testing::examples_of;
using ::testing::HasSubstr;

Synthetic make(const std::string& text) { return Synthetic(parse_synthetic(text, 1).value()); }

TEST(Synthetic, ParsesItsParameters) {
  EXPECT_EQ(make("synsep").description(), "synsep:n=1000000,seed=1");
  EXPECT_EQ(make("synnonsep").description(), "synnonsep:n=1000000,seed=1,noise=0.05");
  EXPECT_EQ(make("synsep:n=1e3,noise=0.5,seed=18446744073709551615").description(),
            "synsep:n=1000,seed=18446744073709551615,noise=0.5");
  EXPECT_EQ(make("synnonsep:noise=0").description(), "synnonsep:n=1000000,seed=1,noise=0");
  EXPECT_EQ(parse_synthetic("synsep", 9)->seed, 9U);
  EXPECT_FALSE(parse_synthetic("synsep.csv", 1));
  EXPECT_FALSE(parse_synthetic("data/synsep:n=5", 1));
}

TEST(Synthetic, RefusesWrongParameters) {
  const auto bad = [](const std::string& text) {
    return error_of([&] { parse_synthetic(text, 1); }, ErrorKind::kUsage);
  };
  EXPECT_THAT(bad("synsep:nois=0.1"), HasSubstr("did you mean 'noise'?"));
  for (const char* text :
       {"synsep:n=0", "synsep:n=1.5", "synsep:n", "synsep:seed=-1",
        "synsep:seed=", "synsep:noise=2", "synsep:noise=nan", "synsep:", "synsep:n=5,"}) {
    bad(text);
  }
}

TEST(Synthetic, EveryExampleFollowsTheRecipe) {
  const Synthetic synthetic = make("synsep:n=20000");
  std::vector<std::set<Index>> seen(9);
  std::vector<int> count(9);
  Row row;
  for (std::int64_t i = 0; i < 20000; ++i) {
    const Label label = synthetic.example(i, row);
    ASSERT_GE(label, 0);
    ASSERT_LT(label, 9);
    ++count[static_cast<std::size_t>(label)];
    const auto split = std::lower_bound(row.index.begin(), row.index.end(), 120);
    ASSERT_GE(split - row.index.begin(), 15);
    ASSERT_LE(split - row.index.begin(), 35);
    ASSERT_EQ(row.index.end() - split, 20);
    ASSERT_EQ(std::adjacent_find(row.index.begin(), row.index.end(), std::greater_equal<>()),
              row.index.end());
    ASSERT_LT(row.index.back(), 400);
    for (const double value : row.value) ASSERT_EQ(value, 1);
    seen[static_cast<std::size_t>(label)].insert(row.index.begin(), split);
  }
  // 20,000/9 = 2222.2, standard deviation 44.4: six of them are exceeded once in 10^8 such tests.
  for (const int c : count) EXPECT_NEAR(c, 2222, 267);
  // Over some 2,200 examples every one of a class is met; five are off each time.
  Row first;
  for (std::int64_t i = 0; i < 100; ++i) {
    const auto label = static_cast<std::size_t>(synthetic.example(i, first));
    EXPECT_GE(seen[label].size(), 20U);
    EXPECT_LE(seen[label].size(), 40U);
    const auto ones =
        std::lower_bound(first.index.begin(), first.index.end(), 120) - first.index.begin();
    EXPECT_EQ(static_cast<std::size_t>(ones) + 5, seen[label].size());
  }
}

TEST(Synthetic, NoiseReplacesLabelsOnly) {
  const Synthetic clean = make("synsep:n=200000,seed=3");
  const Synthetic noisy = make("synnonsep:n=200000,seed=3");
  Row a, b;
  int wrong = 0;
  for (std::int64_t i = 0; i < 200000; ++i) {
    wrong += clean.example(i, a) != noisy.example(i, b);
    ASSERT_EQ(a.index, b.index);
  }
  // 0.05·8/9 = 4.44 %; the standard deviation is 0.046 %.
  EXPECT_NEAR(wrong / 200000.0, 0.05 * 8 / 9, 6 * 0.00046);
}

TEST(Synthetic, AnExampleDependsOnItsNumberAndTheSeedOnly) {
  const Synthetic one = make("synnonsep:n=1000,seed=5");
  const Synthetic large = make("synnonsep:n=2000,seed=5");
  const Synthetic other = make("synnonsep:n=1000,seed=6");
  Row a, b, c;
  int equal = 0;
  for (std::int64_t i = 999; i >= 0; --i) {
    EXPECT_EQ(one.example(i, a), large.example(i, b));
    EXPECT_EQ(a.index, b.index);
    other.example(i, c);
    equal += a.index == c.index;
  }
  EXPECT_EQ(equal, 0);
}

TEST(Synthetic, LimitAndShuffleGiveTheSameExamples) {
  SourceOptions options;
  const auto all = examples_of(Source("synnonsep:n=5000", options, {}));
  ASSERT_EQ(all.size(), 5000U);
  options.limit = 100;
  const auto some = examples_of(Source("synnonsep:n=5000", options, {}));
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  EXPECT_EQ(some.size(), 100U);

  options.limit = 0;
  options.shuffle = 7;
  auto shuffled = examples_of(Source("synnonsep:n=5000", options, {}));
  EXPECT_NE(shuffled, all);
  const auto before = [](const auto& a, const auto& b) {
    return std::tie(a.label, a.x) < std::tie(b.label, b.x);
  };
  auto sorted = all;
  std::sort(sorted.begin(), sorted.end(), before);
  std::sort(shuffled.begin(), shuffled.end(), before);
  EXPECT_EQ(shuffled, sorted);
}

TEST(Synthetic, TellsItsShapeAndRoundsBeforehand) {
  SourceOptions options;
  options.passes = 3;
  options.data_seed = 4;
  Source source("synsep:n=10", options, {});
  EXPECT_EQ(source.shape(), (Shape{9, 400}));
  EXPECT_EQ(source.rounds(), 30);
  EXPECT_EQ(source.description(), "synsep:n=10,seed=4");
  EXPECT_EQ(source.schema().labels.names().front(), "1");
  EXPECT_EQ(source.schema().feature_name(399), "400");
  EXPECT_EQ(examples_of(source).size(), 30U);
}

}  // namespace
}  // namespace soba
