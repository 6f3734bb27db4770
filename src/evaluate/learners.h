// Questions 2 and 3: a learner against the decisions of a log.
#pragma once

#include <array>
#include <string>

#include "evaluate/column.h"
#include "evaluate/named_x.h"
#include "evaluate/policies.h"
#include "soba/model.h"
#include "soba/rng.h"

namespace soba {

// A learner with nothing learnt, for the labels of a log.
class LogLearner {
 public:
  // Throws Error{kUsage} for an unknown learner, bad options, or one that must be told the label.
  LogLearner(const PolicyChoice& choice, const NameMap& labels, std::uint64_t seed);

  const Model& model() const { return model_; }

 protected:
  // How it would play the row. Requires: not moved since it was made.
  std::span<const double> look(const Case& now);
  // The answer to that row, for the label that was played with probability p.
  void learn(const Case& now, double p, bool correct);

  Model model_;
  NamedX x_;
  Play play_;
  Features features_;
};

// What the learner would have earned had it been deciding: a decision is accepted with probability
// c·ν(a)/p, ν the learner's own probability, and only then learnt from; so what is accepted is
// distributed as the learner's own history (Li, Chu, Langford, Wang, WSDM 2011; Dudík, Erhan,
// Langford, Li, UAI 2012). c is the smallest p of the log. Relaxed: c is the 5 % quantile of p/ν so
// far, acceptance is cut at 1, and the value is estimated by weights ν/p on all decisions.
class OnlineLearner : public LogLearner {
 public:
  OnlineLearner(const PolicyChoice& choice, const NameMap& labels, std::uint64_t seed,
                double least);

  void take(const Case& now, bool correct);
  std::int64_t accepted() const { return model_.tally.rounds; }
  const Column& column() const { return column_; }

 private:
  static constexpr int kBins = 1024, kBinsEach = 16;  // bins of log2(p/ν) for each power of two
  static constexpr std::int64_t kFirst = 100;         // rows before c is a quantile
  void relax(double ratio);

  bool relaxed_;
  double c_;
  Rng rng_;
  std::int64_t rows_ = 0;
  std::array<std::int64_t, kBins> ratios_{};
  Column column_;
};

// How good a policy the log can teach: the learner learns from every decision in turn, and its
// greedy label just before is the policy that is valued.
class TrainedLearner : public LogLearner, public Policy {
 public:
  using LogLearner::LogLearner;
  double play(const Case& now, std::span<double> all) override;
  // Requires: play() was of the same row.
  void take(const Case& now, bool correct) { learn(now, now.row.probability, correct); }
};

}  // namespace soba
