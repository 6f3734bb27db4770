// The learners by name. The list is explicit: one line for each in src/learners/registry.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "soba/learner.h"
#include "soba/options.h"

namespace soba {

struct LearnerInfo {
  std::string name;
  std::string summary;    // one line
  std::string feedback;   // "bandit", or "full information" for a yardstick that is told the label
  std::string guarantee;  // what is proved, in one line
  std::string cost;       // time of a round and memory
  std::string reference;
  std::vector<OptionSpec> options;
  // Every option with its value: the given ones checked, the others at their defaults.
  std::function<OptionValues(const OptionValues&)> complete;
  std::function<AnyLearner(Shape, const OptionValues&)> make;
};

// A second name for a learner with some options set, such as `sobadiag`.
struct LearnerAlias {
  std::string name;
  std::string learner;
  OptionValues options;
};

std::span<const LearnerInfo> learners();
std::span<const LearnerAlias> learner_aliases();

// A learner's name and options, ready to be made; an alias is resolved into both.
struct LearnerChoice {
  const LearnerInfo* info;
  OptionValues options;  // complete
};

// Throws Error{kUsage} on an unknown name (with the nearest one) or bad options.
LearnerChoice choose_learner(std::string_view name, const OptionValues& options);

// Requires: shape.classes >= 2; throws Error{kUsage} otherwise.
AnyLearner make_learner(const LearnerChoice& choice, Shape shape);

}  // namespace soba
