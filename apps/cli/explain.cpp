// soba explain: which features decide about each row of DATA.

#include "soba/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "data_options.h"
#include "learner_options.h"
#include "output.h"
#include "soba/data.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct ExplainSettings {
  std::string path, data;
  OptionValues data_options;
  std::optional<std::string> top;
  bool json = false;
};

constexpr std::int64_t kTop = 10;

constexpr const char* kDescription =
    "Prints for each row of DATA the label with the highest score, the runner-up, and the features "
    "that decided between them. The amounts add up to the lead, exactly: a score is a sum over the "
    "features. For a mixture such as auto they are those of the member that weighs most, and it "
    "says which. Values are as the learner sees them: scaled and normalised. Labels in DATA are "
    "not needed, and not looked at.";

constexpr const char* kExamples =
    "  echo '{\"x\":{\"age\":31,\"plan\":\"pro\"}}' | soba explain tickets.model - --format jsonl\n"
    "  soba explain tickets.model tuesday.csv --limit 5 --top 3\n";

std::string explanation_text(const Explanation& found, std::int64_t row) {
  std::string out = fmt::format("row {}: {}", row, found.label);
  if (found.over.empty()) return out + ", the only label in use\n";
  out += fmt::format(" over {}, by {:.4g}", found.over, found.lead);
  if (!found.member.empty()) out += fmt::format(" (scores of {})", found.member);
  out += '\n';
  int width = 8;
  for (const Contribution& one : found.features) {
    width = std::max(width, std::min(40, display_width(one.feature)));
  }
  const auto line = [&](const std::string& name, double amount, const std::string& value) {
    out += fmt::format("  {} {}{}\n", pad_right(name, width),
                       pad_left(fmt::format("{:+.4g}", amount), 11), value);
  };
  for (const Contribution& one : found.features) {
    line(one.feature, one.amount, fmt::format("   value {:.6g}", one.value));
  }
  if (found.constant != 0) line("constant", found.constant, "");
  if (std::fabs(found.rest) > 1e-9 * found.lead) line("the rest", found.rest, "");
  return out;
}

int explain(const ExplainSettings& settings) {
  require_argument(settings.path, "MODEL");
  require_argument(settings.data, "DATA");
  const auto top = static_cast<std::size_t>(integer_or(settings.top, "--top", 1, kTop));
  Model model = open_model(settings.path);
  SourceOptions options = source_options_for(settings.data_options, model.schema);
  options.need_labels = false;
  Source source(settings.data, options, model.schema);
  const std::unique_ptr<Stream> stream = source.open();
  std::int64_t row = 0;
  while (const Block* block = stream->next()) {
    model.schema.extend(*block);
    for (std::size_t i = 0; i < block->size(); ++i) {
      const Explanation found = soba::explain(model, block->features(i), top);
      print(settings.json ? explanation_json(found) + '\n'
                          : printable(explanation_text(found, ++row)));
    }
  }
  return kOk;
}

}  // namespace

Action define_explain(CLI::App& command) {
  auto settings = std::make_shared<ExplainSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  command.add_option("MODEL", settings->path, "A file that --save of run or decide has written.")
      ->group("Arguments");
  add_data_argument(command, settings->data);
  add_text_option(command, "--top", settings->top, "N",
                  fmt::format("Features to show of each row, N >= 1. Default: {}.", kTop));
  command.add_flag("--json", settings->json, "Print one JSON object a row.")->group("Options");
  add_data_options(command, settings->data_options, {"reading", "order", "bad lines"});
  return [settings] { return explain(*settings); };
}

}  // namespace soba::cli
