// How a run is told from others, and how people repeat it.

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <nlohmann/json.hpp>

#include "lab/key.h"
#include "soba/lab/text.h"
#include "soba/registry.h"

namespace soba::lab {

namespace {

using Sorted = nlohmann::json;  // its objects are sorted by key: one text for one value

// Every option of reading with its value; the shuffle is that of the run.
OptionValues reading_values(const SweepPlan& plan, const SweepRun& run) {
  SourceOptions options = parse_source_options(plan.data[run.data].options);
  options.shuffle = run.order.shuffle;
  return source_option_values(options);
}

std::string canonical(const Sorted& value) {
  return value.dump(-1, ' ', false, Sorted::error_handler_t::replace);
}

}  // namespace

std::string run_reading(const SweepPlan& plan, const SweepRun& run) {
  return canonical(reading_values(plan, run));
}

std::string run_key(const SweepPlan& plan, const SweepRun& run, const std::string& data) {
  OptionValues reading = reading_values(plan, run);
  Sorted order = Sorted::object();
  for (const OptionSpec& spec : source_option_specs()) {
    if (spec.group != "order") continue;
    order[spec.name] = reading[spec.name];
    reading.erase(spec.name);
  }
  const std::string learner = choose_learner(plan.learners[run.learner].learner, {}).info->name;
  const std::string text = canonical({{"data", Sorted::parse(data)},
                                      {"reading", reading},
                                      {"learner", learner},
                                      {"options", run.options},
                                      {"seed", run.seed},
                                      {"order", order}});
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string run_command(const SweepPlan& plan, const SweepRun& run) {
  const SweepLearner& learner = plan.learners[run.learner];
  const SweepData& data = plan.data[run.data];
  OptionValues given = data.options;
  if (run.order.shuffle) given["shuffle"] = fmt::format("{}", *run.order.shuffle);
  std::string out = "soba run " + shell_word(data.data);
  for (const OptionSpec& spec : source_option_specs()) {
    const auto value = given.find(spec.name);
    if (value == given.end()) continue;
    if (spec.kind != "flag") {
      out += fmt::format(" --{} {}", spec.name, shell_word(value->second));
    } else if (value->second == "true") {
      out += fmt::format(" --{}", spec.name);
    }
  }
  out += " --learner " + learner.learner;
  for (const auto& [option, text] : run.options) {
    if (learner.options.contains(option) || run.grid.contains(option)) {
      out += fmt::format(" --{} {}", option, shell_word(text));
    }
  }
  return out + fmt::format(" --seed {}", run.seed);
}

}  // namespace soba::lab
