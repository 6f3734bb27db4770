// From the weights of a policy to what is said of it.
#pragma once

#include "evaluate/column.h"
#include "evaluate/estimators.h"
#include "soba/evaluate.h"

namespace soba {

// Everything about a column but its name; `dr` may be null. Requires: the column is not empty.
void describe(const Column& column, const DoublyRobust* dr, double least,
              const EvaluateOptions& options, double confidence, PolicyResult& out);
// Its difference to the log's own policy: paired, on the same decisions; or, where it has decisions
// of its own, to what the log has earned.
void compare_paired(const Column& column, double confidence, PolicyResult& out);
void compare_to(double earned, PolicyResult& out);

}  // namespace soba
