// The x of a log's rows as the examples of a schema.
#pragma once

#include <simdjson.h>

#include "data/formats/jsonl.h"
#include "data/preparation.h"
#include "evaluate/decision_reader.h"

namespace soba {

class NamedX {
 public:
  // Requires: `schema` outlives this and stays where it is.
  explicit NamedX(Schema& schema)
      : features_(schema, unknown_of("auto", schema)), preparation_(schema) {}

  // Valid until the next call. Throws Error{kInput} with the place of what is wrong.
  Features read(const LogRow& row, const DecisionReader& log) {
    if (row.x.empty())
      log.refuse("x", "expected the features under \"x\", which this question needs");
    simdjson::dom::element x;
    if (parser_.parse(row.x.data(), row.x.size()).get(x) != simdjson::SUCCESS) {
      log.refuse("x", "expected JSON under \"x\"");
    }
    if (const auto problem = features_.read(x, row_)) log.refuse("x", problem->message);
    block_.clear();
    preparation_.append(row_.features(), kNoLabel, block_);
    return block_.features(0);
  }

 private:
  JsonFeatures features_;
  Preparation preparation_;
  simdjson::dom::parser parser_;
  Row row_;
  Block block_;
};

}  // namespace soba
