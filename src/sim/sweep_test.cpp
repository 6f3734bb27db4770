#include "soba/sweep.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>

#include "soba/play.h"

namespace soba {
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
  plan.data[1].options.shuffle = 10;
  plan.learners = {{"diag", "sobadiag", {}, {{"gamma", {"0.01", "2^-3"}}, {"a", {"1", "2"}}}},
                   {"full information", "perceptron", {}, {}}};
  plan.seeds = {4, 5, 6};
  return plan;
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
              HasSubstr("there twice"));
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
  EXPECT_THAT(with([](SweepPlan& p) { p.seeds = {1, 1}; }), HasSubstr("seed 1 is there twice"));
  EXPECT_THAT(with([](SweepPlan& p) { p.seeds.clear(); }), HasSubstr("needs data"));
}

// Everything of a result but its time.
std::string text(const SweepResult& result) {
  std::string out = result.learner + result.feedback + result.data;
  for (const auto& [name, value] : result.options) {
    out.append(" ").append(name).append("=").append(value);
  }
  for (const Tally& at : result.curve) {
    for (const std::int64_t count : {at.rounds, at.mistakes, at.greedy_mistakes, at.updates}) {
      out += ' ' + std::to_string(count);
    }
  }
  return out + ' ' + std::to_string(result.fingerprint) + ' ' + std::to_string(result.model_bytes);
}

std::vector<std::string> sweep(const SweepPlan& plan, int workers) {
  const std::vector<SweepRun> runs = list_runs(plan);
  DataStore store(plan);
  std::vector<std::string> found(runs.size());
  std::atomic<std::size_t> next = 0;
  play_runs(plan, runs, store, workers,
            {.next = [&]() -> std::optional<std::size_t> {
               const std::size_t number = next++;
               return number < runs.size() ? std::optional(number) : std::nullopt;
             },
             .done = [&](std::size_t run, const SweepResult& r) { found[run] = text(r); },
             .failed = [&](std::size_t, const Error& error) { ADD_FAILURE() << error.what(); },
             .stop = [] { return false; }});
  return found;
}

TEST(Sweep, GivesTheSameWhateverTheNumberOfWorkers) {
  const std::vector<std::string> alone = sweep(small_plan(), 1);
  EXPECT_EQ(std::set<std::string>(alone.begin(), alone.end()).count(""), 0U);
  EXPECT_EQ(sweep(small_plan(), 4), alone);
}

TEST(Sweep, ARunIsWhatPlayingItAloneGives) {
  const SweepPlan plan = small_plan();
  const std::vector<SweepRun> runs = list_runs(plan);
  DataStore store(plan);
  const SweepRun& run = runs[17];
  const SweepResult result = *play_run(plan, run, *store.get(run), [] { return false; });

  SourceOptions options;
  options.shuffle = 10;
  Source source("synnonsep:n=300,seed=7", options, Schema{});
  Model model = new_model("sobadiag", run.grid, source.shape(), 4);
  const auto stream = source.open();
  while (const Block* block = stream->next()) play(*block, model, [](const Played&) {});
  EXPECT_EQ(result.tally.mistakes, model.tally.mistakes);
  EXPECT_EQ(result.tally.updates, model.tally.updates);
  EXPECT_EQ(result.curve.back().mistakes, model.tally.mistakes);
  EXPECT_EQ(result.curve.back().rounds, 300);
  EXPECT_EQ(result.curve[5].rounds, 8);
}

TEST(Sweep, AFailedRunLeavesTheOthersAlone) {
  SweepPlan plan;
  plan.data = {{"sep", "synsep:n=2000,seed=1", {}}};
  plan.learners = {{"needs more memory", "soba", {{"memory", "1"}, {"covariance", "block"}}, {}},
                   {"fine", "perceptron", {}, {}}};
  plan.seeds = {1};
  const std::vector<SweepRun> runs = list_runs(plan);
  DataStore store(plan);
  std::atomic<std::size_t> next = 0;
  std::vector<std::size_t> done, failed;
  play_runs(plan, runs, store, 1,
            {.next = [&]() -> std::optional<std::size_t> {
               const std::size_t number = next++;
               return number < runs.size() ? std::optional(number) : std::nullopt;
             },
             .done = [&](std::size_t run, const SweepResult&) { done.push_back(run); },
             .failed = [&](std::size_t run, const Error&) { failed.push_back(run); },
             .stop = [] { return false; }});
  EXPECT_THAT(done, ElementsAre(1U));
  EXPECT_THAT(failed, ElementsAre(0U));
}

TEST(Sweep, WhatAHookThrowsEndsItAll) {
  const SweepPlan plan = small_plan();
  const std::vector<SweepRun> runs = list_runs(plan);
  DataStore store(plan);
  std::atomic<std::size_t> next = 0;
  std::atomic<int> done = 0;
  const SweepHooks hooks = {.next = [&]() -> std::optional<std::size_t> {
                              const std::size_t number = next++;
                              return number < runs.size() ? std::optional(number) : std::nullopt;
                            },
                            .done =
                                [&](std::size_t, const SweepResult&) {
                                  if (done++ == 0) throw Error(ErrorKind::kResource, "full");
                                },
                            .failed = [](std::size_t, const Error&) { FAIL(); },
                            .stop = [] { return false; }};
  EXPECT_THROW(play_runs(plan, runs, store, 3, hooks), Error);
  EXPECT_LT(next, runs.size());  // the others heard of it
}

TEST(DataStore, ReadsAFileOnceAndForgetsAGenerator) {
  const std::string path = ::testing::TempDir() + "soba-sweep-" + std::to_string(::getpid());
  std::ofstream(path) << "1 1:1\n2 2:1\n";
  SweepPlan plan = small_plan();
  plan.data.push_back({"file", path, {}});
  const std::vector<SweepRun> runs = list_runs(plan);
  DataStore store(plan);

  const SweepRun& of_file = runs.back();
  EXPECT_EQ(store.prepare([](const std::string&) {})[2], store.get(of_file));
  std::filesystem::remove(path);
  EXPECT_EQ(store.get(of_file)->size(), 2);

  auto first = store.get(runs[0]);
  EXPECT_EQ(first, store.get(runs[1]));
  EXPECT_NE(store.key(runs[0]), store.key(runs[5]));    // another seed, other examples
  EXPECT_EQ(store.key(runs[15]), store.key(runs[20]));  // its seed is part of the text
  const std::weak_ptr<const Examples> watched = first;
  first.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace soba
