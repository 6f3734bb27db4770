// The learners by name: Soba's own, one line for each in src/learners/registry.cpp, and those that
// a caller adds.
//
//   Registry registry = Registry::builtin();
//   registry.add({.name = "mine", .make = [](Shape shape, const OptionValues&) -> AnyLearner {
//     return std::make_unique<Mine>(shape);
//   }});
//   Model model = new_model("mine", {}, {.classes = 3}, 1, registry);
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

// The norms ‖x‖ of its input that a learner is designed for.
struct Norms {
  double min = 0;
  double max = std::numeric_limits<double>::infinity();
};

// Which factors on its input change next to nothing of what a learner plays, at its defaults.
enum class ScaleFree {
  kNot,    // none: the scale of x matters
  kWhole,  // one on all of x changes no decision; a feature's own does
  // Any factor on any feature, and adding a constant to it, moves the error by less than a point.
  kEachFeature,
};

// Options with no choice left open, and why they are what they are (empty where nothing was open).
struct Settled {
  OptionValues options;
  std::string reason;
};

// Describes a learner. The text is plain, one paragraph a field; the command line,
// docs/algorithms.md and a program that lists the learners all show these. A caller's own learner
// needs a name and `make`; everything else may stay empty.
struct LearnerInfo {
  std::string name;
  std::string summary = {};  // 64 characters at most
  std::string group = {};    // where it stands in a list, such as "start here"
  // "full information" for a yardstick that is told the label.
  std::string feedback = "bandit";
  std::string explores = {};  // how it explores, and whether by itself
  std::string guarantee = {};
  std::string cost = {};   // time of a round and memory
  std::string input = {};  // the scale of x that it wants
  ScaleFree scale_free = ScaleFree::kNot;
  // The same, for a warning where a run with these options plainly violates it. Null: any length.
  std::function<Norms(const OptionValues&)> norms = {};
  std::string about = {};       // what it does
  std::string use = {};         // when to use it, and when not
  std::string alone = {};       // why it cannot be a member of a mixture; empty where it can
  std::string deviations = {};  // from the reference, and why
  std::string reference = {};
  std::vector<OptionSpec> options = {};
  // Every option with its value: the given ones checked, the others at their defaults. Null where
  // the learner has no options.
  std::function<OptionValues(const OptionValues&)> complete = {};
  // Puts what it stands for at this shape in the place of a value that leaves the choice to the
  // learner, such as covariance=auto. Null where there is no such value.
  std::function<Settled(Shape, const OptionValues&)> settle = {};
  std::function<AnyLearner(Shape, const OptionValues&)> make = {};
};

// A second name for a learner with some options set, such as `sobadiag`.
struct LearnerAlias {
  std::string name;
  std::string learner;
  OptionValues options;
};

// Null where the learner has no such option.
const OptionSpec* find_option(const LearnerInfo& info, std::string_view name);

// A learner's name and options, ready to be made; an alias is resolved into both.
struct LearnerChoice {
  const LearnerInfo* info;  // in the registry that it was chosen from
  OptionValues options;     // complete
  std::string reason;       // why settle() chose what it did; empty where it had no choice
};

// A list of learners and aliases; a value, so that a copy can be added to.
//
// Threads: const calls may run in parallel. A registry must outlive what was chosen from it, and
// add() invalidates that.
class Registry {
 public:
  // Soba's own learners.
  static const Registry& builtin();

  Registry() = default;  // without any

  // Throws Error{kUsage} where the name is empty or taken, by an alias too, or `make` is null.
  void add(LearnerInfo info);

  std::span<const LearnerInfo> learners() const { return learners_; }
  std::span<const LearnerAlias> aliases() const { return aliases_; }
  // Null where no learner has this name; aliases do not count.
  const LearnerInfo* find(std::string_view name) const;
  // Throws Error{kUsage} on an unknown name (with the nearest one) or bad options.
  LearnerChoice choose(std::string_view name, const OptionValues& options) const;

 private:
  std::vector<LearnerInfo> learners_;
  std::vector<LearnerAlias> aliases_;
};

// Shorthands for Registry::builtin().
std::span<const LearnerInfo> learners();
std::span<const LearnerAlias> learner_aliases();
LearnerChoice choose_learner(std::string_view name, const OptionValues& options);

// The same with no choice left open, for learners of this shape.
LearnerChoice settle(LearnerChoice choice, Shape shape);

// Complete options with the number of rounds to come filled in, where gamma=theory needs it and
// they leave it open.
OptionValues with_horizon(OptionValues options, std::int64_t rounds);

// Requires: a settled choice, shape.classes >= 2; throws Error{kUsage} otherwise.
AnyLearner make_learner(const LearnerChoice& choice, Shape shape);

}  // namespace soba
