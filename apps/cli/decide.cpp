// soba decide: decisions for real, without labels, on standard input and output.

#include "soba/decide.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>

#include "data_options.h"
#include "input_lines.h"
#include "interrupt.h"
#include "learner_options.h"
#include "output.h"
#include "soba/decision_log.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

struct DecideSettings {
  LearnerOptions learner;
  OptionValues data_options;
  std::optional<std::string> seed, model, load, save, save_every, durability, unknown, log;
  bool acknowledge = false, quiet = false;
};

constexpr const char* kDescription =
    "Reads one JSON object a line and answers with one a line, at once.\n"
    "{\"id\":\"e1\",\"x\":{\"age\":31,\"plan\":\"pro\"}} asks for a decision and is answered with "
    "{\"id\":\"e1\",\"label\":\"b\",\"probability\":0.95,\"greedy\":\"b\"}.\n"
    "{\"id\":\"e1\",\"correct\":true} teaches, in any order and with any delay; "
    "{\"id\":\"e1\",\"forget\":true} drops a decision whose answer will never come. An id is a "
    "text "
    "or a whole number; \"x\" is an object of named features or an array.\n"
    "Decisions that wait are kept in the model file. With one, a reply means that its event is on "
    "the disk, in a journal beside the model: it is not lost when the program or the machine "
    "stops. The model is saved, and the journal removed, at the end of the input, on SIGTERM and "
    "SIGINT, and before the program stops at a bad line.";

constexpr const char* kExamples =
    "  soba decide --learner soba --labels red,green,blue --model m.model\n"
    "  soba decide --load history.model --save live.model --save-every 1000\n"
    "  soba decide --learner sobadiag --classes 9 --ack --skip-bad\n";

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
  for (const char* option : {"labels", "labels-file", "categorical", "drop", "missing"}) {
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
  std::vector<std::string> labels = options.labels;
  for (std::int64_t i = 1; i <= options.classes; ++i) labels.push_back(std::to_string(i));
  if (labels.empty()) {
    throw Error(ErrorKind::kUsage,
                "--labels, --labels-file or --classes must say what there is to choose from");
  }
  Schema schema = named_schema(labels);
  schema.normalize = options.normalize == "l2" ? Normalize::kL2 : Normalize::kNone;
  schema.bias = options.bias;
  schema.categorical = options.categorical;
  schema.drop = options.drop;
  schema.missing = options.missing;
  const auto seed = static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1));
  return new_model(*settings.learner.name, settings.learner.given, std::move(schema), seed);
}

Model loaded_model(const DecideSettings& settings, const std::string& path) {
  Model model = open_model(path);
  check_against_model(settings.learner, settings.seed, model);
  source_options_for(settings.data_options, model.schema);  // throws where they contradict
  return model;
}

std::string closing_line(const EventProtocol& protocol, const Model& model) {
  const EventCounts& counts = protocol.counts();
  std::string out =
      fmt::format("{}, {}", plural(counts.decisions, "decision"), plural(counts.answers, "answer"));
  if (counts.forgotten > 0) out += fmt::format(", {} forgotten", thousands(counts.forgotten));
  if (counts.refused > 0) out += fmt::format(", {} refused", thousands(counts.refused));
  if (counts.unknown_ids > 0) out += ", " + plural(counts.unknown_ids, "unknown id");
  if (counts.ignored > 0) out += fmt::format(", {} ignored", plural(counts.ignored, "value"));
  if (counts.bad_lines > 0) out += ", " + plural(counts.bad_lines, "bad line");
  if (model.tally.skipped > 0) {
    out += fmt::format("; {} left out so far, as their numbers were too large",
                       plural(model.tally.skipped, "update"));
  }
  return out + fmt::format("; {} without an answer", plural(protocol.pending(), "decision"));
}

// The log of decisions, where one is wanted.
struct KeptLog {
  std::optional<DecisionLog> file;
  bool sync = false;

  std::string answer(EventProtocol& protocol, const std::string& line) {
    const std::int64_t before = protocol.pending();
    std::string reply = protocol.answer(line);
    if (file && protocol.pending() > before) file->decided(line, reply);
    if (file && protocol.pending() < before) file->ended(line);
    return reply;
  }
  void commit() {
    if (file) file->commit(sync);
  }
};

