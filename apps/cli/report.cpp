// soba report: charts and tables of result rows.

#include "soba/lab/report.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "data_options.h"
#include "figure1/figure1.h"
#include "output.h"
#include "soba/parse.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr std::array<std::string_view, 3> kFormats = {"html", "md", "csv"};

struct ReportSettings {
  std::vector<std::string> results;
  std::optional<std::string> output, format, title;
  bool quiet = false;
};

int report(const ReportSettings& settings) {
  if (settings.results.empty()) require_argument("", "RESULTS");
  const std::string format = parse_choice("--format", settings.format.value_or("html"), kFormats);
  std::optional<std::string> output = settings.output;
  if (!output && format == "html") output = "report.html";
  for (const std::string& path : settings.results) check_outputs(path, {{"--output", output}});

  const lab::ResultRows read = lab::read_rows(settings.results);
  if (!settings.quiet) {
    for (const std::string& remark : read.remarks) note(remark);
  }
  if (read.rows.empty()) {
    throw Error(ErrorKind::kInput, "no result rows in " + sentence_list(settings.results));
  }
  lab::Summary summary = lab::summarize(read.rows);
  lab::add_paper_claims(summary, figure1::kPaperNumbers);
  const std::string title = settings.title.value_or(lab::default_title(summary));
  const std::string text = format == "html"
                               ? lab::report_page(summary, {title, settings.results, read.remarks})
                           : format == "md" ? lab::report_markdown(summary, title)
                                            : lab::report_csv(summary);
  if (output) {
    write_file(*output, text);
    if (!settings.quiet) note("written to " + *output);
  } else {
    print(text);
  }
  return kOk;
}

}  // namespace

Action define_report(CLI::App& command) {
  auto settings = std::make_shared<ReportSettings>();
  command.description(
      "Makes a report of the result rows of sweeps: for each data set, error against each axis "
      "that was varied and against the number of examples, with 95 % confidence over the seeds, "
      "and a table of the best parameters. The page is one file that needs no network.");
  command.footer(
      "  soba report results.jsonl\n"
      "  soba report a.jsonl b.jsonl --output report.html --title \"Two sweeps\"\n"
      "  soba report results.jsonl --format md\n"
      "  soba report results.jsonl --format csv --output summary.csv\n");
  command
      .add_option("RESULTS", settings->results,
                  "Files of result rows (.gz, .xz and .zst are read as they are), or - for "
                  "standard input. A run that is in several of them counts once; a last line "
                  "that was not written to its end is left out.")
      ->group("Arguments");
  add_text_option(command, "--output", settings->output, "FILE",
                  "Where to write; replaced only when it is complete. Default: report.html; "
                  "md and csv go to standard output.");
  add_text_option(command, "--format", settings->format, "FORMAT",
                  "html: a page with charts. md: tables in Markdown. csv: a line for each data "
                  "set, contender and grid point. Default: html.");
  add_text_option(command, "--title", settings->title, "TEXT",
                  "The title of the page. Default: the names of the data sets.");
  command.add_flag("--quiet", settings->quiet, "No notes on standard error.")->group("Options");
  return [settings] { return report(*settings); };
}

}  // namespace soba::cli
