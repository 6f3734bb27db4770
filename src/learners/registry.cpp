#include "soba/registry.h"

#include <fmt/format.h>

#include "learners/banditron.h"
#include "learners/perceptron.h"
#include "learners/soba.h"
#include "soba/error.h"

namespace soba {

namespace {

// Ties a learner's options table and its constructor into the functions of a LearnerInfo.
template <class Options, class Make>
LearnerInfo with_options(LearnerInfo info, std::span<const Field<Options>> fields, Make make) {
  info.options = describe(fields);
  info.complete = [fields](const OptionValues& values) {
    return option_values(fields, parse_options(fields, values));
  };
  info.make = [fields, make](Shape shape, const OptionValues& values) -> AnyLearner {
    return make(shape, parse_options(fields, values));
  };
  return info;
}

template <class Make>
LearnerInfo without_options(LearnerInfo info, Make make) {
  info.complete = [name = info.name](const OptionValues& values) -> OptionValues {
    if (values.empty()) return {};
    throw Error(ErrorKind::kUsage, fmt::format("learner '{}' has no options, so no '{}'", name,
                                               values.begin()->first));
  };
  info.make = [make](Shape shape, const OptionValues&) -> AnyLearner { return make(shape); };
  return info;
}

std::vector<LearnerInfo> all_learners() {
  std::vector<LearnerInfo> list;
  list.push_back(with_options(
      {.name = "soba",
       .summary = "Second Order Banditron: online ridge regression of every pairwise margin",
       .feedback = "bandit",
       .guarantee = "adversarial: mistakes <= L_eta(U) + O(k/eta sqrt(d T ln T)), any competitor U",
       .cost = "exact O(k nnz), rarely O(U^2) or O((kd)^2); diagonal O(k nnz); memory see 'memory'",
       .reference = "Beygelzimer, Orabona, Zhang, ICML 2017, Algorithm 1 and Appendix A",
       .options = {},
       .complete = {},
       .make = {}},
      soba_fields(), make_soba));
  list.push_back(with_options(
      {.name = "banditron",
       .summary = "Perceptron with an importance-weighted guess of the label: first order",
       .feedback = "bandit",
       .guarantee = "adversarial: O(T^(2/3)) beyond the hinge loss; O(sqrt T) if separable",
       .cost = "O(k nnz), memory kd",
       .reference = "Kakade, Shalev-Shwartz, Tewari, ICML 2008",
       .options = {},
       .complete = {},
       .make = {}},
      banditron_fields(), make_banditron));
  list.push_back(without_options(
      {.name = "perceptron",
       .summary = "multiclass Perceptron, told every label: a yardstick, not a competitor",
       .feedback = "full information",
       .guarantee = "adversarial: O(sqrt L) beyond the hinge loss L of any competitor",
       .cost = "O(k nnz), memory kd",
       .reference = "Duda, Hart, 1973; bound in the SOBA paper, Section 3",
       .options = {},
       .complete = {},
       .make = {}},
      make_perceptron));
  return list;
}

}  // namespace

std::span<const LearnerInfo> learners() {
  static const std::vector<LearnerInfo> list = all_learners();
  return list;
}

std::span<const LearnerAlias> learner_aliases() {
  static const std::vector<LearnerAlias> list = {
      {"sobadiag", "soba", {{"covariance", "diagonal"}}},
  };
  return list;
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
    if (info.name == wanted) return {&info, info.complete(given)};
    names.push_back(info.name);
  }
  for (const LearnerAlias& alias : learner_aliases()) names.push_back(alias.name);
  const std::string near = nearest(name, names);
  throw Error(ErrorKind::kUsage,
              fmt::format("no learner is called '{}'; {}", name,
                          near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                       : fmt::format("did you mean '{}'?", near)));
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
