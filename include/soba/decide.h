// Decisions without labels, whose answers come later: by the names of features and labels.
//
//   Model model = new_model("auto", {}, named_schema({"card", "invoice"}), /*seed=*/1);
//   Decider decider(model);
//   const Decision d = decider.decide("order-17", {{"amount", 120.0}, {"country", "de"}});
//   … play d.label, and once it is known whether it was right:
//   decider.feedback("order-17", true);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

// Limits on pending decisions. A new one is refused once a limit is reached, so that in bytes the
// limit is exceeded by at most one decision.
struct PendingLimits {
  std::int64_t decisions = 1'000'000;
  std::int64_t bytes = std::int64_t{1} << 30;  // as PendingTable::bytes() counts them
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
  // same x. The random number behind a draw depends on the seed and the id alone. Throws
  // Error{kInput} on an impossible x, and Error{kResource} where too many decisions wait; then
  // nothing has changed.
  Decision decide(std::string_view id, const Features& x);
  // The same by names, as Encoder reads them.
  Decision decide(std::string_view id, std::span<const NamedValue> x);
  Decision decide(std::string_view id, std::initializer_list<NamedValue> x) {
    return decide(id, std::span(x.begin(), x.size()));
  }

  enum class Feedback { kTaken, kUnknownId };
  // The answer for an earlier decision, in any order and with any delay. Scores are those of now,
  // the probability that of the decision: the estimate stays unbiased and the budget S >= 0
  // survives. Throws Error{kResource} or std::bad_alloc where the learner would need more memory
  // than it may have; then nothing is learnt, and the decision still waits.
  Feedback feedback(std::string_view id, bool correct);
  // Drops a decision whose answer will never come; nothing is learnt.
  Feedback forget(std::string_view id);
  // soba::change_option() on the model.
  void change(std::string_view option, std::string_view value);

  std::int64_t pending() const { return static_cast<std::int64_t>(model_.pending.size()); }
  // Throws the Error{kResource} that decide() would throw for this id.
  void check_room(std::string_view id) const;

 private:
  std::span<const double> scores() const { return std::span(out_).first(classes_); }
  Label score(const Features& x);  // into out_; the greedy label
  Decision told(Label played, double probability, Label greedy) const;

  Model& model_;
  PendingLimits limits_;
  Journal* journal_;
  Encoder encoder_;
  std::size_t classes_;
  std::vector<double> out_;  // the scores, then the learner's workings
};

struct EventCounts {
  std::int64_t decisions = 0;
  std::int64_t answers = 0;
  std::int64_t forgotten = 0;
  std::int64_t refused = 0;  // decisions and answers for which there was no room
  std::int64_t unknown_ids = 0;
  std::int64_t bad_lines = 0;
  std::int64_t ignored = 0;  // values of unknown names

  std::int64_t events() const { return decisions + answers + forgotten; }
};

struct EventOptions {
  bool acknowledge = false;  // an answer or a forgotten decision is replied to, too
  bool skip_bad = false;     // a bad line is replied to with {"error":…} instead of an exception
  std::string source = "<stdin>";  // the name of the input in error messages
  PendingLimits limits = {};
  Journal* journal = nullptr;    // as for Decider
  std::string unknown = "auto";  // see Encoder
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

  const EventCounts& counts() const;
  std::int64_t pending() const;  // decisions that wait for their answers

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace soba
