#include "learner_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "data_options.h"
#include "output.h"
#include "soba/lab/describe.h"
#include "soba/run.h"
#include "text.h"

namespace soba::cli {

namespace {

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
  for (const std::string& name : lab::learner_option_names()) {
    command
        .add_option_function<std::string>(
            "--" + name, [&options, name](const std::string& text) { options.given[name] = text; },
            lab::learner_option_help(name))
        ->type_name(type_name(name))
        ->group("Learner");
  }
}

void check_learner_options(const LearnerOptions& options) {
  if (!options.name) {
    throw Error(ErrorKind::kUsage, "--learner is missing; 'soba algorithms' lists the learners");
  }
  const LearnerInfo& info = *choose_learner(*options.name, {}).info;
  for (const auto& [option, text] : options.given) {
    if (find_option(info, option) == nullptr) no_such_option(info, option);
  }
}

Model open_model(const std::string& path) {
  Model model = load_model(path);
  if (model.replayed > 0) {
    note(fmt::format("{}: {} since it was saved are from its journal", path,
                     plural(model.replayed, "event")));
  }
  return model;
}

void check_against_model(const LearnerOptions& options, const std::optional<std::string>& seed,
                         const Model& model) {
  check_learner_options({options.name.value_or(model.learner_name), options.given});
  const auto number = static_cast<std::uint64_t>(
      integer_or(seed, "--seed", 0, static_cast<std::int64_t>(model.seed)));
  check_agrees(model, options.name, options.given, number);
}

}  // namespace soba::cli
