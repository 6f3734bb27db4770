// q̂(x, a): a ridge regression for each label of whether it was right, on the rounds so far.
#pragma once

#include <algorithm>
#include <vector>

#include "covariance/class_adaptive.h"
#include "evaluate/named_x.h"

namespace soba {

class RewardModel {
 public:
  explicit RewardModel(Label classes)
      : schema_(with_bias()),
        x_(schema_),
        regressions_({.classes = classes, .features = 0}, 1, kMostFeatures, kMemory),
        scores_(static_cast<std::size_t>(classes)),
        values_(scores_.size()) {}

  // Of the row, from the rounds before; valid until the next call.
  std::span<const double> predict(const LogRow& row, const DecisionReader& log) {
    now_ = x_.read(row, log);
    regressions_.scores(now_, scores_);
    for (std::size_t a = 0; a < scores_.size(); ++a) values_[a] = std::clamp(scores_[a], 0.0, 1.0);
    return values_;
  }
  // The answer to the row that was predicted last.
  void learn(Label played, bool correct) {
    regressions_.reserve(now_);
    regress(regressions_, played, now_, scores_[static_cast<std::size_t>(played)], correct ? 1 : 0,
            1);
  }

 private:
  static constexpr Index kMostFeatures = 256;  // with full matrices
  static constexpr double kMemory = double{1 << 28};

  static Schema with_bias() {
    Schema schema = named_schema({});
    schema.bias = true;
    return schema;
  }

  Schema schema_;
  NamedX x_;
  AdaptiveClasses regressions_;
  std::vector<double> scores_, values_;
  Features now_;
};

}  // namespace soba
