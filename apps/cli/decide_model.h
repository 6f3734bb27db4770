// What `soba decide` is asked for, and the model that it decides with.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "learner_options.h"
#include "soba/model.h"

namespace soba::cli {

struct DecideSettings {
  LearnerOptions learner;
  OptionValues data_options;
  std::string data;  // empty: events on standard input
  std::optional<std::string> seed, model, load, save, save_every, durability, unknown, log;
  std::optional<std::string> expire_after, expire_decisions, expired, explain;
  bool acknowledge = false, forget = false, quiet = false;
};

void add_model_options(CLI::App& command, DecideSettings& settings);
void add_new_model_options(CLI::App& command, DecideSettings& settings);

Model fresh_model(const DecideSettings& settings);
// Throws Error{kUsage} where the settings contradict the model.
Model loaded_model(const DecideSettings& settings, const std::string& path);

}  // namespace soba::cli
