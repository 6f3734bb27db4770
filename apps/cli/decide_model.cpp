#include "decide_model.h"

#include "data_options.h"
#include "soba/error.h"

namespace soba::cli {

void add_model_options(CLI::App& command, DecideSettings& settings) {
  add_text_option(command, "--model", settings.model, "FILE",
                  "Load this model if the file exists, and save it there.", "Model");
  add_text_option(command, "--load", settings.load, "FILE", "Go on with this model.", "Model");
  add_text_option(command, "--save", settings.save, "FILE", "Save the model there.", "Model");
  add_text_option(
      command, "--save-every", settings.save_every, "N",
      "Save also after every N decisions and answers, N >= 1. Default: where the journal is long, "
      "and at the end.",
      "Model");
  add_text_option(command, "--durability", settings.durability, "WORD",
                  "strict: a reply waits for the disk, and survives a power cut; relaxed: for the "
                  "operating system, and survives the program's death. Default: strict.",
                  "Model");
}

void add_new_model_options(CLI::App& command, DecideSettings& settings) {
  OptionValues& given = settings.data_options;
  for (const char* option : {"labels", "labels-file", "ignore", "only", "categorical", "dates",
                             "text", "missing", "vocabulary", "bigrams", "hash-bits"}) {
    add_data_option(command, given, option, "", "New model");
  }
  add_data_option(command, given, "classes", "The labels are 1, 2, …, N; at least 2.", "New model");
  add_data_option(command, given, "normalize",
                  "l2: divide each example by its Euclidean norm; or none. Default: none.",
                  "New model");
  add_data_option(command, given, "bias", "Add a feature that is always 1.", "New model");
  add_text_option(command, "--seed", settings.seed, "N",
                  "Seed of the exploration. A whole number >= 0. Default: 1.", "New model");
}

Model fresh_model(const DecideSettings& settings) {
  check_learner_options(settings.learner);
  const SourceOptions options = parse_source_options(settings.data_options);
  Schema schema = schema_of(options);
  if (schema.labels.size() == 0) {
    throw Error(ErrorKind::kUsage,
                "--labels, --labels-file or --classes must say what there is to choose from");
  }
  const auto seed = static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1));
  return new_model(*settings.learner.name, settings.learner.given, std::move(schema), seed);
}

Model loaded_model(const DecideSettings& settings, const std::string& path) {
  Model model = open_model(path);
  check_against_model(settings.learner, settings.seed, model);
  source_options_for(settings.data_options, model.schema);  // throws where they contradict
  return model;
}

}  // namespace soba::cli
