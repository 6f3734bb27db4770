#include "soba/registry.h"

#include <fmt/format.h>

#include "learners/arow.h"
#include "learners/auto.h"
#include "learners/bandit_arow.h"
#include "learners/banditron.h"
#include "learners/banditron_eg.h"
#include "learners/bpa.h"
#include "learners/confidit.h"
#include "learners/epoch_greedy.h"
#include "learners/exp4.h"
#include "learners/expconcave.h"
#include "learners/gaptron.h"
#include "learners/newtron.h"
#include "learners/ova_logistic.h"
#include "learners/ova_perceptron.h"
#include "learners/passive_aggressive.h"
#include "learners/perceptron.h"
#include "learners/rdue.h"
#include "learners/second_order_perceptron.h"
#include "learners/soba.h"
#include "learners/soba_ovr.h"
#include "learners/squarecb.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

std::vector<LearnerInfo> all_learners() {
  std::vector<LearnerInfo> all;
  const auto add = [&](std::string_view group, std::vector<LearnerInfo> infos) {
    for (LearnerInfo& info : infos) {
      info.group = group;
      all.push_back(std::move(info));
    }
  };
  add("start here", {auto_info(), soba_ovr_info(), bandit_arow_info()});
  add("with a guarantee",
      {gaptron_info(), rdue_info(), confidit_info(), squarecb_info(), exp4_info()});
  add("from the paper", {soba_info(), expconcave_info(), banditron_info(), pnewtron_info()});
  add("baselines with full information",
      {perceptron_info(), second_order_perceptron_info(), passive_aggressive_info(), arow_info()});
  add("for study", {newtron_info(), banditron_eg_info(), bpa_info(), ova_perceptron_info(),
                    ova_logistic_info(), epoch_greedy_info()});
  return all;
}

std::vector<LearnerAlias> all_aliases() {
  return {
      {"sobadiag", "soba", {{"covariance", "diagonal"}}},
      {"soba-block", "soba", {{"covariance", "block"}}},
      {"soba-adaptive", "soba", {{"covariance", "adaptive"}}},
      {"bandit-arow-full", "bandit-arow", {{"covariance", "full"}}},
      {"bandit-arow-adaptive", "bandit-arow", {{"covariance", "adaptive"}}},
      {"squarecb-full", "squarecb", {{"covariance", "full"}}},
      {"squarecb-adaptive", "squarecb", {{"covariance", "adaptive"}}},
  };
}

OptionValues complete(const LearnerInfo& info, const OptionValues& given) {
  if (info.complete != nullptr) return info.complete(given);
  if (given.empty()) return {};
  throw Error(ErrorKind::kUsage, fmt::format("learner '{}' has no options, so no '{}'", info.name,
                                             given.begin()->first));
}

// Whether a rule of these options, such as gamma=theory, needs the number of rounds.
bool needs_horizon(const OptionValues& options) {
  const auto is = [&](const char* name, std::string_view word) {
    const auto found = options.find(name);
    return found != options.end() && found->second == word;
  };
  return is("gamma", "theory") || is("gamma", "theory-hinge") || is("a", "theory-hinge");
}

}  // namespace

const OptionSpec* find_option(const LearnerInfo& info, std::string_view name) {
  for (const OptionSpec& spec : info.options) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

const Registry& Registry::builtin() {
  static const Registry registry = [] {
    Registry all;
    all.learners_ = all_learners();
    all.aliases_ = all_aliases();
    return all;
  }();
  return registry;
}

void Registry::add(LearnerInfo info) {
  if (info.name.empty()) throw Error(ErrorKind::kUsage, "a learner must have a name");
  if (info.make == nullptr) {
    throw Error(ErrorKind::kUsage, fmt::format("learner '{}' has no `make`", info.name));
  }
  bool taken = find(info.name) != nullptr;
  for (const LearnerAlias& alias : aliases_) taken = taken || alias.name == info.name;
  if (taken) {
    throw Error(ErrorKind::kUsage, fmt::format("a learner is called '{}' already", info.name));
  }
  learners_.push_back(std::move(info));
}

const LearnerInfo* Registry::find(std::string_view name) const {
  for (const LearnerInfo& info : learners_) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

LearnerChoice Registry::choose(std::string_view name, const OptionValues& options) const {
  std::string wanted(name);
  OptionValues given = options;
  for (const LearnerAlias& alias : aliases_) {
    if (alias.name != name) continue;
    wanted = alias.learner;
    for (const auto& [option, value] : alias.options) {
      const auto [entry, added] = given.emplace(option, value);
      if (added || entry->second == value) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("learner '{}' is '{}' with {}={}; '{}' contradicts it", name,
                              alias.learner, option, value, entry->second));
    }
  }
  if (const LearnerInfo* info = find(wanted)) return {info, complete(*info, given), ""};
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners_) names.push_back(info.name);
  for (const LearnerAlias& alias : aliases_) names.push_back(alias.name);
  const std::string near = nearest(name, names);
  throw Error(ErrorKind::kUsage,
              fmt::format("no learner is called '{}'; {}", name,
                          near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                       : fmt::format("did you mean '{}'?", near)));
}

std::span<const LearnerInfo> learners() { return Registry::builtin().learners(); }
std::span<const LearnerAlias> learner_aliases() { return Registry::builtin().aliases(); }
LearnerChoice choose_learner(std::string_view name, const OptionValues& options) {
  return Registry::builtin().choose(name, options);
}

LearnerChoice settle(LearnerChoice choice, Shape shape) {
  if (choice.info->settle != nullptr) {
    Settled settled = choice.info->settle(shape, choice.options);
    choice.options = std::move(settled.options);
    choice.reason = std::move(settled.reason);
  }
  return choice;
}

OptionValues with_horizon(OptionValues options, std::int64_t rounds) {
  const auto horizon = options.find("horizon");
  if (horizon != options.end() && horizon->second == "0" && needs_horizon(options)) {
    horizon->second = to_text(rounds);
  }
  return options;
}

AnyLearner make_learner(const LearnerChoice& choice, Shape shape) {
  if (shape.features < 0 || shape.features > kMaxFeatures + 1) {
    throw Error(ErrorKind::kUsage, fmt::format("a learner holds 0 to {} features, not {}",
                                               kMaxFeatures + 1, shape.features));
  }
  if (shape.classes < 2 || shape.classes > kMaxClasses) {
    throw Error(ErrorKind::kUsage,
                fmt::format("a learner needs 2 to {} labels, not {}", kMaxClasses, shape.classes));
  }
  return choice.info->make(shape, choice.options);
}

}  // namespace soba
