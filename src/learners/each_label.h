// Teaching learners that keep each class apart, so that a step of one changes no score of another.
#pragma once

#include <cmath>

#include "soba/learner.h"

namespace soba {

inline void join(Learned& all, const Learned& own) {
  all.updated = all.updated || own.updated;
  all.skipped = all.skipped || own.skipped;
}

// learn() for every label allowed: round.played was right, each other one wrong.
inline Learned teach_each(Learner& learner, Round round) noexcept {
  const Label truth = round.played;
  Learned all;
  for (Label i = 0; i < learner.shape().classes; ++i) {
    const double score = round.scores[static_cast<std::size_t>(i)];
    if (!round.allowed.empty() && score == -std::numeric_limits<double>::infinity()) continue;
    round.played = i;
    join(all, learner.learn(round, i == truth));
  }
  return all;
}

}  // namespace soba
