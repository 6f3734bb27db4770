// soba algorithms: the learners, from their registry.

#include <fmt/format.h>

#include <memory>
#include <utility>

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

// One screen: a line for each learner, but only the names of those that are for comparison.
std::string list_text() {
  std::string out, group, names;
  const auto end_group = [&] {
    if (!names.empty()) out += "  " + wrap(std::exchange(names, ""), 2, 2) + '\n';
  };
  for (const LearnerInfo& info : learners()) {
    if (info.group != group) {
      end_group();
      group = info.group;
      out += fmt::format("{}:\n", group);
    }
    if (group == "for study" || info.feedback != "bandit") {
      names += (names.empty() ? "" : ", ") + info.name;
    } else {
      out += fmt::format("  {} {}\n", pad_right(info.name, 12), info.summary);
    }
  }
  end_group();
  std::string aliases;
  for (const LearnerAlias& alias : learner_aliases()) {
    aliases += (aliases.empty() ? "" : ", ") + alias.name;
  }
  return out + "aliases:\n  " + wrap(aliases, 2, 2) +
         "\n'soba algorithms NAME' prints the page of one, with its options.\n";
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
      "Lists the learners. With NAME, the page of one: what it does, when to use it, how it "
      "explores, what is proved about it, what it costs, the scale of input that it wants, its "
      "options.");
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
