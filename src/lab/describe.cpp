#include "soba/lab/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lab/json.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

constexpr std::string_view kMarkdownStart =
    R"(# Algorithms

<!-- Printed by `soba algorithms --markdown` from what the learners say; a test compares. -->

`soba algorithms` lists them by group; `soba algorithms NAME` prints one section of this page.

Notation: k classes, d features, nnz non-zero features of an example, x the example, W the weights
(a row w_i for each class), s = W·x the scores, ŷ the label with the highest score, ỹ the label
played, p its probability, y the true label, T the number of rounds, γ the exploration rate.

)";

// A cell of a table: a bar would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

Json info_json(const LearnerInfo& info) {
  Json out;
  out["name"] = info.name;
  out["summary"] = info.summary;
  out["group"] = info.group;
  out["feedback"] = info.feedback;
  out["explores"] = info.explores;
  out["guarantee"] = info.guarantee;
  out["cost"] = info.cost;
  out["input"] = info.input;
  out["scale"] = scale_text(info.scale_free);
  out["about"] = info.about;
  out["use"] = info.use;
  out["deviations"] = info.deviations;
  out["reference"] = info.reference;
  out["options"] = Json::array();
  for (const OptionSpec& spec : info.options) {
    out["options"].push_back({{"name", spec.name},
                              {"kind", spec.kind},
                              {"default", spec.default_value},
                              {"range", spec.range},
                              {"help", spec.help}});
  }
  out["aliases"] = Json::array();
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) {
      out["aliases"].push_back(
          {{"name", alias.name}, {"options", options_json(info.name, alias.options)}});
    }
  }
  return out;
}

// How the model prepares its input, in the words of the options.
constexpr std::array<const char*, 10> kColumnOptions = {
    "ignore",  "only",       "categorical", "dates",       "text",
    "missing", "vocabulary", "bigrams",     "text-weight", "hash-bits"};

OptionValues preparation(const Schema& schema) {
  return source_option_values(source_options_for({}, schema));
}

}  // namespace

std::string_view scale_text(ScaleFree scale_free) {
  switch (scale_free) {
    case ScaleFree::kEachFeature:
      return "free: factors on features, and constants added to them, hardly matter";
    case ScaleFree::kWhole:
      return "a factor on all of x changes nothing; features should be of one scale";
    case ScaleFree::kNot:
      break;
  }
  return "matters: scale the features where they differ (--scale)";
}

std::string alias_text(const LearnerAlias& alias) {
  std::string options;
  for (const auto& [name, value] : alias.options) options += fmt::format(" --{} {}", name, value);
  return fmt::format("{} = {}{}", alias.name, alias.learner, options);
}

std::string learner_json(const LearnerInfo& info) { return indented(info_json(info)); }

std::string learners_json() {
  Json list = Json::array();
  for (const LearnerInfo& info : learners()) list.push_back(info_json(info));
  return indented(list);
}

std::string learner_markdown(const LearnerInfo& info) {
  std::string out = fmt::format("## {}\n\n**{}** {}\n\n{}\n\n", info.name, info.summary + ".",
                                info.about, info.use);
  if (!info.options.empty()) out += "| option | default | range | meaning |\n|---|---|---|---|\n";
  for (const OptionSpec& spec : info.options) {
    out += fmt::format("| `{}` | {} | {} | {} |\n", spec.name, spec.default_value, cell(spec.range),
                       cell(spec.help));
  }
  if (!info.options.empty()) out += '\n';
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += fmt::format("Alias: `{}`.\n\n", alias_text(alias));
  }
  const auto fact = [&](std::string_view name, std::string_view text) {
    out += fmt::format("- *{}:* {}\n", name, text);
  };
  if (!info.group.empty()) fact("Group", info.group);
  fact("Feedback", info.feedback);
  fact("Explores", info.explores);
  fact("Guarantee", info.guarantee);
  fact("Cost", info.cost);
  fact("Input", info.input);
  fact("Scale", scale_text(info.scale_free));
  fact("Deviations", info.deviations);
  fact("Reference", info.reference);
  return out;
}

std::string learners_markdown() {
  std::string out(kMarkdownStart);
  for (const LearnerInfo& info : learners()) out += learner_markdown(info) + '\n';
  out.pop_back();
  return out;
}

double played_error(const Tally& tally) {
  return tally.answers == 0
             ? 0
             : static_cast<double>(tally.mistakes) / static_cast<double>(tally.answers);
}

std::string options_text(const OptionValues& values) {
  std::string out;
  for (const auto& [name, text] : values) {
    if (text.empty()) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, text);
  }
  return out;
}

std::string columns_text(const Schema& schema) {
  const OptionValues how = preparation(schema);
  std::string out;
  for (const char* option : kColumnOptions) {
    if (!how.contains(option)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : "; ", option, how.at(option));
  }
  return out;
}

