// Learning time of a round, data in memory, one thread: what each learner costs beside diagonal
// SOBA.
#include <fmt/format.h>

#include "runner.h"

namespace soba::bench {

namespace {

std::vector<Contender> contenders(const std::string& gamma) {
  return {learner("sobadiag", "sobadiag", {{"gamma", gamma}}),
          learner("soba (exact)", "soba", {{"gamma", gamma}}),
          learner("banditron", "banditron", {{"gamma", gamma}}),
          learner("perceptron", "perceptron", {}),
          learner("soba-ovr", "soba-ovr", {}),
          learner("auto", "auto", {})};
}

double ratio(const std::vector<Timing>& timings, std::size_t one, std::size_t other) {
  return timings[one].seconds / timings[other].seconds;
}

}  // namespace

bool learning_task(const Settings& settings) {
  bool ok = true;
  for (const std::string name : {"synsep", "synnonsep"}) {
    const DataSet data = load(name, fmt::format("{}:n={},seed=1", name, settings.rounds), {});
    const auto timings = time_all(data, contenders("2^-6"), settings.repetitions);
    print_table(data, timings, "sobadiag");
    ok &= at_most("exact SOBA's time over SOBAdiag's", ratio(timings, 1, 0), 1.5);
    ok &= at_most("auto's time over SOBAdiag's", ratio(timings, 5, 0), 6);
  }
  if (!settings.reuters.empty()) {
    const DataSet data =
        load("reuters4 sample", settings.reuters, {.normalize = "l2", .shuffle = 1});
    const auto timings = time_all(data, contenders("0.05"), settings.repetitions);
    print_table(data, timings, "sobadiag");
    ok &= at_most("exact SOBA's time over Banditron's", ratio(timings, 1, 2), 3);
  }
  return ok;
}

}  // namespace soba::bench
