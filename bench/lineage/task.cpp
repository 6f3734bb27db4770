// What a round of every first-order and diagonal learner costs beside diagonal SOBA, and of the
// mixtures.
#include <fmt/format.h>

#include "runner.h"

namespace soba::bench {

namespace {

struct Entry {
  const char* name;
  double limit;  // times SOBAdiag's time
};

// Each with its defaults. The yardsticks that are told the label are learners like the others.
constexpr Entry kEntries[] = {
    {"banditron", 2},  {"banditron-eg", 2}, {"pnewtron", 2},           {"confidit", 2},
    {"expconcave", 2}, {"bandit-arow", 2},  {"bpa", 2},                {"squarecb", 2},
    {"gaptron", 2},    {"rdue", 2},         {"ova-perceptron", 2},     {"ova-logistic", 2},
    {"epoch-greedy", 2}, {"perceptron", 2}, {"second-order-perceptron", 2},
    {"passive-aggressive", 2}, {"arow", 2}, {"auto", 6},
};

}  // namespace

bool lineage_task(const Settings& settings) {
  const DataSet data =
      load("synnonsep", fmt::format("synnonsep:n={},seed=1", settings.rounds), {});
  std::vector<Contender> contenders = {learner("sobadiag", "sobadiag", {{"gamma", "2^-6"}})};
  for (const Entry& entry : kEntries) contenders.push_back(learner(entry.name, entry.name, {}));
  const std::vector<Timing> timings = time_all(data, contenders, settings.repetitions);
  print_table(data, timings, "sobadiag");
  bool ok = true;
  for (std::size_t i = 1; i < timings.size(); ++i) {
    const double ratio = timings[i].seconds / timings[0].seconds;
    const double limit = kEntries[i - 1].limit;
    if (ratio <= limit) continue;
    fmt::print("{}'s time over SOBAdiag's: {:.2f} (at most {}) MISSED\n", timings[i].name, ratio,
               limit);
    ok = false;
  }
  if (ok) fmt::print("every learner within 2 times SOBAdiag's time, auto within 6: ok\n");
  return ok;
}

}  // namespace soba::bench
