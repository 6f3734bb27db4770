// Figure 1 of the paper: what is played, and what the paper says about it, held against the numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "summary.h"

namespace soba::cli {

// experiments/figure1/quick.json and full.json, as they were when the program was built.
extern const std::string_view kQuickPlan;
extern const std::string_view kFullPlan;

// One sentence of the paper's section on its experiments.
struct Statement {
  std::string claim;    // in our words
  std::string rule;     // when we say that it holds
  std::string found;    // the numbers
  std::string verdict;  // "reproduced" or "not reproduced"; on data of another size than the
                        // paper's "holds here" or "does not hold here"
};

// Every statement that can be held against these results; those without their data are left out.
std::vector<Statement> check_statements(const Summary& summary);

}  // namespace soba::cli
