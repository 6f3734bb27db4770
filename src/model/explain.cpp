#include "soba/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "soba/error.h"
#include "soba/explore.h"

namespace soba {

namespace {

[[noreturn]] void refuse(const Model& model) {
  throw Error(ErrorKind::kUsage,
              fmt::format("the scores of learner '{}' are not linear in the features, so that they "
                          "cannot be told apart",
                          model.learner_name));
}

// The linear scores of a model, for one feature at a time.
class Linear {
 public:
  explicit Linear(const Model& model)
      : model_(model),
        constant_(static_cast<std::size_t>(predictor(model.learner).shape().classes)),
        scores_(constant_.size()) {
    member_ = predictor(model.learner).linear_scores({}, constant_);
  }

  const std::string& member() const { return member_; }
  std::span<const double> constant() const { return constant_; }
  // Without the constant; valid until the next call.
  std::span<const double> part(Index feature, double value) {
    const std::span<const Index> index(&feature, 1);
    predictor(model_.learner).linear_scores({index, {&value, 1}}, scores_);
    for (std::size_t i = 0; i < scores_.size(); ++i) scores_[i] -= constant_[i];
    return scores_;
  }
  std::string label(std::size_t i) const {
    const auto label = static_cast<Label>(i);
    const NameMap& names = model_.schema.labels;
    return label < names.size() ? names.name(label) : std::to_string(label);
  }
  std::string feature(Index j) const {
    const Schema& schema = model_.schema;
    const Index raw = schema.bias ? j - 1 : j;
    if (schema.named_features && raw >= schema.features.size()) return std::to_string(j);
    return schema.feature_name(j);
  }

 private:
  const Model& model_;
  std::string member_;
  std::vector<double> constant_, scores_;
};

// Equal but for rounding, of numbers of this size; weights may be floats.
bool near(double a, double b, double size) { return std::fabs(a - b) <= 1e-5 * size; }

// Cuts the list to the `most` entries of the largest size.
template <class T, class Size>
void keep_largest(std::vector<T>& list, std::size_t most, Size&& size) {
  const auto larger = [&](const T& a, const T& b) { return size(a) > size(b); };
  std::stable_sort(list.begin(), list.end(), larger);
  if (list.size() > most) list.resize(most);
}

}  // namespace

Weights weights(const Model& model, std::size_t most) {
  Linear linear(model);
  Weights out{linear.member(), {}};
  const std::size_t k = linear.constant().size();
  struct Entry {
    Index feature;
    double weight;
  };
  std::vector<std::vector<Entry>> largest(k);
  const auto size = [](const Entry& entry) { return std::fabs(entry.weight); };
  for (Index j = 0; j < predictor(model.learner).shape().features; ++j) {
    const std::span<const double> two = linear.part(j, 2);
    const std::vector<double> twice(two.begin(), two.end());
    const std::span<const double> one = linear.part(j, 1);
    for (std::size_t i = 0; i < k; ++i) {
      if (!near(twice[i], 2 * one[i], std::fabs(one[i]))) refuse(model);
      if (one[i] == 0 || most == 0) continue;
      largest[i].push_back({j, one[i]});
      if (largest[i].size() >= 2 * most + 64) keep_largest(largest[i], most, size);
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    keep_largest(largest[i], most, size);
    LabelWeights& label =
        out.labels.emplace_back(LabelWeights{linear.label(i), linear.constant()[i], {}});
    for (const Entry& entry : largest[i]) {
      label.features.push_back({linear.feature(entry.feature), entry.weight});
    }
  }
  return out;
}

Explanation explain(const Model& model, const Features& x, std::size_t most,
                    std::span<const Label> allowed) {
  Linear linear(model);
  std::vector<double> scores(linear.constant().size());
  predictor(model.learner).linear_scores(x, scores);
  const std::vector<Label> in_use = allowed.empty() ? allowed_labels(model) : std::vector<Label>{};
  if (allowed.empty()) allowed = in_use;
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; !allowed.empty() && i < scores.size(); ++i) {
    const bool mine = std::binary_search(allowed.begin(), allowed.end(), static_cast<Label>(i));
    if (!mine) scores[i] = kNever;
  }
  const auto winner = static_cast<std::size_t>(argmax(scores));
  const auto second = static_cast<std::size_t>(argmax_except(scores, static_cast<Label>(winner)));
  Explanation out{linear.member(), linear.label(winner), "", 0, 0, 0, {}};
  if (scores[second] == kNever) return out;
  out.over = linear.label(second);
  out.lead = scores[winner] - scores[second];
  out.constant = linear.constant()[winner] - linear.constant()[second];
  double sum = out.constant, size = std::fabs(scores[winner]) + std::fabs(scores[second]);
  struct Part {
    Index feature;
    double value, amount;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x.value[i] == 0) continue;
    const std::span<const double> part = linear.part(x.feature(i), x.value[i]);
    const double amount = part[winner] - part[second];
    sum += amount;
    size += std::fabs(part[winner]) + std::fabs(part[second]);
    if (amount != 0) parts.push_back({x.feature(i), x.value[i], amount});
  }
  if (!near(sum, out.lead, size)) refuse(model);
  keep_largest(parts, most, [](const Part& part) { return std::fabs(part.amount); });
  out.rest = out.lead - out.constant;
  for (const Part& part : parts) {
    out.rest -= part.amount;
    out.features.push_back({linear.feature(part.feature), part.value, part.amount});
  }
  return out;
}

}  // namespace soba
