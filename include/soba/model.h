// A model: a learner and everything that it needs to resume as if it had never stopped; and the
// file that holds it (docs/formats.md).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soba/data.h"
#include "soba/learner.h"
#include "soba/options.h"
#include "soba/registry.h"

namespace soba {

inline constexpr std::uint32_t kModelVersion = 2;  // versions 1 and 2 are read

// What was counted over the life of a model.
struct Tally {
  std::int64_t rounds = 0;           // decisions made
  std::int64_t answers = 0;          // of which the answer has come
  std::int64_t mistakes = 0;         // of the played label
  std::int64_t greedy_mistakes = 0;  // of the label with the highest score, where known
  std::int64_t updates = 0;
  std::int64_t skipped = 0;  // updates that were left out: their numbers were too large
  friend bool operator==(const Tally&, const Tally&) = default;
};

// How far a run has come in its data, for a run that resumes it (run.h).
struct DataPosition {
  bool complete = false;          // at the end, and all else is empty
  std::int64_t examples = 0;      // played
  std::uint64_t fingerprint = 0;  // of these
  Tally start;                    // of the model before the run
  SourceOptions reading;
  bool fresh = true;      // as Source::fresh
  bool labelled = false;  // as Feedback::kLabelled of play.h
};

// A decision whose answer has not come yet.
struct Pending {
  std::string id;
  std::vector<Index> index;
  std::vector<double> value;
  Label played = 0;
  double probability = 1;
  std::vector<Label> allowed = {};  // the labels to choose from, ascending; empty: all there were
  Label classes = 0;                // how many there were
  std::int64_t round = 0;           // the number of the decision: Tally::rounds
  std::int64_t time = 0;            // of the decision, in seconds since 1970; 0: unknown
};

// The decisions whose answers have not come yet, by id.
//
// Threads: const calls may run in parallel with each other, not with add() and remove().
class PendingTable {
 public:
  std::size_t size() const { return decisions_.size(); }
  bool empty() const { return decisions_.empty(); }
  // In the order of the model file: that of addition, but the last one takes a removed one's place.
  auto begin() const { return decisions_.begin(); }
  auto end() const { return decisions_.end(); }
  const Pending& operator[](std::size_t i) const { return decisions_[i]; }
  // Null where no decision waits under this id. Valid until the table changes.
  const Pending* find(std::string_view id) const;
  // About how much memory they take.
  std::int64_t bytes() const { return bytes_; }

  // Requires: none waits under its id.
  void add(Pending decision);
  // Whether there was one.
  bool remove(std::string_view id);

  // Shows them all, for learners of this many classes.
  void visit(Label classes, StateVisitor& visitor);
  void save(Label classes, StateVisitor& visitor) const;  // Requires: !visitor.loading()

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<Pending> decisions_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;  // in decisions_
  std::int64_t bytes_ = 0;
};

// How far the events of a model's journal (journal.h) are in the model.
struct JournalPosition {
  std::string id;           // of the journal; empty where the model has none
  std::int64_t events = 0;  // the number of the latest
  std::int64_t chain = 0;   // the checksum of all up to it
};

// Threads: one writer. Const calls, and write_model() and save_model(), may run in parallel with
// each other. Models share nothing: each may have a thread of its own.
struct Model {
  std::string learner_name;  // as in the registry
  OptionValues options;      // complete
  std::string reason;        // why options left to the learner are what they are; not stored
  std::uint64_t seed = 1;    // of the exploration
  Tally tally;               // tally.rounds is also the number of draws made so far
  Schema schema;
  std::vector<Label> retired;  // labels that are never allowed again, ascending
  PendingTable pending;
  JournalPosition journal;
  std::int64_t replayed = 0;  // events that load_model() took from the journal; not stored
  std::optional<DataPosition> position;  // of its latest run, where that kept it
  AnyLearner learner;

  // What the learner is told of a round: "bandit", or "full information" for a yardstick.
  std::string_view feedback() const;
};

// A model of `name` with nothing learnt yet. Throws Error{kUsage}.
Model new_model(std::string_view name, const OptionValues& options, Shape shape, std::uint64_t seed,
                const Registry& registry = Registry::builtin());
// The same for examples as `schema` describes them: its labels are the classes.
Model new_model(std::string_view name, const OptionValues& options, Schema schema,
                std::uint64_t seed, const Registry& registry = Registry::builtin());

// These labels, and features by name, none known yet. Throws Error{kUsage} on a duplicate label.
Schema named_schema(const std::vector<std::string>& labels);

// The bytes of a model file, and back. read_model throws Error{kInput} that says what is wrong with
// them: not a model, a later version, truncated, corrupt, contradicting itself, or of a learner
// that is not in the registry.
std::string write_model(const Model& model);
Model read_model(std::string_view bytes, const Registry& registry = Registry::builtin());

// The same with files. save_model replaces `path` atomically: write, fsync, rename; it throws
// Error{kResource} where another process is using the model. load_model also takes what the journal
// beside the file holds (model.replayed), and throws Error{kInput} where that is another model's.
void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path, const Registry& registry = Registry::builtin());

// The bytes of a file. Throws Error{kInput} naming the path.
std::string model_bytes(const std::string& path);

// One line for each field of a model file: its name, type and size, and its value where it is
// short.
struct FieldSummary {
  std::string name;
  std::string type;
  std::int64_t count;
  std::string value;
};
std::vector<FieldSummary> summarize(std::string_view bytes);

// Adds a label, which the learner has never seen, and returns its number. Decisions that wait for
// their answers keep the labels that they had to choose from. Throws Error{kUsage} where the name
// is taken, the learner cannot have more classes or there are kMaxClasses, and Error{kResource}
// where they need more memory than allowed; then nothing has changed.
Label add_label(Model& model, std::string_view name);
// Throws Error{kUsage} where there is no such label, or the new name is taken.
void rename_label(Model& model, std::string_view from, std::string_view to);
// Never allowed again, but kept. Throws Error{kUsage} on an unknown label, or the last in use.
void retire_label(Model& model, std::string_view name);
// The labels to choose from, ascending, for Pending::allowed: those named, or all that are not
// retired; empty for all there are. Throws Error{kUsage} on an unknown, retired or repeated one.
std::vector<Label> allowed_labels(const Model& model, std::span<const std::string> names = {});

// Throws Error{kInput} where the label is retired.
void check_in_use(const Model& model, Label label);

// Changes one live option of a model, in its options and in its learner. Throws Error{kUsage} for
// an unknown option, one that cannot change, a value out of range, or less memory than the model
// already holds; then nothing has changed.
void change_option(Model& model, std::string_view name, std::string_view value,
                   const Registry& registry = Registry::builtin());

}  // namespace soba
