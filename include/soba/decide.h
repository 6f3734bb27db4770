// Decisions without labels, whose answers come later: by the names of features and labels.
//
//   Model model = new_model("auto", {}, named_schema({"card", "invoice"}), /*seed=*/1);
//   Decider decider(model);
//   const Decision d = decider.decide("order-17", {{"amount", 120.0}, {"country", "de"}});
//   … play d.label, and once it is known whether it was right:
//   decider.feedback("order-17", true);
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "soba/data.h"
#include "soba/journal.h"
#include "soba/learner.h"
#include "soba/model.h"
#include "soba/value.h"

namespace soba {

// From named values to features, as JSON Lines are read: a number is the feature of that name, true
// is 1 and false 0, a text is the one-hot feature "name=value", a missing value is nothing; then
// scaled, normalised and with a bias as the schema says. A new value of a known name is added to
// the schema. A new name is as `unknown` says: "refuse", "ignore" or "learn" (added as well);
// "auto" refuses where the schema has the columns of a file, and learns otherwise. Where the
// schema's features are indices (LIBSVM), the name of a feature is its index.
// Threads: each encoder belongs to one at a time, and so does its schema.
class Encoder {
 public:
  // Requires: `schema` outlives the encoder, stays where it is, and keeps its preparation. Throws
  // Error{kUsage} where `unknown` is none of these words.
  explicit Encoder(Schema& schema, std::string_view unknown = "auto");
  ~Encoder();
  Encoder(Encoder&&) noexcept;

  // The features, valid until the next call. Throws Error{kInput} that names the feature: a name
  // that comes twice or is refused, a number that is not finite or beyond ±kMaxValue, a text in a
  // column of numbers. Then the schema is as it was.
  Features encode(std::span<const NamedValue> values);
  Features encode(std::initializer_list<NamedValue> values) {
    return encode(std::span(values.begin(), values.size()));
  }
  void undo();                   // takes back what the latest encode() added to the schema
  std::int64_t ignored() const;  // values so far whose names were ignored

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Limits on pending decisions. A new one is refused once a limit on their number or size is
// reached, so that in bytes the limit is exceeded by at most one decision.
struct PendingLimits {
  std::int64_t decisions = 1'000'000;
  std::int64_t bytes = std::int64_t{1} << 30;  // as PendingTable::bytes() counts them
  // One that has waited for so many later decisions, or seconds, expires (expire()); 0: never.
  std::int64_t expire_decisions = 0;
  std::int64_t expire_seconds = 0;
  std::optional<bool> expired_answer = {};  // what is learnt of it; nothing: it is forgotten
  bool keep = true;  // false: no decision waits, none is counted, and the model stays as it is
};

struct Decision {
  std::string label;       // that was drawn; its number where the schema names no labels
  double probability = 1;  // with which it was drawn
  std::string greedy;      // the label with the highest score
  Label index = 0;         // the numbers of the two
  Label greedy_index = 0;
};

// The round of play.h in two halves. Threads: each decider belongs to one at a time, and so does
// its model.
class Decider {
 public:
  // Throws Error{kUsage} for a learner that must be told the label. What happens goes into the
  // journal, if there is one; telling it is for after journal->commit(). `unknown`: see Encoder.
  // Requires: `model` and `journal` outlive the decider and stay where they are.
  explicit Decider(Model& model, const PendingLimits& limits = {}, Journal* journal = nullptr,
                   std::string_view unknown = "auto");

  // The label for x under the given id. An id that still waits gets its decision again, for the
  // same x. The random number behind a draw depends on the seed and the id alone. With `allowed`
  // (of allowed_labels()) it is one of these, and the caller asserts that the right one is among
  // them: greedy label, exploration and probability are those of a problem that has no others.
  // Throws Error{kInput} on an impossible x, and Error{kResource} where too many decisions wait;
  // then nothing has changed.
  Decision decide(std::string_view id, const Features& x, std::span<const Label> allowed = {});
  // The same by names, as Encoder reads them.
  Decision decide(std::string_view id, std::span<const NamedValue> x,
                  std::span<const Label> allowed = {});
  Decision decide(std::string_view id, std::initializer_list<NamedValue> x) {
    return decide(id, std::span(x.begin(), x.size()));
  }

