// Figure 1 of the paper: what is played, and what the paper says about it, checked against the
// numbers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "soba/lab/plan.h"
#include "soba/lab/summary.h"

namespace soba::figure1 {

// quick.json, full.json and paper.json, as they were when the program was built.
extern const std::string_view kQuickPlan;
extern const std::string_view kFullPlan;
extern const std::string_view kPaperNumbers;

// Where the data lies; empty = where the plan says.
struct Places {
  std::optional<std::string> covtype, reuters4;
  std::optional<std::string> limit;  // examples of each data set at most
};

struct Figure1Plan {
  lab::SweepPlan plan;
  std::vector<std::string> remarks;  // on data that is left out, or is a sample
};
// The plan with the data that is there. A file of another number of documents than the paper's
// Reuters4 is a sample, and is called so. Throws Error where a file that is named cannot be read.
Figure1Plan make_plan(bool full, const Places& places);

// One sentence of the paper's section on its experiments.
struct Statement {
  std::string claim;    // in our words
  std::string rule;     // when we say that it holds
  std::string found;    // the numbers
  std::string verdict;  // "reproduced" or "not reproduced"; on data of another size than the
                        // paper's "holds here" or "does not hold here"
};

// Every statement that can be checked against these results; those without their data are left out.
std::vector<Statement> check_statements(const lab::Summary& summary);

// What came of a reproduction.
struct Figure1Report {
  lab::Summary summary;
  std::vector<Statement> statements;
  std::string page, tables;  // the paths of report.html and report.md
};
// Of these result rows, with the paper's numbers beside them; writes the two files into `folder`.
Figure1Report write_report(bool full, const std::string& folder, const std::string& results);

}  // namespace soba::figure1
