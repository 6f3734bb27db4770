// soba convert reuters4: makes the paper's text data of the files of RCV1-v2.

#include <fmt/format.h>

#include <memory>

#include "data_options.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "soba/error.h"
#include "soba/lab/facts.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct Reuters4Settings {
  std::vector<std::string> vectors;
  std::string topics;
  std::optional<std::string> output;
  bool quiet = false;
};

int convert_reuters4(const Reuters4Settings& settings) {
  if (settings.vectors.empty()) throw Error(ErrorKind::kUsage, "VECTORS is missing");
  require_argument(settings.topics, "--topics");
  const std::string output = settings.output.value_or("-");
  for (const std::string& path : settings.vectors) {
    if (output != "-") check_outputs(path, {{"--output", output}});
  }
  if (output != "-") check_outputs(settings.topics, {{"--output", output}});
  catch_interrupts();

  Reuters4Counts counts;
  {
    Progress progress(Progress::suitable(settings.quiet), "", std::nullopt);
    std::string reading;
    const auto on_progress = [&](const std::string& file, const Reuters4Counts& so_far) {
      if (file != reading) {
        reading = file;
        progress.say("reading " + file);
      } else if (progress.due()) {
        progress.say(fmt::format("{}, reading {}", plural(so_far.documents, "document"), file));
      }
      if (interrupted() != 0) throw Interrupted{interrupted()};
    };
    counts = soba::convert_reuters4(settings.vectors, settings.topics, output, on_progress);
  }
  if (settings.quiet) return kOk;
  for (const std::string& remark : lab::reuters4_remarks(counts)) note(remark);
  if (output != "-") note("written to " + output);
  return kOk;
}

}  // namespace

Action define_convert_reuters4(CLI::App& command) {
  auto settings = std::make_shared<Reuters4Settings>();
  command.description(
      "Makes the paper's Reuters4 of the files of RCV1-v2 (Lewis, Yang, Rose, Li, JMLR 5, 2004), "
      "which are on-line appendices of that article: the vectors are appendix 13, the topics "
      "appendix 8. Keeps the documents that have exactly one of the topics CCAT, ECAT, GCAT and "
      "MCAT, with the labels 1, 2, 3 and 4, in the order of the files as given; writes LIBSVM. "
      "Prints counts on standard error, and whether they are the paper's: 665,265 documents, "
      "47,236 features. A bad line, or a document that comes twice, stops it with its place.");
  command.footer(
      "  soba convert reuters4 lyrl2004_vectors_train.dat.gz \\\n"
      "      lyrl2004_vectors_test_pt?.dat.gz --topics rcv1-v2.topics.qrels.gz \\\n"
      "      --output reuters4.libsvm.xz\n"
      "  soba run reuters4.libsvm.xz --shuffle 1 --learner auto\n");
  command
      .add_option("VECTORS", settings->vectors,
                  "Files of term vectors, 'document  term:weight term:weight ...' in every line; "
                  "plain or compressed (gzip, xz, zstd).")
      ->group("Arguments");
  command
      .add_option("--topics", settings->topics,
                  "The file of topics, 'TOPIC document 1' in every line; plain or compressed.")
      ->type_name("FILE")
      ->group("Options");
  add_text_option(command, "--output", settings->output, "FILE",
                  "The new file; .gz, .xz and .zst compress. Replaced only when it is complete. "
                  "Default: standard output.");
  command.add_flag("--quiet", settings->quiet, "No progress and no counts on standard error.")
      ->group("Options");
  return [settings] { return convert_reuters4(*settings); };
}

}  // namespace soba::cli
