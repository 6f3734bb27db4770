// soba inspect: what is in a model file.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "data_options.h"
#include "learner_options.h"
#include "output.h"
#include "soba/explain.h"
#include "soba/lab/describe.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr std::size_t kShownLabels = 20;
constexpr std::int64_t kTop = 10;

struct InspectSettings {
  std::string path;
  bool json = false, fields = false, weights = false;
  std::optional<std::string> top;
};

std::string row(std::string_view name, std::string_view text) {
  return fmt::format("  {} {}\n", pad_right(name, 13), wrap(text, 16, 16));
}

std::string label_list(const NameMap& labels) {
  std::string out;
  for (const std::string& name : labels.names()) {
    if (&name == &labels.names().front() + kShownLabels) return out + ", …";
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

std::string model_text(const Model& model, const std::string& path) {
  const Tally& tally = model.tally;
  const Shape shape = predictor(model.learner).shape();
  const Schema& schema = model.schema;
  const OptionValues how = source_option_values(source_options_for({}, schema));
  std::string out = path + '\n';
  out += row("learner", model.learner_name);
  out += row("options", model.options.empty() ? "none" : lab::options_text(model.options));
  if (const std::string remarks = predictor(model.learner).remarks(); !remarks.empty()) {
    out += row("state", remarks);
  }
  out += row("seed", fmt::format("{}", model.seed));
  out += row("rounds", fmt::format("{}, of which {} answered", thousands(tally.rounds),
                                   thousands(tally.answers)));
  out += row("played error", fmt::format("{} of the answers: {}", percent(lab::played_error(tally)),
                                         plural(tally.mistakes, "wrong label")));
  out += row("greedy", plural(tally.greedy_mistakes, "wrong best label") +
                           ", counted where the label was known");
  out += row("updates", thousands(tally.updates));
  if (tally.skipped > 0) {
    out += row("left out", plural(tally.skipped, "update") + ", as their numbers were too large");
  }
  out += row("labels", fmt::format("{}: {}", shape.classes, label_list(schema.labels)));
  if (!model.retired.empty()) {
    std::string names;
    for (const Label label : model.retired) {
      const bool named = label < schema.labels.size();
      names +=
          (names.empty() ? "" : ", ") + (named ? schema.labels.name(label) : std::to_string(label));
    }
    out += row("retired", names);
  }
  out += row("features", fmt::format("{}{}", thousands(shape.features),
                                     schema.named_features ? ", with names" : ""));
  out += row("preparation", fmt::format("scale {}, normalize {}, {}", how.at("scale"),
                                        how.at("normalize"), schema.bias ? "bias" : "no bias"));
  if (const std::string columns = lab::columns_text(schema); !columns.empty()) {
    out += row("columns", columns);
  }
  if (model.position) out += row("data", lab::position_text(*model.position));
  out += row("waiting", plural(static_cast<std::int64_t>(model.pending.size()), "decision") +
                            " without an answer");
  return out;
}

std::string fields_text(const std::vector<FieldSummary>& fields) {
  std::string out = "\nFields:\n";
  for (const FieldSummary& field : fields) {
    out += fmt::format("  {} {} {}  {}\n", pad_right(field.name, 28), pad_right(field.type, 9),
                       pad_left(thousands(field.count), 10), field.value);
  }
  return out;
}

std::string weights_text(const Weights& weights) {
  std::string out = "\nWeights";
  if (!weights.member.empty()) out += " of " + weights.member + ", the member that weighs most";
  out += ": what a feature of value 1 adds to the score of a label\n";
  for (const LabelWeights& label : weights.labels) {
    out += "  " + label.label;
    if (label.constant != 0) out += fmt::format("  (constant {:+.4g})", label.constant);
    out += '\n';
    for (const NamedWeight& one : label.features) {
      out +=
          fmt::format("  {}  {}\n", pad_left(fmt::format("{:+.4g}", one.weight), 12), one.feature);
    }
  }
  return out;
}

int inspect(const InspectSettings& settings) {
  require_argument(settings.path, "MODEL");
  if (settings.top && !settings.weights) {
    throw Error(ErrorKind::kUsage, "--top needs --weights");
  }
  const Model model = open_model(settings.path);
  if (settings.weights) {
    const std::int64_t top = integer_or(settings.top, "--top", 1, kTop);
    const Weights found = weights(model, static_cast<std::size_t>(top));
    print(settings.json ? weights_json(found) + '\n'
                        : printable(model_text(model, settings.path) + weights_text(found)));
    return kOk;
  }
  std::vector<FieldSummary> fields;
  if (settings.fields) {
    fields = summarize(model.replayed > 0 ? write_model(model) : model_bytes(settings.path));
  }
  print(settings.json ? lab::model_json(model, fields)
                      : printable(model_text(model, settings.path) +
                                  (settings.fields ? fields_text(fields) : "")));
  return kOk;
}

}  // namespace

Action define_inspect(CLI::App& command) {
  auto settings = std::make_shared<InspectSettings>();
  command.description(
      "Prints what is in a model file: learner, options, seed, how long it has learnt and how "
      "well, labels, features, how input is prepared, and the decisions that wait for an answer.");
  command.footer(
      "  soba inspect tickets.model\n"
      "  soba inspect tickets.model --weights --top 5\n"
      "  soba inspect tickets.model --fields\n"
      "  soba inspect tickets.model --json\n");
  command.add_option("MODEL", settings->path, "A file that --save of run or decide has written.")
      ->group("Arguments");
  command.add_flag("--json", settings->json, "Print one JSON object.")->group("Options");
  command
      .add_flag("--fields", settings->fields,
                "Also list every stored field: name, type, number of entries, and short values.")
      ->group("Options");
  command
      .add_flag("--weights", settings->weights,
                "Also list the features that count most for each label; with --json, only these. "
                "For a mixture, those of the member that weighs most.")
      ->group("Options");
  add_text_option(
      command, "--top", settings->top, "N",
      fmt::format("With --weights: features of each label, N >= 1. Default: {}.", kTop));
  return [settings] { return inspect(*settings); };
}

}  // namespace soba::cli
