// What a model has learnt, and why it decides as it does, where its scores are linear in x (as the
// learner sees x: scaled, normalised). For a mixture, of the member that weighs most.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "soba/model.h"

namespace soba {
struct NamedWeight {
  std::string feature;
  double weight;  // not 0
};
struct LabelWeights {
  std::string label;
  double constant;                    // the score of an x without features
  std::vector<NamedWeight> features;  // the largest in magnitude first
};
struct Weights {
  std::string member;  // of a mixture; empty for any other learner
  std::vector<LabelWeights> labels;
};
// At most so many features for each label. Throws Error{kUsage} where the scores are not linear.
Weights weights(const Model& model, std::size_t most);
struct Contribution {
  std::string feature;
  double value;   // in x
  double amount;  // to the lead: value·(weight for the winner − weight for the runner-up)
};
struct Explanation {
  std::string member;     // as in Weights
  std::string label;      // with the highest score
  std::string over;       // the runner-up; empty where one label alone is allowed
  double lead;            // the difference of their scores; the sum of what follows
  double constant, rest;  // what is the same for every x; and what features not shown add
  std::vector<Contribution> features;  // the largest in magnitude first
};
// What decided about x among the labels allowed, by so many features. Throws as weights().
Explanation explain(const Model& model, const Features& x, std::size_t most,
                    std::span<const Label> allowed = {});
// As one JSON object (docs/formats.md).
std::string weights_json(const Weights& weights);
std::string explanation_json(const Explanation& explanation);

}  // namespace soba
