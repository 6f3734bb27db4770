// soba algorithms: the learners, from their registry.

#include <fmt/format.h>

#include <memory>

#include "learner_options.h"
#include "output.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct AlgorithmsSettings {
  std::string name;
  bool json = false;
};

std::string row(std::string_view name, std::string_view text) {
  return fmt::format("  {} {}\n", pad_right(name, 12), wrap(text, 15, 15));
}

std::string alias_text(const LearnerAlias& alias) {
  std::string options;
  for (const auto& [name, value] : alias.options) options += fmt::format(" --{} {}", name, value);
  return fmt::format("{} = {}{}", alias.name, alias.learner, options);
}

std::string facts(const LearnerInfo& info) {
  std::string out = info.name + '\n';
  out += "  " + wrap(info.summary, 2, 2) + '\n';
  out += row("feedback", info.feedback);
  out += row("guarantee", info.guarantee);
  out += row("cost", info.cost);
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += row("alias", alias_text(alias));
  }
  return out;
}

std::string page(const LearnerInfo& info) {
  std::string out = facts(info) + row("reference", info.reference);
  out += info.options.empty() ? "\nNo options.\n" : "\nOptions:\n";
  for (const OptionSpec& spec : info.options) {
    out += fmt::format("  --{}\n      {}\n", spec.name, wrap(spec.help, 6, 6));
    out += fmt::format("      {}\n",
                       wrap(fmt::format("{}; default {}", spec.range, spec.default_value), 6, 6));
  }
  return out;
}

Json info_json(const LearnerInfo& info) {
  Json out;
  out["name"] = info.name;
  out["summary"] = info.summary;
  out["feedback"] = info.feedback;
  out["guarantee"] = info.guarantee;
  out["cost"] = info.cost;
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

int show_all(bool json) {
  if (json) {
    Json list = Json::array();
    for (const LearnerInfo& info : learners()) list.push_back(info_json(info));
    print_json(list);
    return kOk;
  }
  std::string out;
  for (const LearnerInfo& info : learners()) out += facts(info) + '\n';
  print(out + "'soba algorithms NAME' shows the options of one.\n");
  return kOk;
}

int algorithms(const AlgorithmsSettings& settings) {
  if (settings.name.empty()) return show_all(settings.json);
  const LearnerInfo& info = *choose_learner(settings.name, {}).info;
  if (settings.json) {
    print_json(info_json(info));
  } else {
    print(page(info));
  }
  return kOk;
}

}  // namespace

Action define_algorithms(CLI::App& command) {
  auto settings = std::make_shared<AlgorithmsSettings>();
  command.description(
      "Lists the learners: what they are told (bandit: only whether the played label was right), "
      "what "
      "is proved about them and what they cost. With NAME, the page of one learner with its "
      "options.");
  command.footer(
      "  soba algorithms\n"
      "  soba algorithms soba\n"
      "  soba algorithms --json\n");
  command.add_option("NAME", settings->name, "A learner or an alias. Default: all learners.")
      ->group("Arguments");
  command.add_flag("--json", settings->json, "Print JSON.")->group("Options");
  return [settings] { return algorithms(*settings); };
}

}  // namespace soba::cli
