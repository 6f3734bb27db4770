// soba convert: rewrites data in another format.

#include <fmt/format.h>

#include <memory>

#include "data_options.h"
#include "output.h"
#include "soba/lab/files.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct ConvertSettings {
  std::string data, output;
  std::optional<std::string> to;
  OptionValues data_options;
  bool quiet = false;
};

void report(const Converted& done, const Source& source, const ConvertSettings& settings,
            const std::string& format) {
  std::string counts =
      fmt::format("{}, {}, {}, {}", plural(done.examples, "example"),
                  plural(source.schema().labels.size(), "label"),
                  plural(source.shape().features, "feature"), plural(done.values, "value"));
  if (source.skipped() > 0) {
    counts += fmt::format("; left out {}, the first: {}", plural(source.skipped(), "bad line"),
                          source.first_skipped());
  }
  note_findings(source);
  note(counts);
  if (format == "libsvm" && source.schema().named_features) {
    note("LIBSVM keeps no names: the features are numbered from 1 in the order in which they came");
  }
  if (settings.output != "-") note("written to " + settings.output);
}

int convert(const ConvertSettings& settings) {
  require_argument(settings.data, "DATA");
  require_argument(settings.output, "OUTPUT");
  const std::string format = lab::output_format(settings.output, settings.to);
  if (settings.output != "-") check_outputs(settings.data, {{"OUTPUT", settings.output}});
  SourceOptions options = parse_source_options(settings.data_options);
  options.need_size = format == "csv";
  Source source(settings.data, options, Schema{});
  const Converted done = lab::convert_to(source, settings.output, format);
  if (!settings.quiet) report(done, source, settings, format);
  return kOk;
}

}  // namespace

Action define_convert(CLI::App& command) {
  auto settings = std::make_shared<ConvertSettings>();
  command.description(
      "Rewrites data in another format, scaled and shuffled as the options say. A cache (.soba) is "
      "binary, and read many times faster than text. Prints counts on "
      "standard error. 'soba convert reuters4' is a verb of its own, which makes the paper's "
      "Reuters4 of the files of RCV1-v2: see 'soba convert reuters4 --help'. Data called reuters4 "
      "is ./reuters4.");
  command.footer(
      "  soba convert history.csv history.libsvm.xz --label outcome\n"
      "  soba convert data.libsvm scaled.jsonl --scale maxabs --bias\n"
      "  soba convert data.libsvm.gz - --to csv --limit 100\n"
      "  soba convert data.libsvm.xz data.soba && soba run data.soba --learner soba\n");
  add_data_argument(command, settings->data);
  command
      .add_option(
          "OUTPUT", settings->output,
          "The new file, or - for standard output; .gz, .xz and .zst compress. Replaced only "
          "when it is complete.")
      ->group("Arguments");
  add_text_option(command, "--to", settings->to, "FORMAT",
                  "libsvm, csv, jsonl or cache. Default: by the name of OUTPUT.");
  command.add_flag("--quiet", settings->quiet, "No counts on standard error.")->group("Options");
  add_data_options(command, settings->data_options);
  return [settings] { return convert(*settings); };
}

}  // namespace soba::cli
