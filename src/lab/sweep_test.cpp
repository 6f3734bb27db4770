#include "soba/lab/sweep.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "soba/play.h"

namespace soba::lab {
namespace {

using ::testing::ElementsAre;

SweepPlan small_plan() {
  SweepPlan plan;
  plan.data = {{"sep", "synsep:n=400", {}}, {"non", "synnonsep:n=300,seed=7", {}}};
  plan.data[1].options["shuffle"] = "10";
  plan.learners = {{"diag", "sobadiag", {}, {{"gamma", {"0.01", "2^-3"}}, {"a", {"1", "2"}}}},
                   {"full information", "perceptron", {}, {}}};
  plan.seeds = {4, 5, 6};
  return plan;
}

// Everything of a result but its time.
std::string text(const RunResult& result) {
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

// Hands out the numbers 0, 1, …
std::function<std::optional<std::size_t>()> in_order(std::atomic<std::size_t>& next,
                                                     const Sweep& sweep) {
  return [&]() -> std::optional<std::size_t> {
    const std::size_t number = next++;
    return number < sweep.runs().size() ? std::optional(number) : std::nullopt;
  };
}

std::vector<RunResult> play_all(const SweepPlan& plan, int workers) {
  Sweep sweep(plan);
  std::vector<RunResult> found(sweep.runs().size());
  std::atomic<std::size_t> next = 0;
  sweep.play(workers,
             {.next = in_order(next, sweep),
              .done = [&](std::size_t run, const RunResult& r) { found[run] = r; },
              .failed = [&](std::size_t, const Error& error) { ADD_FAILURE() << error.what(); },
              .stop = nullptr});
  return found;
}

std::vector<std::string> texts(const std::vector<RunResult>& results) {
  std::vector<std::string> out;
  for (const RunResult& result : results) out.push_back(text(result));
  return out;
}

TEST(Sweep, GivesTheSameWhateverTheNumberOfWorkers) {
  const std::vector<RunResult> results = play_all(small_plan(), 1);
  for (const RunResult& result : results) EXPECT_GT(result.tally.rounds, 0);
  const std::vector<std::string> alone = texts(results);
  EXPECT_EQ(texts(play_all(small_plan(), 4)), alone);
}

TEST(Sweep, ARunIsWhatPlayingItAloneGives) {
  const RunResult result = play_all(small_plan(), 1)[17];
  const SweepRun run = list_runs(small_plan())[17];

  SourceOptions options;
  options.shuffle = 10;
  Source source("synnonsep:n=300,seed=7", options, Schema{});
  Model model = new_model("sobadiag", run.grid, source.shape(), 4);
  const auto stream = source.open();
  while (const Block* block = stream->next()) play(*block, model, [](const Played&) {});
  EXPECT_EQ(result.tally, model.tally);
  EXPECT_EQ(result.curve.back(), model.tally);
  EXPECT_EQ(result.curve.back().rounds, 300);
  EXPECT_EQ(result.curve[5].rounds, 8);
}

TEST(Sweep, AFailedRunLeavesTheOthersAlone) {
  SweepPlan plan;
  plan.data = {{"sep", "synsep:n=2000,seed=1", {}}};
  plan.learners = {{"needs more memory", "soba", {{"memory", "1"}, {"covariance", "block"}}, {}},
                   {"fine", "perceptron", {}, {}}};
  plan.seeds = {1};
  Sweep sweep(plan);
  std::atomic<std::size_t> next = 0;
  std::vector<std::size_t> done, failed;
  sweep.play(1, {.next = in_order(next, sweep),
                 .done = [&](std::size_t run, const RunResult&) { done.push_back(run); },
                 .failed = [&](std::size_t run, const Error&) { failed.push_back(run); },
                 .stop = nullptr});
  EXPECT_THAT(done, ElementsAre(1U));
  EXPECT_THAT(failed, ElementsAre(0U));
}

TEST(Sweep, WhatAHookThrowsEndsItAll) {
  Sweep sweep(small_plan());
  std::atomic<std::size_t> next = 0;
  std::atomic<int> done = 0;
  const SweepHooks hooks = {.next = in_order(next, sweep),
                            .done =
                                [&](std::size_t, const RunResult&) {
                                  if (done++ == 0) throw Error(ErrorKind::kResource, "full");
                                },
                            .failed = [](std::size_t, const Error&) { FAIL(); },
                            .stop = nullptr};
  EXPECT_THROW(sweep.play(3, hooks), Error);
  EXPECT_LT(next, sweep.runs().size());  // the others heard of it
}

TEST(Sweep, EndsAfterTheCurrentRoundOfEveryWorker) {
  const std::string path = ::testing::TempDir() + "soba-slow-" + std::to_string(::getpid());
  {
    std::ofstream file(path);
    for (int i = 0; i < 200; ++i) {
      file << i % 4;
      for (int j = 1; j <= 80; ++j) file << ' ' << j << ':' << (i * j) % 7 - 3;
      file << '\n';
    }
  }
  SweepPlan plan;
  plan.data = {{"one block", path, {{"passes", "20"}}}};
  plan.learners = {{"slow", "newtron", {}, {}}};
  plan.seeds = {1, 2, 3, 4};
  Sweep sweep(plan);
  sweep.read_data([](const std::string&) {});
  std::filesystem::remove(path);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  int done = 0;
  using Clock = std::chrono::steady_clock;
  Clock::time_point asked;
  {
    const std::jthread asks([&] {
      while (next < 2) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      asked = Clock::now();
      stop = true;
    });
    sweep.play(2, {.next = in_order(next, sweep),
                   .done = [&](std::size_t, const RunResult&) { ++done; },
                   .failed = [](std::size_t, const Error& error) { FAIL() << error.what(); },
                   .stop = &stop});
  }
  EXPECT_EQ(done, 0);  // a run takes seconds
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - asked).count(), 1);
}

TEST(Sweep, ReadsAFileOnce) {
  const std::string path = ::testing::TempDir() + "soba-sweep-" + std::to_string(::getpid());
  std::ofstream(path) << "1 1:1\n2 2:1\n";
  SweepPlan plan;
  plan.data = {{"file", path, {}}, {"sep", "synsep:n=10,seed=1", {}}};
  plan.learners = {{"p", "perceptron", {}, {}}};
  plan.seeds = {1, 2};
  Sweep sweep(plan);
  std::vector<std::string> read;
  sweep.read_data([&](const std::string& data) { read.push_back(data); });
  std::filesystem::remove(path);
  EXPECT_THAT(read, ElementsAre(path));
  EXPECT_NE(sweep.fingerprint(0), 0U);
  EXPECT_EQ(sweep.fingerprint(1), 0U);
  std::atomic<std::size_t> next = 0;
  int done = 0;
  sweep.play(1, {.next = in_order(next, sweep),
                 .done = [&](std::size_t, const RunResult&) { ++done; },
                 .failed = [](std::size_t, const Error& error) { FAIL() << error.what(); },
                 .stop = nullptr});
  EXPECT_EQ(done, 4);
}

}  // namespace
}  // namespace soba::lab