// Every line of the input, until its end or a signal. Lines that have come together are answered
// together, after one commit.
void converse(EventProtocol& protocol, Journal* journal, KeptLog& log, std::int64_t save_every) {
  constexpr std::size_t kMostReplies = 1 << 20;  // bytes
  constexpr int kMostLines = 1024;
  InputLines lines;
  std::int64_t saved_at = 0;
  std::string replies;
  int untold = 0;  // lines
  const auto tell = [&] {
    if (journal != nullptr) journal->commit();
    log.commit();
    print(replies);
    replies.clear();
    untold = 0;
  };
  const auto more = [&] {  // whether a line is at hand that can share the commit
    return replies.size() < kMostReplies && ++untold < kMostLines && lines.ready();
  };
  while (const auto line = lines.next()) {
    try {
      const std::string reply = log.answer(protocol, std::string(*line));
      if (!reply.empty()) replies += reply + '\n';
    } catch (...) {
      tell();  // what came before the bad line
      throw;
    }
    const std::int64_t events = protocol.counts().events();
    const bool due = save_every > 0 && events >= saved_at + save_every;
    if (journal == nullptr || due || !more()) tell();
    if (!due) continue;
    journal->save();
    saved_at = events;
  }
  tell();
}

Durability parse_durability(const std::string& word) {
  if (word == "strict") return Durability::kStrict;
  if (word == "relaxed") return Durability::kRelaxed;
  throw Error(ErrorKind::kUsage, "durability", fmt::format("'{}' is not strict or relaxed", word));
}

int decide(const DecideSettings& settings) {
  if (settings.model && (settings.load || settings.save)) {
    throw Error(ErrorKind::kUsage, "--model stands for --load and --save; give it alone");
  }
  const std::optional<std::string>& output = settings.model ? settings.model : settings.save;
  const std::int64_t save_every = integer_or(settings.save_every, "--save-every", 1, 0);
  for (const auto& [option, given] : {std::pair{"--save-every", settings.save_every},
                                      std::pair{"--durability", settings.durability}}) {
    if (given && !output) {
      throw Error(ErrorKind::kUsage, fmt::format("{} needs --model or --save", option));
    }
  }
  const Durability durability = parse_durability(settings.durability.value_or("strict"));
  check_outputs("-", {{settings.model ? "--model" : "--save", output}, {"--log", settings.log}});
  std::optional<Journal> journal;
  if (output) journal.emplace(*output, durability);
  const bool existing = settings.model && journal->found();
  Model model = settings.load ? loaded_model(settings, *settings.load)
                : existing    ? loaded_model(settings, *settings.model)
                              : fresh_model(settings);
  EventProtocol protocol(model, {.acknowledge = settings.acknowledge,
                                 .skip_bad = parse_source_options(settings.data_options).skip_bad,
                                 .journal = journal ? &*journal : nullptr,
                                 .unknown = settings.unknown.value_or("auto")});
  if (journal) journal->begin(model);
  KeptLog log{.sync = output.has_value() && durability == Durability::kStrict};
  if (settings.log) log.file.emplace(*settings.log, model.learner_name);
  catch_interrupts();

  std::exception_ptr failure;
  try {
    converse(protocol, journal ? &*journal : nullptr, log, save_every);
  } catch (const std::exception&) {
    failure = std::current_exception();  // the model is whole, so what was learnt is kept
  }
  std::string kept;
  try {
    if (journal) {
      journal->close();
      kept = "; saved to " + *output;
    }
  } catch (const Error& error) {
    kept = fmt::format("; not saved: {}; what was replied to is in the journal", error.what());
    if (!failure) failure = std::current_exception();
  }
  if (!settings.quiet || kept.starts_with("; not")) note(closing_line(protocol, model) + kept);
  if (failure) std::rethrow_exception(failure);
  return kOk;
}

}  // namespace

Action define_decide(CLI::App& command) {
  auto settings = std::make_shared<DecideSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  add_model_options(command, *settings);
  add_new_model_options(command, *settings);
  add_learner_options(command, settings->learner);
  command
      .add_flag("--ack", settings->acknowledge,
                "Answer a lesson too, with {\"id\":…,\"learned\":true}. Default: silence.")
      ->group("Options");
  add_data_option(command, settings->data_options, "skip-bad",
                  "Answer a line that cannot be read with {\"error\":…} and go on. Default: stop "
                  "there, exit code 3.",
                  "Options");
  add_text_option(command, "--unknown", settings->unknown, "HOW",
                  "Of features with names that the model does not know: refuse, ignore or learn. "
                  "Default: refuse where it was taught with the columns of a file, else learn.");
  add_text_option(command, "--log", settings->log, "FILE",
                  "Append each new decision and its answer to a decision log, for 'soba evaluate', "
                  "before its reply goes out. As durable as the model: see --durability; without a "
                  "model, as with relaxed.");
  command.add_flag("--quiet", settings->quiet, "No closing line on standard error.")
      ->group("Options");
  return [settings] { return decide(*settings); };
}

}  // namespace soba::cli
