#include <gmock/gmock.h>

#include <functional>

#include "soba/error.h"
#include "soba/lab/plan.h"

namespace soba::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Values, AreListsAndRanges) {
  EXPECT_THAT(parse_values("a", "0.1,1,10"), ElementsAre("0.1", "1", "10"));
  EXPECT_THAT(parse_values("a", "2^-3..2^-1"), ElementsAre("2^-3", "2^-2", "2^-1"));
  EXPECT_THAT(parse_values("a", "10^1..10^-1"), ElementsAre("10^1", "10^0", "10^-1"));
  EXPECT_THAT(parse_values("a", "3..5,9,-1..1"), ElementsAre("3", "4", "5", "9", "-1", "0", "1"));
  EXPECT_THAT(parse_values("a", "uniform,gap"), ElementsAre("uniform", "gap"));
  EXPECT_THAT(parse_values("a", "7..7"), ElementsAre("7"));
}

TEST(Values, RefuseWhatIsNeither) {
  for (const char* text : {"", ",", "1,", "1,,2"}) {
    EXPECT_THAT(refusal([&] { parse_values("gamma", text); }), HasSubstr("an empty value")) << text;
  }
  for (const char* text : {"1..", "..2", "0.1..0.5", "2^1..3^4", "2^1..4", "a..b", "1..2..3"}) {
    EXPECT_THAT(refusal([&] { parse_values("gamma", text); }), HasSubstr("is no range")) << text;
  }
  EXPECT_THAT(refusal([] { parse_values("gamma", "1..100000"); }), HasSubstr("more than"));
  EXPECT_THAT(refusal([] { parse_values("gamma", "-9223372036854775808..9223372036854775807"); }),
              HasSubstr("more than"));
}

SweepPlan small_plan() {
  SweepPlan plan;
  plan.data = {{"sep", "synsep:n=400", {}}, {"non", "synnonsep:n=300,seed=7", {}}};
  plan.data[1].options["shuffle"] = "10";
  plan.learners = {{"diag", "sobadiag", {}, {{"gamma", {"0.01", "2^-3"}}, {"a", {"1", "2"}}}},
                   {"full information", "perceptron", {}, {}}};
  plan.seeds = {4, 5, 6};
  return plan;
}

TEST(Plan, IsMadeOfTexts) {
  const SweepPlan plan = make_plan({"a.csv", "synsep:n=9"}, {{"limit", "5"}},
                                   {"sobadiag:a=2", "perceptron"}, {"gamma=0.1,0.2"}, {3, 4});
  EXPECT_EQ(plan.data[0].data, "a.csv");
  EXPECT_EQ(plan.data[1].options.at("limit"), "5");
  EXPECT_EQ(plan.learners[0].options.at("a"), "2");
  EXPECT_THAT(plan.learners[0].axes, SizeIs(1));
  EXPECT_THAT(plan.learners[1].axes, SizeIs(0));
  EXPECT_THAT(plan.seeds, ElementsAre(3, 4));
}

TEST(Plan, SpansDataSeedsLearnersAndGridPoints) {
  const std::vector<SweepRun> runs = list_runs(small_plan());
  ASSERT_THAT(runs, SizeIs(2 * 3 * 5));
  EXPECT_EQ(runs[0].grid, (OptionValues{{"gamma", "0.01"}, {"a", "1"}}));
  EXPECT_EQ(runs[1].grid, (OptionValues{{"gamma", "0.01"}, {"a", "2"}}));
  EXPECT_EQ(runs[3].grid, (OptionValues{{"gamma", "0.125"}, {"a", "2"}}));
  EXPECT_EQ(runs[0].options.at("covariance"), "diagonal");
  EXPECT_TRUE(runs[4].grid.empty());
  EXPECT_EQ(runs[5].seed, 5U);
  EXPECT_FALSE(runs[5].order.shuffle);
  // The shuffle moves on with the seeds.
  EXPECT_EQ(runs[15].order.shuffle, 10U);
  EXPECT_EQ(runs[29].order.shuffle, 12U);
}

TEST(Plan, ALearnerMayPlaySomeOfTheDataAndShareAName) {
  SweepPlan plan = small_plan();
  plan.learners[0].data = {"sep"};
  plan.learners.push_back({"diag", "sobadiag", {}, {{"gamma", {"0.5"}}}, {"non"}});
  const std::vector<SweepRun> runs = list_runs(plan);
  ASSERT_THAT(runs, SizeIs(3 * 5 + 3 * 2));
  EXPECT_EQ(runs[15].learner, 1U);
  EXPECT_EQ(runs[16].grid, (OptionValues{{"gamma", "0.5"}}));
  plan.learners[2].data = {"nobody"};
  EXPECT_THAT(refusal([&] { list_runs(plan); }), HasSubstr("no data set is called 'nobody'"));
}

TEST(Plan, RefusesWhatCannotBePlayed) {
  const auto with = [](const std::function<void(SweepPlan&)>& change) {
    SweepPlan plan = small_plan();
    change(plan);
    return refusal([&] { list_runs(plan); });
  };
  EXPECT_EQ(with([](SweepPlan&) {}), "");
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[0].axes[0].option = "gama"; }),
              HasSubstr("did you mean 'gamma'?"));
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[0].axes[0].values = {"2"}; }), HasSubstr("gamma"));
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[0].learner = "sobadiagg"; }),
              HasSubstr("did you mean 'sobadiag'?"));
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[0].axes[1].option = "gamma"; }),
              HasSubstr("is a duplicate"));
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[0].options["a"] = "3"; }),
              HasSubstr("fixed and an axis"));
  EXPECT_THAT(with([](SweepPlan& p) {
                p.learners[0].axes[0].values = {"0.5", "2^-1"};
              }),
              HasSubstr("two points of its grid are the same"));
  EXPECT_THAT(with([](SweepPlan& p) {
                p.learners.push_back({"p", "perceptron", {}, {}});
              }),
              HasSubstr("the same learner with the same options"));
  EXPECT_THAT(with([](SweepPlan& p) { p.learners[1].name = "diag"; }),
              HasSubstr("two learners are called 'diag'"));
  EXPECT_THAT(with([](SweepPlan& p) { p.data[1].name = "sep"; }),
              HasSubstr("two data sets are called 'sep'"));
  EXPECT_THAT(with([](SweepPlan& p) { p.seeds = {1, 1}; }), HasSubstr("seed 1 is a duplicate"));
  EXPECT_THAT(with([](SweepPlan& p) { p.seeds.clear(); }), HasSubstr("needs data"));
  EXPECT_THAT(with([](SweepPlan& p) {
                p.learners[0] = {"gap", "soba", {{"explore", "gap"}}, {{"gamma", {"0.5", "0.25"}}}};
              }),
              HasSubstr("gap: explore gap sets a rate of its own: leave out option 'gamma'"));
}

TEST(Plan, NamesAreUtf8) {
  SweepPlan plan = small_plan();
  plan.data[0].data = "caf\xE9.csv";
  EXPECT_THAT(refusal([&] { list_runs(plan); }), HasSubstr("not UTF-8"));
}

}  // namespace
}  // namespace soba::lab
