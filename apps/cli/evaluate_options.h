// The flags of `soba evaluate`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data_options.h"

namespace soba::cli {

struct EvaluateSettings {
  std::vector<std::string> logs, named, models, constants, learners;
  std::optional<std::string> format, label_column, probability_column, reward_column, no_answer, as;
  std::optional<std::string> save, html, replay, seed;
  std::optional<double> confidence, clip, limit, max_weight;
  OptionValues data_options;
  bool greedy = false, uniform = false, best_constant = false, relaxed = false, no_dr = false;
  bool json = false;
};

void add_evaluate_options(CLI::App& command, EvaluateSettings& settings);

}  // namespace soba::cli
