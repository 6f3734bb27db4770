// soba algorithms: the learners, from their registry.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "learner_options.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct AlgorithmsSettings {
  std::string name;
  bool json = false, markdown = false;
};

std::string row(std::string_view name, std::string_view text) {
  return fmt::format("  {} {}\n", pad_right(name, 12), wrap(text, 15, 15));
}

std::string alias_text(const LearnerAlias& alias) {
  std::string options;
  for (const auto& [name, value] : alias.options) options += fmt::format(" --{} {}", name, value);
  return fmt::format("{} = {}{}", alias.name, alias.learner, options);
}

std::string head(const LearnerInfo& info) {
  return fmt::format("{}\n  {}\n", info.name, wrap(info.summary, 2, 2));
}

// What tells the learners apart: one entry of the list.
std::string entry(const LearnerInfo& info) {
  std::string out = head(info);
  if (info.feedback != "bandit") out += row("feedback", info.feedback);
  out += row("explores", info.explores);
  out += row("guarantee", info.guarantee);
  out += row("cost", info.cost);
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += row("alias", alias_text(alias));
  }
  return out;
}

std::string page(const LearnerInfo& info) {
  std::string out = head(info);
  out += fmt::format("\n{}\n\n{}\n\n", wrap(info.about, 0, 0), wrap(info.use, 0, 0));
  out += row("feedback", info.feedback);
  out += row("explores", info.explores);
  out += row("guarantee", info.guarantee);
  out += row("cost", info.cost);
  out += row("input", info.input);
  out += row("deviations", info.deviations);
  out += row("reference", info.reference);
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += row("alias", alias_text(alias));
  }
  out += info.options.empty() ? "\nNo options.\n" : "\nOptions:\n";
  for (const OptionSpec& spec : info.options) {
    out += fmt::format("  --{}\n      {}\n", spec.name, wrap(spec.help, 6, 6));
    out += fmt::format("      {}\n",
                       wrap(fmt::format("{}; default {}", spec.range, spec.default_value), 6, 6));
  }
  return out;
}

constexpr std::string_view kMarkdownStart =
    R"(# Algorithms

<!-- Printed by `soba algorithms --markdown` from what the learners say of themselves; a test compares. -->

`soba algorithms` lists them; `soba algorithms NAME` prints one page of these.

Notation: k classes, d features, nnz non-zero features of an example, x the example, W the weights (a row
w_i for each class), s = W·x the scores, ŷ the label with the highest score, ỹ the label played, p its
probability, y the true label, T the number of rounds, γ the exploration rate.

)";

// A cell of a table: a bar would end it.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string markdown(const LearnerInfo& info) {
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
  fact("Feedback", info.feedback);
  fact("Explores", info.explores);
  fact("Guarantee", info.guarantee);
  fact("Cost", info.cost);
  fact("Input", info.input);
  fact("Deviations", info.deviations);
  fact("Reference", info.reference);
  return out;
}

Json info_json(const LearnerInfo& info) {
  Json out;
  out["name"] = info.name;
  out["summary"] = info.summary;
  out["feedback"] = info.feedback;
  out["explores"] = info.explores;
  out["guarantee"] = info.guarantee;
  out["cost"] = info.cost;
  out["input"] = info.input;
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

void show_all(const AlgorithmsSettings& settings) {
  if (settings.json) {
    Json list = Json::array();
    for (const LearnerInfo& info : learners()) list.push_back(info_json(info));
    print_json(list);
    return;
  }
  std::string out(settings.markdown ? kMarkdownStart : "");
  for (const LearnerInfo& info : learners()) {
    out += (settings.markdown ? markdown(info) : entry(info)) + '\n';
  }
  if (settings.markdown) {
    out.pop_back();
  } else {
    out += "'soba algorithms NAME' prints the page of one, with its options.\n";
  }
  print(out);
}

int algorithms(const AlgorithmsSettings& settings) {
  if (settings.json && settings.markdown) {
    throw Error(ErrorKind::kUsage, "--json and --markdown do not go together");
  }
  if (settings.name.empty()) {
    show_all(settings);
    return kOk;
  }
  const LearnerInfo& info = *choose_learner(settings.name, {}).info;
  if (settings.json) {
    print_json(info_json(info));
  } else {
    print(settings.markdown ? markdown(info) : page(info));
  }
  return kOk;
}

}  // namespace

Action define_algorithms(CLI::App& command) {
  auto settings = std::make_shared<AlgorithmsSettings>();
  command.description(
      "Lists the learners: how they explore, what is proved about them and what they cost. With "
      "NAME, the page of one learner: what it does, when to use it, the scale of input that it "
      "wants, its options.");
  command.footer(
      "  soba algorithms\n"
      "  soba algorithms soba\n"
      "  soba algorithms --json\n");
  command.add_option("NAME", settings->name, "A learner or an alias. Default: all learners.")
      ->group("Arguments");
  command.add_flag("--json", settings->json, "Print JSON.")->group("Options");
  command.add_flag("--markdown", settings->markdown, "Print Markdown.")->group("Options");
  return [settings] { return algorithms(*settings); };
}

}  // namespace soba::cli
