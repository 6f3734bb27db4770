#include "lab/key.h"

#include <gmock/gmock.h>

#include <set>

namespace soba::lab {
namespace {

using ::testing::SizeIs;

constexpr const char* kData = R"({"fingerprint":"00000000000000aa"})";

SweepPlan plan_with(OptionValues reading, OptionValues options, std::uint64_t seed = 1) {
  SweepPlan plan;
  plan.data = {{"one", "data.libsvm", std::move(reading)}};
  plan.learners = {{"a title", "soba", std::move(options), {}}};
  plan.seeds = {seed};
  return plan;
}

std::string key_of(const SweepPlan& plan, const std::string& data = kData) {
  return run_key(plan, list_runs(plan)[0], data);
}

TEST(RunKey, KnowsTheRunNotItsWords) {
  const std::string key = key_of(plan_with({}, {}));
  EXPECT_THAT(key, SizeIs(32));
  // The same run in other words: titles, where the file lies, defaults written out, other texts of
  // the same number.
  SweepPlan same = plan_with({{"scale", "none"}, {"passes", "1"}}, {{"a", "1"}});
  same.data[0].name = "another name";
  same.data[0].data = "elsewhere/data.libsvm.xz";
  same.learners[0].name = "another title";
  EXPECT_EQ(key_of(same), key);
  EXPECT_EQ(key_of(plan_with({}, {{"gamma", "2^-3"}})),
            key_of(plan_with({}, {{"gamma", "0.125"}})));
}

TEST(RunKey, DiffersWhereTheRunDoes) {
  const std::vector<std::string> keys = {
      key_of(plan_with({}, {})),
      key_of(plan_with({}, {}), R"({"fingerprint":"00000000000000ab"})"),
      key_of(plan_with({{"scale", "maxabs"}}, {})),
      key_of(plan_with({{"shuffle", "1"}}, {})),
      key_of(plan_with({{"shuffle", "2"}}, {})),
      key_of(plan_with({{"limit", "10"}}, {})),
      key_of(plan_with({{"passes", "2"}}, {})),
      key_of(plan_with({}, {{"a", "2"}})),
      key_of(plan_with({}, {}, 2))};
  EXPECT_THAT(std::set<std::string>(keys.begin(), keys.end()), SizeIs(keys.size()));
}

// Sweeps that were begun with an earlier build of this version continue only while keys stay what
// they were.
TEST(RunKey, StaysWhatItIs) {
  SweepPlan plan = plan_with({}, {});
  plan.learners[0].learner = "perceptron";
  EXPECT_EQ(key_of(plan), "7b459850a8b3e3fa691430bdc7af4788");
}

TEST(RunCommand, RepeatsTheRun) {
  SweepPlan plan = plan_with({{"scale", "maxabs"}, {"bias", "true"}, {"shuffle", "7"}}, {});
  plan.data[0].data = "my data.csv";
  plan.learners[0].axes = {{"gamma", {"0.5", "0.25"}}};
  plan.seeds = {3, 4};
  const std::vector<SweepRun> runs = list_runs(plan);
  EXPECT_EQ(run_command(plan, runs[3]),
            "soba run 'my data.csv' --scale maxabs --bias --shuffle 8 --learner soba --gamma 0.25 "
            "--seed 4");
}

}  // namespace
}  // namespace soba::lab
