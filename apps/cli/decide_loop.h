// The conversation of soba decide: one JSON object a line in, one a line out (docs/formats.md).
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "data/jsonl.h"
#include "output.h"
#include "soba/play.h"

namespace soba::cli {

struct DecideCounts {
  std::int64_t decisions = 0;
  std::int64_t answers = 0;
  std::int64_t forgotten = 0;
  std::int64_t unknown_ids = 0;
  std::int64_t bad_lines = 0;

  std::int64_t events() const { return decisions + answers + forgotten; }
};

class DecideLoop {
 public:
  // Throws Error{kUsage} for a learner that cannot decide. Requires: `model` outlives this.
  DecideLoop(Model& model, bool acknowledge, bool skip_bad);

  // Takes one line of input and returns the line of output, empty if there is none to give.
  // Throws Error{kInput} on a bad line, unless bad lines are to be answered and left out.
  std::string answer(std::string_view line, std::int64_t number);

  const DecideCounts& counts() const { return counts_; }
  std::int64_t pending() const { return decider_.pending(); }

 private:
  struct Event;
  Event parse(std::string_view line, std::int64_t number);
  Json decide(const Event& event, std::string_view line);
  Json feedback(const Event& event);

  Model& model_;
  Decider decider_;
  JsonFeatures features_;
  Preparation preparation_;
  simdjson::dom::parser parser_;
  Row row_;
  Block block_;
  bool acknowledge_, skip_bad_;
  DecideCounts counts_;
};

}  // namespace soba::cli
