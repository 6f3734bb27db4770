// The scale of the input against what the learner wants.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "soba/registry.h"
#include "soba/run.h"

namespace soba {

namespace {

constexpr std::size_t kExamples = 1000;  // to look at
constexpr double kPlainly = 1.1;         // times beyond a bound

}  // namespace

std::string scale_warning(const Model& model, const Block& first) {
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
