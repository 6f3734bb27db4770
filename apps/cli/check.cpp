// soba check: reads a whole data set and says what is in it and what is wrong with it.

#include <memory>
#include <nlohmann/json.hpp>

#include "data_options.h"
#include "data_report.h"
#include "output.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct CheckSettings {
  std::string data;
  OptionValues data_options;
  bool json = false;
};

int check(const CheckSettings& settings) {
  require_argument(settings.data, "DATA");
  SourceOptions options = parse_source_options(settings.data_options);
  options.skip_bad = true;
  Source source(settings.data, options, Schema{});
  const Survey report = survey(source);
  if (settings.json) {
    print_json(report_json(report));
  } else {
    print(report_text(report));
  }
  return report.bad_lines == 0 ? kOk : kFailedCheck;
}

}  // namespace

Action define_check(CLI::App& command) {
  auto settings = std::make_shared<CheckSettings>();
  command.description(
      "Reads all of DATA and prints examples, labels with their counts, features, density and "
      "the range of the values; and warnings where learning would suffer. Exit code 1 when a "
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
