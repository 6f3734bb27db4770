// soba check: reads a whole data set and says what is in it and what is wrong with it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "data_options.h"
#include "output.h"
#include "soba/lab/describe.h"
#include "soba/survey.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr std::size_t kShownLabels = 20, kShownColumns = 40;

struct CheckSettings {
  std::string data;
  OptionValues data_options;
  bool json = false;
};

std::string report_text(const Survey& report) {
  const auto line = [](std::string_view name, const std::string& text) {
    return fmt::format("  {} {}\n", pad_right(name, 10), wrap(text, 13, 13));
  };
  std::string out = report.data + '\n';
  for (std::size_t i = 0; i < std::min(report.columns.size(), kShownColumns); ++i) {
    out += line(i == 0 ? "columns" : "", report.columns[i].text());
  }
  if (report.columns.size() > kShownColumns) out += line("", "…");
  out += line("examples", thousands(report.examples));
  out += line("features",
              fmt::format("{}; density {}", thousands(report.features), percent(report.density())));
  out += line(
      "values",
      fmt::format("{}, from {} to {}; {}", thousands(report.values), report.minimum, report.maximum,
                  report.all_unit_norm() ? "every example has norm 1"
                                         : "the norms of the examples are not all 1"));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < report.labels.size() && i < kShownLabels; ++i) {
    shown.push_back(fmt::format("{} ({})", report.labels[i], thousands(report.label_counts[i])));
  }
  std::string list = fmt::format("{}", fmt::join(shown, ", "));
  if (report.labels.size() > kShownLabels) list += ", …";
  out += line("labels", fmt::format("{}: {}", report.labels.size(), list));
  for (const std::string& warning : warnings(report)) out += line("warning", warning);
  if (report.bad_lines > 0) {
    out += line("BAD", plural(report.bad_lines, "line") + " that cannot be read; the first:");
    out += line("", report.first_bad);
  } else {
    out += line("verdict", "every line can be read");
  }
  return out;
}

int check(const CheckSettings& settings) {
  require_argument(settings.data, "DATA");
  SourceOptions options = parse_source_options(settings.data_options);
  options.skip_bad = true;
  Source source(settings.data, options, Schema{});
  const Survey report = survey(source);
  print(settings.json ? lab::survey_json(report) : printable(report_text(report)));
  return report.bad_lines == 0 ? kOk : kFailedCheck;
}

}  // namespace

Action define_check(CLI::App& command) {
  auto settings = std::make_shared<CheckSettings>();
  command.description(
      "Reads all of DATA and prints, of each column or key, what it was taken for, the option "
      "against that, distinct values, missing share and range; examples, labels with their "
      "counts, features, density and the range of the values; "
      "and warnings where learning would suffer. Exit code 1 when a "
      "line cannot be read: the first such place is shown, and how many there are; 3 when there "
      "is nothing to learn from.");
  command.footer(
      "  soba check history.csv --label outcome\n"
      "  soba check data.libsvm.xz --json\n"
      "  zcat events.jsonl.gz | soba check - --format jsonl\n");
  add_data_argument(command, settings->data);
  command.add_flag("--json", settings->json, "Print one JSON object.")->group("Options");
  add_data_options(command, settings->data_options, {"reading", "labels"});
  return [settings] { return check(*settings); };
}

}  // namespace soba::cli
