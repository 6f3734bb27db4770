// The choice of a learner: --learner, and one flag for each option that any learner has, taken from
// the learners' own tables. The values go through as text; the learner's table checks them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "output.h"
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

// The learner that a name means, and what an alias sets; null info for an unknown name, with the
// error left to choose_learner.
struct NamedLearner {
  const LearnerInfo* info = nullptr;
  OptionValues preset;
};
NamedLearner find_learner(std::string_view name);

// The text of one option before any learner is made: given, preset by an alias, or the default;
// empty when the learner has no such option.
std::string option_text(const LearnerOptions& options, const std::string& option);

// Throws Error{kUsage} where --learner or an option contradicts a loaded model.
void check_against_model(const LearnerOptions& options, const Model& model);

// Options as JSON: numbers where the learner's table says so, words elsewhere.
Json options_json(const std::string& learner, const OptionValues& values);
// "gamma 0.05, covariance exact".
std::string options_text(const OptionValues& values);

}  // namespace soba::cli
