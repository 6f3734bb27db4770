// The choice of a learner: --learner, and one flag for each option that any learner has, taken from
// the learners' own tables. The values go through as text; the learner's table checks them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "soba/model.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba::cli {

struct LearnerOptions {
  std::optional<std::string> name;
  OptionValues given;
};

void add_learner_options(CLI::App& command, LearnerOptions& options);

// Throws Error{kUsage} when no learner is named, or the named one does not have a given option.
void check_learner_options(const LearnerOptions& options);

// load_model(), with a word on what came from the journal.
Model open_model(const std::string& path);
// Throws Error{kUsage} where --learner, --seed or an option contradicts a loaded model.
void check_against_model(const LearnerOptions& options, const std::optional<std::string>& seed,
                         const Model& model);

}  // namespace soba::cli
