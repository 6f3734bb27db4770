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
#include "learners/squarecb.h"
#include "soba/error.h"

namespace soba {

namespace {

std::vector<LearnerInfo> all_learners() {
  return {
      auto_info(),
      soba_info(),
      banditron_info(),
      banditron_eg_info(),
      newtron_info(),
      pnewtron_info(),
      confidit_info(),
      expconcave_info(),
      bandit_arow_info(),
      bpa_info(),
      squarecb_info(),
      gaptron_info(),
      rdue_info(),
      ova_perceptron_info(),
      ova_logistic_info(),
      epoch_greedy_info(),
      exp4_info(),
      perceptron_info(),
      second_order_perceptron_info(),
      passive_aggressive_info(),
      arow_info(),
  };
}

}  // namespace

std::span<const LearnerInfo> learners() {
  static const std::vector<LearnerInfo> list = all_learners();
  return list;
}

std::span<const LearnerAlias> learner_aliases() {
  static const std::vector<LearnerAlias> list = {
      {"sobadiag", "soba", {{"covariance", "diagonal"}}},
      {"soba-block", "soba", {{"covariance", "block"}}},
      {"bandit-arow-full", "bandit-arow", {{"covariance", "full"}}},
      {"squarecb-full", "squarecb", {{"covariance", "full"}}},
  };
  return list;
}

const OptionSpec* find_option(const LearnerInfo& info, std::string_view name) {
  for (const OptionSpec& spec : info.options) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

LearnerChoice choose_learner(std::string_view name, const OptionValues& options) {
  std::string wanted(name);
  OptionValues given = options;
  for (const LearnerAlias& alias : learner_aliases()) {
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
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners()) {
    if (info.name == wanted) return {&info, info.complete(given), ""};
    names.push_back(info.name);
  }
  for (const LearnerAlias& alias : learner_aliases()) names.push_back(alias.name);
  const std::string near = nearest(name, names);
  throw Error(ErrorKind::kUsage,
              fmt::format("no learner is called '{}'; {}", name,
                          near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                       : fmt::format("did you mean '{}'?", near)));
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
  const auto gamma = options.find("gamma"), horizon = options.find("horizon");
  if (gamma != options.end() && horizon != options.end() && gamma->second == "theory" &&
      horizon->second == "0") {
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
