// The policies of question 1: how each would have played the decisions of a log.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluate/decision_reader.h"
#include "soba/data.h"
#include "soba/explore.h"
#include "soba/model.h"

namespace soba {

// A decision of a log with its labels as numbers.
struct Case {
  const LogRow& row;
  const DecisionReader& log;  // for messages
  Label label;
  std::span<const Label> allowed;  // ascending; empty: all
  const NameMap& labels;
};

// Threads: as a std::vector.
class Policy {
 public:
  virtual ~Policy() = default;
  // π of the label that was played. With `all` not empty (a number for each label), also of every
  // label. Throws Error{kInput} with the place where the row does not say what the policy plays.
  virtual double play(const Case& now, std::span<double> all) = 0;
  // Whether play() can fill `all`.
  virtual bool whole() const { return true; }

  std::string name;
};

std::unique_ptr<Policy> named_policy(const std::string& name,
                                     std::size_t place);  // in row.policies
std::unique_ptr<Policy> greedy_policy();
std::unique_ptr<Policy> constant_policy(const std::string& label);
std::unique_ptr<Policy> uniform_policy();
// As the model of a file plays, or would without exploring. Nothing is learnt.
std::unique_ptr<Policy> model_policy(const std::string& path, bool greedy);

// The distribution with which a learner plays one of the allowed labels, and the best of them:
// its own where all are allowed, else that over the scores of those.
class Play {
 public:
  explicit Play(const Predictor& learner);
  // Both valid until the next call. Requires: the same learner, of the same classes.
  std::span<const double> distribution(const Predictor& learner, const Features& x,
                                       std::int64_t round, std::span<const Label> allowed);
  Label greedy() const { return greedy_; }
  std::span<const double> scores() const { return std::span(out_).first(p_.size()); }
  std::span<const double> workings() const { return std::span(out_).subspan(p_.size()); }

 private:
  std::vector<double> out_, p_, part_, part_p_;
  Label greedy_ = 0;
};

}  // namespace soba
