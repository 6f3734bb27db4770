// The plan of a sweep: every data set is played by every learner, at every point of its grid, with
// every seed. Plans come from a small JSON file (docs/formats.md) or are filled in by a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soba/data.h"
#include "soba/options.h"

namespace soba::lab {

// One option of a learner and the values it takes.
struct Axis {
  std::string option;
  std::vector<std::string> values;
};

struct SweepData {
  std::string name;      // what tables and charts call it
  std::string data;      // a path or a generator
  OptionValues options;  // how it is read, as in source_option_specs(); the rest has its defaults
};

struct SweepLearner {
  std::string name;     // what tables and charts call it
  std::string learner;  // as in the registry, or an alias
  OptionValues options;
  std::vector<Axis> axes;
  std::vector<std::string> data = {};  // the names of the data sets it plays; none = all
};

struct SweepPlan {
  std::vector<SweepData> data;
  std::vector<SweepLearner> learners;
  std::vector<std::uint64_t> seeds;
};

// The text of a plan file; `name` is what messages call it. Throws Error{kUsage}, or Error{kInput}
// where it is not JSON.
SweepPlan parse_plan(std::string_view text, const std::string& name);
// The same from a file. Throws Error{kInput} where it cannot be read.
SweepPlan read_plan(const std::string& path);

// The values of a list such as "0.1,1,10", "2^-14..2^-1" (powers, the exponent in steps of one),
// "1..10" (whole numbers) or a mixture. Throws Error{kUsage} naming `option`.
std::vector<std::string> parse_values(std::string_view option, std::string_view text);
// The same as seeds: whole numbers from 0.
std::vector<std::uint64_t> parse_seeds(std::string_view option,
                                       const std::vector<std::string>& values);
// "soba:explore=gap,a=2": a learner, with options that stay fixed.
SweepLearner parse_learner(const std::string& text);
// "gamma=2^-14..2^-1" for the learners that have this option, which at least one must. Throws
// Error{kUsage}.
void add_axis(const std::string& text, std::vector<SweepLearner>& learners);

// Data sets read with the same options, learners as parse_learner() takes them, and axes as
// add_axis() does. Throws Error{kUsage}.
SweepPlan make_plan(const std::vector<std::string>& data, const OptionValues& reading,
                    const std::vector<std::string>& learners, const std::vector<std::string>& grid,
                    std::vector<std::uint64_t> seeds);

// Takes a data set out of the plan, and with it the learners that play nothing else.
void drop_data(SweepPlan& plan, const std::string& name);
// Gives a data set another name.
void rename_data(SweepPlan& plan, const std::string& name, const std::string& better);

struct SweepRun {
  std::size_t data;      // of the plan
  std::size_t learner;   // of the plan
  OptionValues grid;     // the point of its grid, as the learner writes these values
  OptionValues options;  // complete, but for choices that are left until the data is there
  std::uint64_t seed;    // of the exploration, and of a generator that names none
  Order order;           // of the examples; the shuffle moves on with the seeds, from its own value
};

// Every run of a plan: data sets, then seeds, then learners, then grid points. Throws Error{kUsage}
// where a learner, an option or a value does not exist, or a run is a duplicate.
std::vector<SweepRun> list_runs(const SweepPlan& plan);

// The command that plays one run alone, with the same result.
std::string run_command(const SweepPlan& plan, const SweepRun& run);

}  // namespace soba::lab
