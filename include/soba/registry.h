// The learners by name. The list is explicit: one line for each in src/learners/registry.cpp.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "soba/learner.h"
#include "soba/options.h"

namespace soba {

// The lengths ‖x‖ of its input that a learner is at ease with.
struct Norms {
  double min = 0;
  double max = std::numeric_limits<double>::infinity();
};

// Options with no choice left open, and why they are what they are (empty where nothing was open).
struct Settled {
  OptionValues options;
  std::string reason;
};

// What there is to say about a learner. The text is plain, one paragraph a field; the command line,
// docs/algorithms.md and a program that lists the learners all show these.
struct LearnerInfo {
  std::string name;
  std::string summary;   // one line
  std::string feedback;  // "bandit", or "full information" for a yardstick that is told the label
  std::string explores;  // how it explores, and whether by itself
  std::string guarantee;
  std::string cost;   // time of a round and memory
  std::string input;  // the scale of x that it wants
  // The same, for a warning where a run with these options plainly violates it. Null: any length.
  std::function<Norms(const OptionValues&)> norms;
  std::string about;       // what it does
  std::string use;         // when to use it, and when not
  std::string alone;       // why it cannot be a member of a mixture; empty where it can
  std::string deviations;  // from the reference, and why
  std::string reference;
  std::vector<OptionSpec> options;
  // Every option with its value: the given ones checked, the others at their defaults.
  std::function<OptionValues(const OptionValues&)> complete;
  // Puts what it stands for at this shape in the place of a value that leaves the choice to the
  // learner, such as covariance=auto. Null where there is no such value.
  std::function<Settled(Shape, const OptionValues&)> settle;
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

// Null where the learner has no such option.
const OptionSpec* find_option(const LearnerInfo& info, std::string_view name);

// A learner's name and options, ready to be made; an alias is resolved into both.
struct LearnerChoice {
  const LearnerInfo* info;
  OptionValues options;  // complete
  std::string reason;    // why settle() chose what it did; empty where it had no choice
};

// Throws Error{kUsage} on an unknown name (with the nearest one) or bad options.
LearnerChoice choose_learner(std::string_view name, const OptionValues& options);

// The same with no choice left open, for learners of this shape.
LearnerChoice settle(LearnerChoice choice, Shape shape);

// Complete options with the number of rounds to come filled in, where gamma=theory needs it and they
// leave it open.
OptionValues with_horizon(OptionValues options, std::int64_t rounds);

// Requires: a settled choice, shape.classes >= 2; throws Error{kUsage} otherwise.
AnyLearner make_learner(const LearnerChoice& choice, Shape shape);

}  // namespace soba
