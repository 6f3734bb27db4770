// The model file: everything that a run needs to go on as if it had never stopped
// (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "soba/data.h"
#include "soba/learner.h"
#include "soba/options.h"

namespace soba {

inline constexpr std::uint32_t kModelVersion = 1;

// What was counted over the life of a model.
struct Tally {
  std::int64_t rounds = 0;           // decisions made
  std::int64_t answers = 0;          // of which the answer has come
  std::int64_t mistakes = 0;         // of the played label
  std::int64_t greedy_mistakes = 0;  // of the label with the highest score, where known
  std::int64_t updates = 0;
};

// A decision whose answer has not come yet.
struct Pending {
  std::string id;
  std::vector<Index> index;
  std::vector<double> value;
  Label played = 0;
  double probability = 1;
};

struct Model {
  std::string learner_name;  // as in the registry
  OptionValues options;      // complete
  std::string reason;        // why options left to the learner are what they are; not stored
  std::uint64_t seed = 1;    // of the exploration
  Tally tally;               // tally.rounds is also the number of draws made so far
  Schema schema;
  std::vector<Pending> pending;
  AnyLearner learner;
};

// A model of `name` with nothing learnt yet. Throws Error{kUsage}.
Model new_model(std::string_view name, const OptionValues& options, Shape shape,
                std::uint64_t seed);

// The bytes of a model file, and back. read_model throws Error{kInput} that says what is wrong with
// them: not a model, another version, truncated, corrupt, or contradicting itself.
std::string write_model(Model& model);
Model read_model(std::string_view bytes);

// The same with files. save_model replaces `path` atomically: write, fsync, rename.
void save_model(Model& model, const std::string& path);
Model load_model(const std::string& path);

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

}  // namespace soba
