// The learner's side of a round: scores → distribution → played label → one bit → update.
//
// A Learner never sees the true label. A FullInformationLearner does: that it is a yardstick, not a
// competitor, shows in its type, and only the simulation can call it.
//
// Threads: one writer. Const calls may run in parallel with each other, not with reserve(),
// learn(), reconfigure() or visit().
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "soba/error.h"
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
  std::span<const double> scores;    // k numbers, limited to the labels allowed (restrict_to)
  std::span<const double> workings;  // what scores() wrote behind them
  Label greedy;                      // argmax(scores)
  Label played;                      // the label that was drawn
  double probability;                // with which it was drawn
  // Labels that might be played, ascending; empty = all. The right one is among them.
  std::span<const Label> allowed = {};

  std::size_t choices() const { return allowed.empty() ? scores.size() : allowed.size(); }
};

// What is known when the label of a round is about to be drawn.
struct Moment {
  std::int64_t round;              // 1, 2, …
  std::span<const double> scores;  // k numbers, limited to the labels allowed (restrict_to)
  Label greedy;                    // argmax(scores)
  // Labels that may be played, ascending; empty = all.
  std::span<const Label> allowed = {};

  std::size_t choices() const { return allowed.empty() ? scores.size() : allowed.size(); }
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
  // Limits what scores() wrote for x to these labels: the score of another becomes −∞; or, where
  // scores are a distribution, 0, and the rest what it would be without that label. So argmax() and
  // argmax_except() choose among them. Requires: `allowed` ascends and is not empty.
  virtual void restrict_to(std::span<const Label> allowed, const Features& /*x*/,
                           std::span<double> out) const {
    std::size_t next = 0;
    for (Label i = 0; i < shape().classes; ++i) {
      if (next < allowed.size() && allowed[next] == i) {
        ++next;
      } else {
        out[static_cast<std::size_t>(i)] = -std::numeric_limits<double>::infinity();
      }
    }
  }
  // Scores in the order of scores() that are linear in x, but for a constant: what explain.h shows.
  // They may be those of a member, whose name it returns; empty where they are its own. One whose
  // scores are not linear may write those. Requires: out.size() == shape().classes.
  virtual std::string linear_scores(const Features& x, std::span<double> out) const {
    std::vector<double> all(out.size() + workings());
    scores(x, all);
    std::copy_n(all.begin(), out.size(), out.begin());
    return "";
  }
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
  // Learns a label that is known: round.played was right, with probability 1. Requires the same.
  virtual Learned teach(const Round& round) noexcept { return learn(round, true); }
  // Whether teach() also makes use of the others' being wrong, where learn() does not.
  virtual bool teaches_others() const { return false; }
  // The same learner with more classes, which it has never seen; this one stays as it is. Throws
  // Error{kUsage} where it cannot have more, and as reserve() does. Requires: classes >=
  // shape().classes.
  virtual std::unique_ptr<Learner> with_classes(Label /*classes*/) const {
    throw Error(ErrorKind::kUsage, "this learner cannot be given new labels");
  }
};

class FullInformationLearner : public Predictor {
 public:
  // Learns from the true label.
  // Requires: reserve() made ready for x, and the scores are of the learner as it is.
  virtual Learned learn(const Features& x, std::span<const double> scores,
                        Label truth) noexcept = 0;
  // As Learner's.
  virtual std::unique_ptr<FullInformationLearner> with_classes(Label /*classes*/) const {
    throw Error(ErrorKind::kUsage, "this learner cannot be given new labels");
  }
};

using AnyLearner = std::variant<std::unique_ptr<Learner>, std::unique_ptr<FullInformationLearner>>;

inline Predictor& predictor(const AnyLearner& learner) {
  return std::visit([](const auto& pointer) -> Predictor& { return *pointer; }, learner);
}
inline AnyLearner with_classes(const AnyLearner& learner, Label classes) {
  return std::visit(
      [&](const auto& pointer) -> AnyLearner { return pointer->with_classes(classes); }, learner);
}

}  // namespace soba
