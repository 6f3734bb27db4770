// Rounds played by hand: for the tests of learners.
#pragma once

#include <vector>

#include "soba/learner.h"

namespace soba::testing {

inline std::vector<double> scores_of(const Predictor& learner, const Features& x) {
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings());
  learner.scores(x, out);
  out.resize(k);
  return out;
}

// How the learner wants round number `round` to be played, with these scores.
inline Exploration exploration_of(const Predictor& learner, std::int64_t round,
                                  std::span<const double> scores) {
  return learner.exploration({round, scores, argmax(scores)});
}

// Tells the learner that `played`, drawn with probability p, was right or wrong for x.
inline Learned answer(Learner& learner, const Features& x, Label played, double p, bool correct) {
  const auto k = static_cast<std::size_t>(learner.shape().classes);
  std::vector<double> out(k + learner.workings());
  learner.scores(x, out);
  learner.reserve(x);
  const std::span<const double> scores = std::span(out).first(k);
  return learner.learn({x, scores, std::span(out).subspan(k), argmax(scores), played, p}, correct);
}

// Tells a yardstick the label of x; whether it changed.
inline bool teach(FullInformationLearner& learner, const Features& x, Label truth) {
  learner.reserve(x);
  return learner.learn(x, scores_of(learner, x), truth).updated;
}

}  // namespace soba::testing
