// The result of a run, for people and for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output.h"
#include "play_stream.h"
#include "soba/model.h"

namespace soba::cli {

struct RunResult {
  std::string learner;
  std::string feedback;  // "bandit" or "full information"
  OptionValues options;
  std::string reason, remarks;  // of the learner, on its options and its state
  std::string data;
  std::uint64_t seed = 1;
  Shape shape;
  Tally tally;     // of this run
  Tally lifetime;  // of the model, with earlier runs
  double learn_seconds = 0;
  double total_seconds = 0;
  std::optional<std::int64_t> skipped;  // with --skip-bad
  std::string first_skipped;

  double error() const;
  double greedy_error() const;
  double rounds_per_second() const;
};

// What is known once the stream has ended. Throws Error{kInput} when it held no example.
RunResult make_result(const Outcome& outcome, const Source& source, const Model& model);

// The most memory that the program has held so far.
std::int64_t peak_memory_bytes();

Json result_json(const RunResult& result);
std::string result_text(const RunResult& result);

// Several runs: every one, the mean and the sample standard deviation of the errors.
Json results_json(const std::vector<RunResult>& results);
std::string results_text(const std::vector<RunResult>& results);

}  // namespace soba::cli
