// The whole way, from a file in the page cache to the error rate: the program as users run it, by
// the clock on the wall, beside reading alone and learning alone.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <thread>

#include "reading/reader.h"
#include "roofline/loops.h"
#include "runner.h"
#include "soba/error.h"

namespace soba::bench {

namespace {

// Runs `soba run` and returns the seconds; its mistakes into `mistakes`.
double run_program(const std::string& path, const std::string& learner, std::int64_t& mistakes) {
  const std::string command =
      fmt::format("{} run {} --learner {} --json 2>/dev/null", SOBA_BENCH_PROGRAM, path, learner);
  return seconds_of([&] {
    FILE* pipe = popen(command.c_str(), "r");
    mistakes = -1;
    std::array<char, 256> line{};
    while (pipe != nullptr && std::fgets(line.data(), line.size(), pipe) != nullptr) {
      std::sscanf(line.data(), " \"mistakes\": %ld", &mistakes);
    }
    if (pipe == nullptr || pclose(pipe) != 0 || mistakes < 0) {
      throw Error(ErrorKind::kResource, "the program did not run: " + command);
    }
  });
}

// How much arithmetic two threads do beside what one does: 2 where there are two cores and both are
// free, less where they share one or others have it.
double gain_of_two(int repetitions) {
  constexpr std::size_t kSteps = 200'000'000;
  const std::vector<double> seconds =
      medians({{"one", [] { return seconds_of([] { double_flops(kSteps); }); }},
               {"two",
                [] {
                  return seconds_of([] {
                    std::thread other([] { double_flops(kSteps); });
                    double_flops(kSteps);
                    other.join();
                  });
                }}},
              repetitions);
  return 2 * seconds[0] / seconds[1];
}

// Reads on another thread what is learnt from memory on this one: nothing is handed over, so that
// it is what this machine can overlap at best.
double read_beside(const std::string& path, const Contender& in_memory, const DataSet& data) {
  return seconds_of([&] {
    std::thread reader([&] { read_blocks(path); });
    in_memory.run(data);
    reader.join();
  });
}

struct File {
  std::string name;
  std::string format;
};

// The median over the repetitions of what a repetition makes of its times: a ratio of times taken
// within a second or two says more than one of medians, on a machine whose speed changes.
template <class Ratio>
double median_ratio(const std::vector<std::vector<double>>& seconds, Ratio&& ratio) {
  std::vector<double> ratios;
  for (std::size_t r = 0; r < seconds[0].size(); ++r) {
    ratios.push_back(ratio([&](std::size_t trial) { return seconds[trial][r]; }));
  }
  return median(ratios);
}

// The table of one learner; its claims on the text (the first file) and the cache (the second).
bool compare(const std::string& name, const DataSet& data, const std::vector<std::string>& paths,
             const std::vector<File>& files, const Settings& settings) {
  const Contender in_memory = learner(name, name, {});
  std::int64_t expected = in_memory.run(data).mistakes;
  std::vector<std::int64_t> mistakes(files.size());
  constexpr std::size_t kLearning = 0, kAtOnce = 1, kReadingText = 2, kText = 3, kCache = 5;
  std::vector<Trial> trials = {
      {"learning alone, in memory", [&] { return in_memory.run(data).seconds; }},
      {"both at once, nothing handed over",
       [&] { return read_beside(paths[0], in_memory, data); }}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    trials.push_back({"reading alone, " + files[i].name, [&, i] { return read_blocks(paths[i]); }});
    trials.push_back({"soba run, " + files[i].name,
                      [&, i] { return run_program(paths[i], name, mistakes[i]); }});
  }
  const std::vector<std::vector<double>> seconds = times(trials, settings.repetitions);
  const auto best = [&](std::size_t i) { return *std::ranges::min_element(seconds[i]); };
  const double rounds = static_cast<double>(data.rounds);
  fmt::print("\n{}: {} rounds of {}\n{:<40}{:>9}{:>9}{:>14}\n", name, data.rounds, data.name, "",
             "seconds", "at best", "examples/s");
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const double usual = median(seconds[i]);
    fmt::print("{:<40}{:>9.3f}{:>9.3f}{:>14.0f}\n", trials[i].name, usual, best(i), rounds / usual);
  }
  const bool same =
      std::all_of(mistakes.begin(), mistakes.end(), [&](std::int64_t m) { return m == expected; });
  fmt::print("the same mistakes from every file and in memory: {}\n", same ? "ok" : "MISSED");
  fmt::print("two threads do {:.2f} times the arithmetic of one at this time\n",
             gain_of_two(settings.repetitions));
  fmt::print("reading and learning at once, time over the larger of the two alone: {:.2f}\n",
             median_ratio(seconds, [&](auto&& at) {
               return at(kAtOnce) / std::max(at(kLearning), at(kReadingText));
             }));
  const bool overlap =
      at_most("from text, time over the larger of the two alone",
              median_ratio(
                  seconds,
                  [&](auto&& at) { return at(kText) / std::max(at(kLearning), at(kReadingText)); }),
              1.3);
  const bool quick = at_most("from text, seconds at best", best(kText), 0.45 * rounds / 1e6);
  const bool cache =
      at_least("from the cache, million examples/s", rounds / median(seconds[kCache]) / 1e6, 2.5);
  return same && overlap && quick && cache;
}

}  // namespace

bool program_task(const Settings& settings) {
  const Workspace workspace;
  const std::string data = fmt::format("synnonsep:n={},seed=1", settings.rounds);
  const std::vector<File> files = {{"synnonsep.libsvm", "libsvm"},
                                   {"synnonsep.soba", "cache"},
                                   {"synnonsep.libsvm.zst", "libsvm"},
                                   {"synnonsep.libsvm.gz", "libsvm"}};
  std::vector<std::string> paths;
  fmt::print("\n");
  for (const File& file : files) {
    paths.push_back(workspace.path(file.name));
    fmt::print("{}: {:.1f} MB\n", file.name, write_data(data, paths.back(), file.format) / 1e6);
  }
  const DataSet in_memory = load("synnonsep", data, {});
  bool ok = true;
  for (const std::string name : {"sobadiag", "bandit-arow"}) {
    ok &= compare(name, in_memory, paths, files, settings);
  }
  return ok;
}

}  // namespace soba::bench