  enum class Feedback { kTaken, kUnknownId };
  // The answer for an earlier decision, in any order and with any delay. Scores are those of now,
  // the probability that of the decision: the estimate stays unbiased and the budget S >= 0
  // survives. Throws Error{kResource} or std::bad_alloc where the learner would need more memory
  // than it may have; then nothing is learnt, and the decision still waits.
  Feedback feedback(std::string_view id, bool correct);
  Feedback forget(std::string_view id);  // drops a decision; nothing is learnt
  // Says what time it is, in seconds since 1970, and ends the wait of the decisions that are due:
  // returns how many. Where the learner has no room for an answer, it is not learnt.
  std::int64_t expire(std::int64_t now);
  // soba::change_option(), add_label() and the like on the model.
  void change(std::string_view option, std::string_view value);
  Label add_label(std::string_view name);
  void rename_label(std::string_view from, std::string_view to);
  void retire_label(std::string_view name);

  std::int64_t pending() const { return static_cast<std::int64_t>(model_.pending.size()); }
  // Throws the Error{kResource} that decide() would throw for this id.
  void check_room(std::string_view id) const;

 private:
  std::span<const double> scores() const { return std::span(out_).first(classes_); }
  void make_room();  // for the scores
  // The scores of these labels, all if there are none, into out_; the greedy label.
  Label score(const Features& x, std::span<const Label> allowed);
  Decision told(Label played, double probability, Label greedy) const;

  Model& model_;
  PendingLimits limits_;
  Journal* journal_;
  Encoder encoder_;
  std::size_t classes_;
  std::vector<double> out_;  // the scores, then the learner's workings
  std::int64_t now_ = 0;     // as expire() was told
  // Where decisions expire: the number and id of each, ascending; some no longer wait.
  std::deque<std::pair<std::int64_t, std::string>> ages_;
};

struct EventCounts {
  std::int64_t decisions = 0;
  std::int64_t answers = 0;
  std::int64_t forgotten = 0;
  std::int64_t refused = 0;  // decisions and answers for which there was no room
  std::int64_t unknown_ids = 0;
  std::int64_t bad_lines = 0;
  std::int64_t ignored = 0;  // values of unknown names
  std::int64_t expired = 0;
  std::int64_t label_changes = 0;

  std::int64_t events() const { return decisions + answers + forgotten + expired + label_changes; }
};

struct EventOptions {
  bool acknowledge = false;  // an answer or a forgotten decision is replied to, too
  bool skip_bad = false;     // a bad line is replied to with {"error":…} instead of an exception
  std::string source = "<stdin>";  // the name of the input in error messages
  PendingLimits limits = {};
  Journal* journal = nullptr;    // as for Decider
  std::string unknown = "auto";  // see Encoder
  std::size_t explain = 0;       // features that a reply explains its decision by; 0: none
  // Seconds since 1970, for decisions that expire; empty: the system's clock.
  std::function<std::int64_t()> clock = {};
};

// The conversation of `soba decide` (docs/formats.md): one JSON object a line in, one a line out.
// Threads: as Decider.
class EventProtocol {
 public:
  // Throws Error{kUsage} for a learner that cannot decide. Requires: `model` outlives this and
  // stays where it is.
  explicit EventProtocol(Model& model, const EventOptions& options = {});
  ~EventProtocol();
  EventProtocol(EventProtocol&&) noexcept;

  // Takes the next line of input, without its end, and returns the line of output, without an end;
  // empty if there is none to give. Throws Error{kInput} on a bad line (source:line:column, what
  // was expected), unless skip_bad.
  std::string answer(std::string_view line);

  // The same for row number `row` of DATA: its decision, under the id "SOURCE:ROW".
  std::string answer(const Features& x, std::int64_t row);

  const EventCounts& counts() const;
  std::int64_t pending() const;  // decisions that wait for their answers

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The lines of a file, plain or compressed, until `take` returns false. Throws Error{kInput}.
void for_each_line(const std::string& path, const std::function<bool(std::string_view)>& take);

}  // namespace soba
