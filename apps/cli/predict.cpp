// soba predict: what a model says of every example of some data.

#include <fmt/format.h>

#include <memory>

#include "data_options.h"
#include "learner_options.h"
#include "output.h"
#include "soba/error.h"
#include "soba/lab/files.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct PredictSettings {
  std::string model, data;
  std::optional<std::string> out;
  OptionValues data_options;
  bool scores = false, probabilities = false;
};

int predict(const PredictSettings& settings) {
  require_argument(settings.model, "MODEL");
  require_argument(settings.data, "DATA");
  if (settings.scores && settings.probabilities) {
    throw Error(ErrorKind::kUsage, "--scores and --probabilities exclude each other");
  }
  check_outputs(settings.data, {{"--out", settings.out}});
  check_outputs(settings.model, {{"--out", settings.out}});
  const Model model = open_model(settings.model);
  SourceOptions options = source_options_for(settings.data_options, model.schema);
  options.need_labels = false;
  Source source(settings.data, options, model.schema);
  const Forecast forecast = settings.scores          ? Forecast::kScores
                            : settings.probabilities ? Forecast::kProbabilities
                                                     : Forecast::kLabel;
  const std::int64_t rows =
      lab::write_predictions(source, model, forecast, settings.out.value_or("-"));
  if (settings.out) note(fmt::format("{} written to {}", plural(rows, "row"), *settings.out));
  if (source.skipped() > 0) {
    note(fmt::format("left out {}, the first: {}", plural(source.skipped(), "bad line"),
                     source.first_skipped()));
  }
  return kOk;
}

}  // namespace

Action define_predict(CLI::App& command) {
  auto settings = std::make_shared<PredictSettings>();
  command.description(
      "Writes the label that a model thinks best for each example, as CSV with the header 'label', "
      "one row an example, in order. Nothing is explored, nothing is learnt, and the model stays "
      "as it is. DATA may have labels; they are not looked at.");
  command.footer(
      "  soba predict tickets.model new.csv\n"
      "  soba predict tickets.model new.jsonl.gz --probabilities --out predicted.csv\n"
      "  cut -d, -f2- new.csv | soba predict tickets.model - --format csv --scores\n");
  command.add_option("MODEL", settings->model, "A file that --save of run or decide has written.")
      ->group("Arguments");
  add_data_argument(command, settings->data);
  command
      .add_flag("--scores", settings->scores,
                "A column for each label behind the first: its score. The highest one wins.")
      ->group("Predictions");
  command
      .add_flag("--probabilities", settings->probabilities,
                "A column for each label behind the first: the probability with which 'soba "
                "decide' would pick it now.")
      ->group("Predictions");
  add_text_option(command, "--out", settings->out, "FILE",
                  "Write to this file, which appears when it is complete; .gz, .xz and .zst "
                  "compress. Default: standard output.",
                  "Predictions");
  add_data_options(command, settings->data_options, {"reading", "bad lines"});
  return [settings] { return predict(*settings); };
}

}  // namespace soba::cli
