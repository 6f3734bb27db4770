// What another policy would have earned, from a log of decisions (docs/evaluation.md).
//
//   const Evaluation found = evaluate({"june.jsonl"}, {{.kind = PolicyKind::kUniform}});
//   found.policies[1].verdict;  // policies[0] is the log's own
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "soba/options.h"

namespace soba {

// How a log is read (docs/formats.md).
struct LogOptions {
  std::string format = "auto";  // jsonl, csv, obp or dsjson; auto: by the first line
  std::string label_column, probability_column, reward_column;  // of CSV; empty: the usual names
  std::vector<std::string> labels;                              // empty: those of the log
  bool skip_bad = false;            // leave out bad lines, and count them
  bool no_answer_is_wrong = false;  // else decisions without an answer are left out
};

enum class PolicyKind {
  // Question 1: the value of a fixed policy.
  kNamed,         // `name` under "policies" in the log
  kModel,         // the model file `name`, as it explores; and as it plays greedily
  kGreedy,        // "greedy" in the log
  kConstant,      // always the label `name`
  kUniform,       // each allowed label with the same probability
  kBestConstant,  // the best of the constants; its intervals allow for the choice
  // Questions 2 and 3, about the learner `name` with `options`.
  kOnline,   // what it would have earned had it been deciding
  kTrained,  // how good a policy the log can teach
};

struct PolicyChoice {
  PolicyKind kind = PolicyKind::kUniform;
  std::string name = {};
  OptionValues options = {};
  bool relaxed = false;   // kOnline: more rounds for a small bias
  std::string save = {};  // kTrained: where the model goes; empty: nowhere
};

struct EvaluateOptions {
  LogOptions log = {};
  double confidence = 0.95;          // of each interval by itself; in (0, 1)
  std::optional<double> clip = {};   // also IPS with weights of at most this
  std::optional<double> limit = {};  // also DR corrected only at weights up to this (switch-DR)
  std::optional<double> max_weight = {};  // no weight can be larger: narrower for rare rewards
  bool doubly_robust = true;              // where a policy's whole distribution is known
  std::uint64_t seed = 1;                 // of rejection sampling
};

struct Interval {
  double lower = 0, upper = 1;
};

struct LabelAudit {
  std::string label;
  std::int64_t played = 0;
  double inverse = 0, inverse_error = 0;  // the mean of 1[played]/p, which is 1 in a sound log
};

// What the log itself says about how far its numbers can be trusted.
struct Audit {
  std::int64_t decisions = 0, answered = 0, right = 0;
  std::int64_t stray_answers = 0;  // without an open decision: repeated, early or unknown
  std::int64_t forgotten = 0, bad_lines = 0;
  std::string first_bad;
  std::int64_t labels = 0;
  double min_probability = 1;
  double mean_inverse = 0, mean_inverse_error = 0;  // of 1/p: the number of labels in a sound log
  double certain = 0;                               // the share of decisions with probability 1
  double probability_answered = 0, probability_unanswered = 0;  // mean p of each
  std::vector<LabelAudit> by_label;
  std::vector<std::string> warnings;
  std::vector<std::string> refusals;  // why there are no numbers at all; mostly empty
};

struct PolicyResult {
  std::string name, question;
  std::string refused;      // why there are no numbers for it; mostly empty
  std::string note;         // what to know about the numbers
  std::int64_t rounds = 0;  // that they are from
  double ips = 0, snips = 0, cressie_read = 0;
  std::optional<double> dr, dr_error, direct, switch_dr, clipped;
  Interval betting, delta, cressie_read_interval;
  double difference = 0;  // IPS minus that of the log's own policy, on the same decisions
  Interval difference_interval;
  std::string verdict;
  double mean_weight = 1, mean_weight_error = 0, effective_size = 0;
  double largest_weight = 1, largest_share = 0;
  // For charts: decisions with a weight of 0, below 2^-9, below 2^-8, …; and the value so far at
  // evenly spaced decisions.
  std::vector<std::int64_t> weights;
  struct Point {
    std::int64_t decision = 0;
    double ips = 0, snips = 0;
  };
  std::vector<Point> course;
};

struct Evaluation {
  double confidence = 0.95;
  Audit audit;
  std::vector<PolicyResult> policies;  // empty where the audit refuses; the first is the log's own
};

// Reads the logs one after the other; "-" is standard input. Answers may be in another log than
// their decisions. Throws Error{kInput} with file:line:column at a bad line, and Error{kUsage}.
Evaluation evaluate(const std::vector<std::string>& logs, const std::vector<PolicyChoice>& policies,
                    const EvaluateOptions& options = {});

// A decision of a log that a model does not repeat, and how.
struct Mismatch {
  std::string place, id, what;
};
struct Replay {
  std::int64_t decisions = 0, mismatches = 0;
  std::vector<Mismatch> first;  // a hundred at most
};
// Decides and learns again what `soba decide --log` wrote: from the state of the model file or,
// where that has as many decisions as the log, from a new model with its learner, options, seed and
// labels.
Replay replay_log(const std::vector<std::string>& logs, const std::string& model);

}  // namespace soba
