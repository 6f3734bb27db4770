#include "learner_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "data_options.h"
#include "text.h"

namespace soba::cli {

namespace {

// One option in the words of every learner that has it: learners that say the same share a line.
// Ranges and defaults are on the learners' pages: there are too many for one screen.
std::string explain(const std::string& option) {
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

std::vector<std::string> option_names() {
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

std::string type_name(const std::string& option) {
  for (const LearnerInfo& info : learners()) {
    if (const OptionSpec* spec = find_option(info, option)) {
      if (spec->kind == "choice") return "WORD";
      return spec->kind == "integer" ? "N" : spec->kind == "text" ? "TEXT" : "X";
    }
  }
  return "X";
}

[[noreturn]] void no_such_option(const LearnerInfo& info, const std::string& option) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : info.options) names.push_back("--" + spec.name);
  throw Error(ErrorKind::kUsage,
              fmt::format("learner '{}' has no option '--{}'; it has {}", info.name, option,
                          names.empty() ? "none" : sentence_list(names)));
}

}  // namespace

void add_learner_options(CLI::App& command, LearnerOptions& options) {
  std::vector<std::string> names;
  for (const LearnerInfo& info : learners()) names.push_back(info.name);
  for (const LearnerAlias& alias : learner_aliases()) names.push_back(alias.name);
  add_text_option(command, "--learner", options.name, "NAME",
                  sentence_list(names) +
                      ". soba algorithms compares them; soba algorithms NAME has the ranges and "
                      "defaults of its options.",
                  "Learner");
  for (const std::string& name : option_names()) {
    command
        .add_option_function<std::string>(
            "--" + name, [&options, name](const std::string& text) { options.given[name] = text; },
            explain(name))
        ->type_name(type_name(name))
        ->group("Learner");
  }
}

NamedLearner find_learner(std::string_view name) {
  NamedLearner found;
  for (const LearnerAlias& alias : learner_aliases()) {
    if (alias.name != name) continue;
    found = find_learner(alias.learner);
    found.preset = alias.options;
    return found;
  }
  for (const LearnerInfo& info : learners()) {
    if (info.name == name) found.info = &info;
  }
  return found;
}

void check_learner_options(const LearnerOptions& options) {
  if (!options.name) {
    throw Error(ErrorKind::kUsage, "--learner is missing; 'soba algorithms' lists the learners");
  }
  const NamedLearner named = find_learner(*options.name);
  if (named.info == nullptr) {
    choose_learner(*options.name, {});  // knows how to say it
    return;
  }
  for (const auto& [option, text] : options.given) {
    if (find_option(*named.info, option) == nullptr) no_such_option(*named.info, option);
  }
}

std::string option_text(const LearnerOptions& options, const std::string& option) {
  const NamedLearner named = find_learner(options.name.value_or(""));
  const OptionSpec* spec = named.info == nullptr ? nullptr : find_option(*named.info, option);
  if (spec == nullptr) return "";
  if (const auto given = options.given.find(option); given != options.given.end()) {
    return given->second;
  }
  const auto preset = named.preset.find(option);
  return preset != named.preset.end() ? preset->second : spec->default_value;
}

void check_against_model(const LearnerOptions& options, const Model& model) {
  LearnerOptions wanted = options;
  if (!wanted.name) wanted.name = model.learner_name;
  check_learner_options(wanted);
  const NamedLearner named = find_learner(*wanted.name);
  if (named.info->name != model.learner_name) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--learner {} contradicts the loaded model, which is of learner {}",
                            *wanted.name, model.learner_name));
  }
  OptionValues stated = named.preset;
  for (const auto& [option, text] : wanted.given) stated[option] = text;
  // Completed on top of the model's options, so that rules between options see the whole.
  OptionValues together = model.options;
  for (const auto& [option, text] : stated) together[option] = text;
  const OptionValues complete = choose_learner(model.learner_name, together).options;
  for (const auto& [option, text] : stated) {
    const auto stored = model.options.find(option);
    if (stored != model.options.end() && stored->second != complete.at(option)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--{} {} contradicts the loaded model, which has {}", option, text,
                              stored->second));
    }
  }
}

Json options_json(const std::string& learner, const OptionValues& values) {
  Json out = Json::object();
  const NamedLearner named = find_learner(learner);
  for (const auto& [name, text] : values) {
    const OptionSpec* spec = named.info == nullptr ? nullptr : find_option(*named.info, name);
    const bool word = spec == nullptr || spec->kind == "choice" || spec->kind == "text";
    const Json number = word ? Json() : Json::parse(text, nullptr, false);
    if (number.is_number()) {
      out[name] = number;
    } else {
      out[name] = text;
    }
  }
  return out;
}

std::string options_text(const OptionValues& values) {
  std::string out;
  for (const auto& [name, text] : values) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, text);
  }
  return out;
}

}  // namespace soba::cli
