// The learner's side of a round: scores → distribution → played label → one bit → update.
//
// A Learner never sees the true label. A FullInformationLearner does: that it is a yardstick, not a
// competitor, shows in its type, and only the simulation can call it.
//
// Threads: one writer. Const calls may run in parallel with each other, not with reserve(),
// learn(), reconfigure() or visit().
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "soba/explore.h"
#include "soba/options.h"
#include "soba/state.h"
#include "soba/types.h"

namespace soba {

// All that a bandit learner may know when the answer arrives. `played` and `probability` are those
// of the moment of the decision; `scores` and `greedy` come from the learner as it is now, which
// differs from then when the answer is late.
struct Round {
  Features x;
  std::span<const double> scores;    // k numbers
  std::span<const double> workings;  // what scores() wrote behind them
  Label greedy;                      // argmax(scores)
  Label played;                      // the label that was drawn
  double probability;                // with which it was drawn
  // Labels that may be played, ascending; empty = all.
  std::span<const Label> allowed = {};
};

// What is known when the label of a round is about to be drawn.
struct Moment {
  std::int64_t round;              // 1, 2, …
  std::span<const double> scores;  // k numbers
  Label greedy;                    // argmax(scores)
  // Labels that may be played, ascending; empty = all.
  std::span<const Label> allowed = {};
};

struct Learned {
  bool updated = false;              // the weights or the second-order state changed
  std::optional<double> margin_sum;  // SOBA's Σ n_s m_s after the round; empty for other learners
  bool skipped = false;              // an update was left out: its numbers were too large
};

class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual Shape shape() const = 0;
  // How many numbers scores() writes behind the k scores: what it found on the way and learn()
  // would have to compute again.
  virtual std::size_t workings() const { return 0; }
  // Pure: same x, same state, same scores. Features beyond shape() count as never seen.
  // Requires: out.size() == shape().classes + workings().
  virtual void scores(const Features& x, std::span<double> out) const = 0;
  // How the learner wants the round to be played.
  virtual Exploration exploration(const Moment& moment) const = 0;
  // Allocates whatever learn() may need for this x. Returns the extent of an x up to which learn()
  // needs no further call of it, whatever it learns; −1 where each learn() needs a call of its own.
  // Ensures: scores, shape() and every visited field are as before, also where it throws:
  // std::bad_alloc, or Error{kResource} where a matrix would outgrow its option `memory`.
  virtual Index reserve(const Features& x) = 0;
  // Takes over the live options (Field::live) from complete ones, and nothing else. Throws
  // Error{kUsage} where they contradict the state, such as a `memory` below what is held.
  // Ensures: all of them or, where it throws, none.
  virtual void reconfigure(const OptionValues& /*options*/) {}
  // What a person should know of the state beside the options, such as members and their weights.
  // One line; mostly empty.
  virtual std::string remarks() const { return ""; }
  // Shows every field of the state: to save, to load, to print, to compare.
  // Requires of the learner: nothing changes unless visitor.loading().
  virtual void visit(StateVisitor& visitor) = 0;
  // The same for a learner that is const. Requires: a visitor that is not loading, which never
  // changes a field.
  void save(StateVisitor& visitor) const {
    assert(!visitor.loading());
    const_cast<Predictor*>(this)->visit(visitor);
  }
};

class Learner : public Predictor {
 public:
  // Learns from one bit: whether round.played was right. An update happens whole: all that may
  // fail, fails in reserve().
  // Requires: reserve() made ready for round.x, and `scores`, `workings` and `greedy` are of the
  // learner as it is.
  virtual Learned learn(const Round& round, bool correct) noexcept = 0;
};

class FullInformationLearner : public Predictor {
 public:
  // Learns from the true label.
  // Requires: reserve() made ready for x, and the scores are of the learner as it is.
  virtual Learned learn(const Features& x, std::span<const double> scores,
                        Label truth) noexcept = 0;
};

using AnyLearner = std::variant<std::unique_ptr<Learner>, std::unique_ptr<FullInformationLearner>>;

inline Predictor& predictor(const AnyLearner& learner) {
  return std::visit([](const auto& pointer) -> Predictor& { return *pointer; }, learner);
}

}  // namespace soba
