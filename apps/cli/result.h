// The result of a run for people.
#pragma once

#include <string>
#include <vector>

#include "soba/run.h"

namespace soba::cli {

// `skipped`: with the number of bad lines. `confusion`: with the confusion matrix.
std::string result_text(const RunResult& result, bool skipped, bool confusion);
// Several runs: every one, the mean and the sample standard deviation of the errors.
std::string results_text(const std::vector<RunResult>& results);

}  // namespace soba::cli