std::string position_text(const DataPosition& position) {
  if (position.complete) return "played to the end";
  return fmt::format("interrupted behind example {}; 'soba run DATA --resume MODEL' plays the rest",
                     thousands(position.examples));
}

std::string model_json(const Model& model, const std::vector<FieldSummary>& fields) {
  const Shape shape = predictor(model.learner).shape();
  Json out;
  out["learner"] = model.learner_name;
  out["options"] = options_json(model.learner_name, model.options);
  out["seed"] = model.seed;
  out["rounds"] = model.tally.rounds;
  out["answers"] = model.tally.answers;
  out["mistakes"] = model.tally.mistakes;
  out["error"] = played_error(model.tally);
  out["greedy_mistakes"] = model.tally.greedy_mistakes;
  out["updates"] = model.tally.updates;
  if (model.tally.skipped > 0) out["skipped_updates"] = model.tally.skipped;
  out["classes"] = shape.classes;
  out["labels"] = model.schema.labels.names();
  out["retired_labels"] = Json::array();
  for (const Label label : model.retired) {
    const NameMap& names = model.schema.labels;
    out["retired_labels"].push_back(label < names.size() ? names.name(label)
                                                         : std::to_string(label));
  }
  out["features"] = shape.features;
  out["feature_names"] = model.schema.features.names();
  out["scale"] = preparation(model.schema).at("scale");
  out["normalize"] = preparation(model.schema).at("normalize");
  out["bias"] = model.schema.bias;
  const OptionValues how = preparation(model.schema);
  for (const char* option : kColumnOptions) {
    if (how.contains(option)) out["columns"][option] = how.at(option);
  }
  out["position"] = nullptr;
  if (model.position && model.position->complete) {
    out["position"] = {{"complete", true}};
  } else if (model.position) {
    const DataPosition& at = *model.position;
    SourceOptions reading = at.reading;
    reading.labels.clear();  // above
    out["position"] = {{"complete", false},
                       {"examples", at.examples},
                       {"fingerprint", fmt::format("{:016x}", at.fingerprint)},
                       {"reading", source_option_values(reading)}};
  }
  out["pending"] = Json::array();
  for (const Pending& decision : model.pending) out["pending"].push_back(decision.id);
  if (!fields.empty()) {
    out["fields"] = Json::array();
    for (const FieldSummary& field : fields) {
      out["fields"].push_back({{"name", field.name},
                               {"type", field.type},
                               {"count", field.count},
                               {"value", field.value}});
    }
  }
  return indented(out);
}

std::string survey_json(const Survey& report) {
  Json out;
  out["data"] = report.data;
  out["ok"] = report.bad_lines == 0;
  out["examples"] = report.examples;
  out["labels"] = Json::object();
  for (std::size_t i = 0; i < report.labels.size(); ++i) {
    out["labels"][report.labels[i]] = report.label_counts[i];
  }
  out["features"] = report.features;
  out["values"] = report.values;
  out["density"] = report.density();
  out["minimum"] = report.minimum;
  out["maximum"] = report.maximum;
  out["unit_norm"] = report.all_unit_norm();
  if (!report.columns.empty()) out["columns"] = Json::array();
  for (const ColumnSurvey& column : report.columns) {
    Json one = {{"name", column.name},       {"type", column.type},
                {"values", column.values},   {"missing", column.missing},
                {"numbers", column.numbers}, {"distinct", column.distinct}};
    if (column.numbers > 0) {
      one["minimum"] = column.minimum;
      one["maximum"] = column.maximum;
    }
    if (!column.found.empty()) one["found"] = column.found;
    one["flags"] = column.flags;
    out["columns"].push_back(std::move(one));
  }
  out["bad_lines"] = report.bad_lines;
  out["first_bad"] = report.first_bad;
  out["warnings"] = warnings(report);
  return indented(out);
}

std::string learner_option_help(const std::string& option) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sayings;
  for (const LearnerInfo& info : learners()) {
    const OptionSpec* spec = find_option(info, option);
    if (spec == nullptr) continue;
    const auto same = [spec](const auto& saying) { return saying.first == spec->help; };
    auto saying = std::find_if(sayings.begin(), sayings.end(), same);
    if (saying == sayings.end()) saying = sayings.insert(saying, {spec->help, {}});
    saying->second.push_back(info.name);
  }
  std::string out;
  for (const auto& [help, names] : sayings) {
    out += fmt::format("{}{}: {}.", out.empty() ? "" : "\n", sentence_list(names), help);
  }
  return out;
}

std::vector<std::string> learner_option_names() {
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners()) {
    for (const OptionSpec& spec : info.options) {
      if (std::find(names.begin(), names.end(), spec.name) == names.end()) {
        names.push_back(spec.name);
      }
    }
  }
  return names;
}

}  // namespace soba::lab
