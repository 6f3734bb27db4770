// What a round of every first-order and diagonal learner costs beside diagonal SOBA, and of the
// mixtures.
#include <fmt/format.h>

#include "runner.h"
#include "soba/registry.h"

namespace soba::bench {

namespace {

// Those that keep matrices of kd or d in both directions have tasks of their own: exact, dimension.
bool is_diagonal(const LearnerInfo& info) { return info.name != "soba" && info.name != "newtron"; }

// Times SOBAdiag's time; the mixtures have several members.
double limit(const std::string& name) { return name == "auto" || name == "exp4" ? 6 : 2; }

}  // namespace

bool lineage_task(const Settings& settings) {
  const DataSet data = load("synnonsep", fmt::format("synnonsep:n={},seed=1", settings.rounds), {});
  std::vector<Contender> contenders = {learner("sobadiag", "sobadiag", {{"gamma", "2^-6"}})};
  for (const LearnerInfo& info : learners()) {
    if (is_diagonal(info)) contenders.push_back(learner(info.name, info.name, {}));
  }
  const std::vector<Timing> timings = time_all(data, contenders, settings.repetitions);
  print_table(data, timings, "sobadiag");
  bool ok = true;
  for (const Timing& timing : timings) {
    const double ratio = timing.seconds / timings[0].seconds;
    if (ratio <= limit(timing.name)) continue;
    fmt::print("{}'s time over SOBAdiag's: {:.2f} (at most {}) MISSED\n", timing.name, ratio,
               limit(timing.name));
    ok = false;
  }
  if (ok)
    fmt::print("every learner within its limit, 2 times SOBAdiag's time or 6 for mixtures: ok\n");
  return ok;
}

}  // namespace soba::bench
