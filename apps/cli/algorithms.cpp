// soba algorithms: the learners, from their registry.

#include <fmt/format.h>

#include <memory>

#include "output.h"
#include "soba/error.h"
#include "soba/lab/describe.h"
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
  out += row("scale", lab::scale_text(info.scale_free));
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += row("alias", lab::alias_text(alias));
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
  out += row("scale", lab::scale_text(info.scale_free));
  out += row("deviations", info.deviations);
  out += row("reference", info.reference);
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.learner == info.name) out += row("alias", lab::alias_text(alias));
  }
  out += info.options.empty() ? "\nNo options.\n" : "\nOptions:\n";
  for (const OptionSpec& spec : info.options) {
    out += fmt::format("  --{}\n      {}\n", spec.name, wrap(spec.help, 6, 6));
    out += fmt::format("      {}\n",
                       wrap(fmt::format("{}; default {}", spec.range, spec.default_value), 6, 6));
  }
  return out;
}

std::string list_text() {
  std::string out;
  for (const LearnerInfo& info : learners()) out += entry(info) + '\n';
  return out + "'soba algorithms NAME' prints the page of one, with its options.\n";
}

int algorithms(const AlgorithmsSettings& settings) {
  if (settings.json && settings.markdown) {
    throw Error(ErrorKind::kUsage, "--json and --markdown do not go together");
  }
  if (settings.name.empty()) {
    print(settings.json       ? lab::learners_json()
          : settings.markdown ? lab::learners_markdown()
                              : list_text());
    return kOk;
  }
  const LearnerInfo& info = *choose_learner(settings.name, {}).info;
  print(settings.json       ? lab::learner_json(info)
        : settings.markdown ? lab::learner_markdown(info)
                            : page(info));
  return kOk;
}

}  // namespace

Action define_algorithms(CLI::App& command) {
  auto settings = std::make_shared<AlgorithmsSettings>();
  command.description(
      "Lists the learners: how they explore, what is proved about them, what they cost, and "
      "whether the scale of features matters. With NAME, the page of one learner: what it does, "
      "when to use it, the scale of input that it wants, its options.");
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
