// soba generate: writes the examples of a generator.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "data_options.h"
#include "output.h"
#include "soba/error.h"
#include "soba/lab/files.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct GenerateSettings {
  std::string spec;
  std::optional<std::string> output, to;
};

int generate(const GenerateSettings& settings) {
  require_argument(settings.spec, "SPEC");
  if (settings.spec == "-" || std::filesystem::exists(settings.spec)) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("'{}' is data, not a generator; 'soba convert' rewrites data", settings.spec));
  }
  const std::string output = settings.output.value_or("-");
  const std::string format = lab::output_format(output, settings.to);
  if (output != "-") check_outputs("-", {{"--output", output}});

  SourceOptions options;
  options.need_size = format == "csv";
  Source source(settings.spec, options, Schema{});
  const Converted done = lab::convert_to(source, output, format);
  if (output != "-")
    note(fmt::format("{} written to {}", plural(done.examples, "example"), output));
  return kOk;
}

}  // namespace

Action define_generate(CLI::App& command) {
  auto settings = std::make_shared<GenerateSettings>();
  command.description(
      "Writes the examples of a generator, so that other programs can use them. The same SPEC "
      "always gives the same examples.");
  command.footer(
      "  soba generate synsep:n=1000,seed=1\n"
      "  soba generate synnonsep:n=1e6,seed=7,noise=0.05 --output data.libsvm.xz\n"
      "  soba generate synsep:n=100 --to csv\n");
  command
      .add_option("SPEC", settings->spec,
                  "The generator and its settings: synsep or synnonsep, then n (examples), seed "
                  "(default 1) and, for synnonsep, noise (the share of labels drawn anew).")
      ->group("Arguments");
  add_text_option(command, "--output", settings->output, "FILE",
                  "Where to write; .gz, .xz and .zst compress. Default: standard output.");
  add_text_option(command, "--to", settings->to, "FORMAT",
                  "libsvm, csv, jsonl or cache. Default: by the name of FILE, else libsvm.");
  return [settings] { return generate(*settings); };
}

}  // namespace soba::cli
