// The scale of the input against what the learner wants.

#include "sim/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "soba/registry.h"
#include "soba/run.h"

namespace soba {

namespace {

constexpr std::size_t kExamples = 1000;  // to look at
constexpr double kPlainly = 1.1;         // times beyond a bound

constexpr double kHuge = 0x1p26;  // its square is at the end of a double's digits beside a = 1

std::size_t largest_entry(const Block& block) {
  const auto smaller = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  return static_cast<std::size_t>(
      std::max_element(block.value.begin(), block.value.end(), smaller) - block.value.begin());
}

// Of learners that keep matrices, and do not scale by themselves.
std::string huge_warning(const Model& model, const Block& first) {
  const auto covariance = model.options.find("covariance");
  if (covariance == model.options.end() || covariance->second == "diagonal" ||
      first.value.empty() || std::fabs(first.value[largest_entry(first)]) <= kHuge) {
    return "";
  }
  return fmt::format(
      "{}; matrices lose their digits beyond {:.2g}: option scale with maxabs brings it down",
      largest_feature(model.schema, first), kHuge);
}

}  // namespace

std::string largest_feature(const Schema& schema, const Block& block) {
  if (block.value.empty()) return "there is no value";
  const std::size_t entry = largest_entry(block);
  const Index j = block.index[entry];
  const bool named = schema.named_features && j < schema.features.size();
  return fmt::format("feature {} has the value {:.3g}",
                     named ? fmt::format("'{}'", schema.features.name(j))
                           : std::to_string(schema.zero_based ? j : j + 1),
                     block.value[entry]);
}

std::string scale_warning(const Model& model, const Block& first) {
  if (const std::string warning = huge_warning(model, first); !warning.empty()) return warning;
  const LearnerInfo& info = *choose_learner(model.learner_name, model.options).info;
  const std::size_t count = std::min(first.size(), kExamples);
  if (info.norms == nullptr || count == 0) return "";
  const Norms norms = info.norms(model.options);
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += std::sqrt(squared_norm(first.features(i)));
  mean /= static_cast<double>(count);
  const bool long_ones = mean > norms.max * kPlainly;
  if (!long_ones && mean * kPlainly >= norms.min) return "";
  return fmt::format(
      "learner {} wants examples of length {} {:g}; these have {:.3g} on average{} ('soba "
      "algorithms {}' says why)",
      info.name, long_ones ? "at most" : "at least", long_ones ? norms.max : norms.min, mean,
      long_ones ? "; option normalize with l2 makes it 1" : "", info.name);
}

}  // namespace soba
