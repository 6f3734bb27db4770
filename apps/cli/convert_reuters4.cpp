// soba convert reuters4: makes the paper's text data of the files of RCV1-v2.

#include <fmt/format.h>

#include <memory>

#include "conversion.h"
#include "data/reuters.h"
#include "data_options.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "soba/error.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

// What the paper says of its Reuters4.
constexpr std::int64_t kPaperDocuments = 665'265;
constexpr Index kPaperFeatures = 47'236;

struct Reuters4Settings {
  std::vector<std::string> vectors;
  std::string topics;
  std::optional<std::string> output;
  bool quiet = false;
};

void convert_file(Reuters4& set, Input vectors, Writer& writer, Progress& progress) {
  const std::string name = vectors.name();
  progress.say("reading " + name);
  const std::unique_ptr<Stream> stream = set.open(std::move(vectors));
  while (const Block* block = stream->next()) {
    write_block(*block, writer);
    if (progress.due()) {
      progress.say(fmt::format("{}, reading {}", plural(set.counts().documents, "document"), name));
    }
    if (interrupted() != 0) throw Interrupted{interrupted()};
  }
}

// Whether the counts are those of the paper, or which are not.
std::string verdict(const Reuters4Counts& counts) {
  std::vector<std::string> differences;
  if (counts.all_kept() != kPaperDocuments) {
    differences.push_back(fmt::format("{} instead of {}", plural(counts.all_kept(), "document"),
                                      thousands(kPaperDocuments)));
  }
  if (counts.features != kPaperFeatures) {
    differences.push_back(fmt::format("{} instead of {}", plural(counts.features, "feature"),
                                      thousands(kPaperFeatures)));
  }
  if (!differences.empty()) return "not the paper's Reuters4: " + sentence_list(differences);
  return fmt::format("the counts are those of the paper's Reuters4: {}, {}",
                     plural(kPaperDocuments, "document"), plural(kPaperFeatures, "feature"));
}

void report(const Reuters4Counts& counts) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < kReuters4Topics.size(); ++i) {
    labels.push_back(fmt::format("{} {} {}", i + 1, kReuters4Topics[i], thousands(counts.kept[i])));
  }
  note(fmt::format("{} read, {} kept, {}", plural(counts.documents, "document"),
                   thousands(counts.all_kept()), plural(counts.features, "feature")));
  note("labels: " + sentence_list(labels));
  note(
      fmt::format("left out: {} with none of these topics, {} with several, {} not in the topics "
                  "file",
                  thousands(counts.none), thousands(counts.several), thousands(counts.unlisted)));
  if (counts.without_vector() > 0) {
    note(fmt::format("in the topics file, but in none of these vectors files: {}",
                     plural(counts.without_vector(), "document")));
  }
  note(verdict(counts));
}

int convert_reuters4(const Reuters4Settings& settings) {
  if (settings.vectors.empty()) throw Error(ErrorKind::kUsage, "VECTORS is missing");
  require_argument(settings.topics, "--topics");
  const std::string output = settings.output.value_or("-");
  // All of them before the work starts, which takes minutes.
  std::vector<Input> vectors;
  for (const std::string& path : settings.vectors) {
    if (output != "-") check_outputs(path, {{"--output", output}});
    vectors.push_back(Input::open_path(path));
  }
  if (output != "-") check_outputs(settings.topics, {{"--output", output}});
  catch_interrupts();

  Reuters4Counts counts;
  {
    Progress progress(Progress::suitable(settings.quiet), "", std::nullopt);
    progress.say("reading " + settings.topics);
    Reuters4 set(Input::open_path(settings.topics));
    const std::unique_ptr<Writer> writer = open_writer(output, "libsvm", set.schema(), 0);
    for (Input& input : vectors) convert_file(set, std::move(input), *writer, progress);
    counts = set.counts();
    if (counts.all_kept() == 0) {
      throw Error(ErrorKind::kInput,
                  fmt::format("none of the {} has exactly one of the topics {} in {}",
                              plural(counts.documents, "document"),
                              sentence_list({kReuters4Topics.begin(), kReuters4Topics.end()}),
                              settings.topics));
    }
    writer->finish();
  }
  if (settings.quiet) return kOk;
  report(counts);
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
