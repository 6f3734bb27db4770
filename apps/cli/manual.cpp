#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "soba/data.h"
#include "soba/registry.h"
#include "soba/version.h"

namespace soba::cli {

namespace {

// For roff: no character with a meaning, and one paragraph a line of text.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += "\n.br\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("\\fB\\-" + name + "\\fR");
  for (const std::string& name : option.get_lnames()) {
    names.push_back("\\fB\\-\\-" + roff(name) + "\\fR");
  }
  if (names.empty()) names.push_back("\\fI" + roff(option.get_name(true, false)) + "\\fR");
  std::string out = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_positional() || option.get_expected_max() == 0) return out;
  return out + " \\fI" + roff(option.get_type_name()) + "\\fR";
}

std::string group_text(const CLI::App& command, const std::string& group) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != group) continue;
    out += ".TP\n" + option_names(*option) + '\n' + roff(option->get_description()) + '\n';
  }
  return out;
}

// `said`: options that an earlier verb has explained, and that verb.
std::string verb_section(const Verb& verb, std::map<std::string, std::string_view>& said) {
  CLI::App command;
  command.set_help_flag();
  verb.define(command);
  std::string out = fmt::format(".SS soba {} {}\n{}\n", verb.name, roff(verb.arguments),
                                roff(command.get_description()));
  for (const std::string& group : command.get_groups()) {
    const std::string text = group_text(command, group);
    if (group.empty() || text.empty()) continue;
    const auto [first, is_new] = said.try_emplace(text, verb.name);
    if (is_new) {
      out += text;
    } else if (first->second != verb.name) {
      out += fmt::format(".PP\n{}: as for \\fBsoba {}\\fR.\n", roff(group), first->second);
    }
  }
  if (!command.get_footer().empty()) {
    out += ".PP\nExamples:\n.PP\n.nf\n" + roff(command.get_footer()) + "\n.fi\n";
  }
  return out;
}

// The words that an option takes, where it is a choice among words.
std::map<std::string, std::set<std::string>> choices() {
  std::map<std::string, std::set<std::string>> out;
  const auto add = [&](const OptionSpec& spec) {
    if (spec.kind != "choice") return;
    std::string_view rest = spec.range;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(" | "), rest.size());
      out[spec.name].emplace(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 3, rest.size()));
    }
  };
  for (const OptionSpec& spec : source_option_specs()) add(spec);
  for (const LearnerInfo& info : learners()) {
    out["learner"].insert(info.name);
    for (const OptionSpec& spec : info.options) add(spec);
  }
  for (const LearnerAlias& alias : learner_aliases()) out["learner"].insert(alias.name);
  return out;
}

std::string long_options(const Verb& verb) {
  CLI::App command;
  command.set_help_flag("--help,-h", "");
  verb.define(command);
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string man_page(std::span<const Verb> verbs) {
  std::string out = fmt::format(
      ".TH SOBA 1 \"\" \"soba {}\" \"User Commands\"\n"
      ".SH NAME\nsoba \\- online multiclass learning with bandit feedback\n"
      ".SH SYNOPSIS\n.B soba\n.I verb\n.RI [ arguments ]\n"
      ".SH DESCRIPTION\n"
      "Picks one of k labels for each example and learns from being told only whether the pick was "
      "right.\n.SH VERBS\n",
      version());
  std::map<std::string, std::string_view> said;
  for (const Verb& verb : verbs) out += verb_section(verb, said);
  return out +
         ".SH EXIT STATUS\n"
         "0 ok, 1 a check failed, 2 wrong usage, 3 bad input, 4 anything else: no memory, a full "
         "disk, an internal error.\n";
}

std::string bash_completion(std::span<const Verb> verbs) {
  std::string words, values, options;
  for (const Verb& verb : verbs) {
    if (verb.name.find(' ') != std::string_view::npos) continue;  // its first word is a verb, too
    words += fmt::format("{} ", verb.name);
    options += fmt::format("    {}) words='{}' ;;\n", verb.name, long_options(verb));
  }
  std::string names;
  for (const auto& [option, all] : choices()) {
    values += fmt::format("    --{}) words='{}' ;;\n", option, fmt::join(all, " "));
    if (option == "learner") names = fmt::format("{}", fmt::join(all, " "));
  }
  return fmt::format(
      "# Completion of soba for bash, printed by 'soba help --completion'.\n"
      "_soba() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{}help --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "    help) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n"
      "    algorithms) [[ $current == -* ]] || words='{}' ;;\n"
      "  esac\n"
      "  case $previous in\n{}  esac\n"
      "  [ -n \"$words\" ] || [[ $current != -* ]] || case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  [ -n \"$words\" ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "}}\n"
      "complete -o filenames -F _soba soba\n",
      words, words, names, values, options);
}

}  // namespace soba::cli
