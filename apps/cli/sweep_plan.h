// The plan of a sweep as people write it: arguments of the command line, or a small JSON file
// (docs/formats.md).
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data_options.h"
#include "output.h"
#include "soba/sweep.h"

namespace soba::cli {

// A plan, and the words that it was written with.
struct WrittenPlan {
  SweepPlan plan;
  std::vector<OptionValues> data_options;  // given for each data set
};

struct PlanArguments {
  std::vector<std::string> data, learners, grid;
  OptionValues data_options;
  std::optional<std::string> seeds, file;
};
void add_plan_arguments(CLI::App& command, PlanArguments& arguments);

// Throws Error{kUsage}, or Error{kInput} where the file cannot be read.
WrittenPlan plan_of(const PlanArguments& arguments);
// The text of a plan file; `name` is what messages call it.
WrittenPlan parse_plan(std::string_view text, const std::string& name);
// One data set from now on read from somewhere else, if the plan has it.
void set_data(WrittenPlan& written, const std::string& name, const std::string& data);
// At most so many examples of every data set.
void limit_data(WrittenPlan& written, const std::string& limit);
void drop_data(WrittenPlan& written, const std::string& name);

// The command that plays one run alone, with the same result.
std::string run_command(const WrittenPlan& written, const SweepRun& run);

}  // namespace soba::cli
