#include "soba/lab/report.h"

#include <fmt/format.h>

#include <filesystem>

#include "figure1/figure1.h"
#include "soba/lab/files.h"
#include "soba/lab/rows.h"

namespace soba::figure1 {

namespace {

std::string statements_markdown(const std::vector<Statement>& statements) {
  std::string out =
      "\n## What the paper says\n\n| the paper | reproduced when | found | verdict |\n"
      "|---|---|---|---|\n";
  for (const Statement& s : statements) {
    out += fmt::format("| {} | {} | {} | {} |\n", s.claim, s.rule, s.found, s.verdict);
  }
  return out;
}

}  // namespace

Figure1Report write_report(bool full, const std::string& folder, const std::string& results) {
  const lab::ResultRows read = lab::read_rows({results});
  Figure1Report out;
  out.summary = lab::summarize(read.rows);
  lab::add_paper_claims(out.summary, kPaperNumbers);
  out.statements = check_statements(out.summary);
  const std::string title = full ? "Figure 1 of the paper" : "Figure 1 of the paper, in small";
  const std::filesystem::path place = folder;
  out.page = (place / "report.html").string();
  out.tables = (place / "report.md").string();
  lab::write_file(out.page, lab::report_page(out.summary, {title, {results}, read.remarks}));
  lab::write_file(out.tables,
                  lab::report_markdown(out.summary, title) + statements_markdown(out.statements));
  return out;
}

}  // namespace soba::figure1
