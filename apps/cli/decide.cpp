// soba decide: decisions for real, without labels, on standard input and output.

#include "soba/decide.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>

#include "data_options.h"
#include "decide_model.h"
#include "input_lines.h"
#include "interrupt.h"
#include "output.h"
#include "soba/decision_log.h"
#include "text.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr const char* kDescription =
    "Reads one JSON object a line and answers with one a line, at once.\n"
    "{\"id\":\"e1\",\"x\":{\"age\":31,\"plan\":\"pro\"}} asks for a decision and is answered with "
    "{\"id\":\"e1\",\"label\":\"b\",\"probability\":0.95,\"greedy\":\"b\"}.\n"
    "{\"id\":\"e1\",\"correct\":true} teaches, in any order and with any delay; "
    "{\"id\":\"e1\",\"forget\":true} drops a decision whose answer will never come. An id is a "
    "text or a whole number; \"x\" is an object of named features or an array. "
    "\"allowed\":[\"a\",\"b\"] beside \"x\" restricts a decision to labels of which one is right.\n"
    "{\"add_label\":\"d\"}, {\"rename_label\":{\"from\":\"a\",\"to\":\"b\"}} and "
    "{\"retire_label\":\"c\"} change the labels from then on.\n"
    "Decisions that wait are kept in the model file. With one, a reply means that its event is on "
    "the disk, in a journal beside the model: it is not lost when the program or the machine "
    "stops. The model is saved, and the journal removed, at the end of the input, on SIGTERM and "
    "SIGINT, and before the program stops at a bad line.";

constexpr const char* kExamples =
    "  soba decide --learner soba --labels red,green,blue --model m.model\n"
    "  soba decide --load history.model --save live.model --save-every 1000\n"
    "  soba decide --learner sobadiag --classes 9 --ack --skip-bad\n"
    "  soba decide --model m.model --expire-after 86400 --expired wrong\n"
    "  soba decide tuesday.csv --load m.model --forget-decisions --explain 3\n";

std::string closing_line(const EventProtocol& protocol, const Model& model) {
  const EventCounts& counts = protocol.counts();
  std::string out =
      fmt::format("{}, {}", plural(counts.decisions, "decision"), plural(counts.answers, "answer"));
  if (counts.forgotten > 0) out += fmt::format(", {} forgotten", thousands(counts.forgotten));
  if (counts.expired > 0) out += fmt::format(", {} expired", thousands(counts.expired));
  if (counts.label_changes > 0) out += ", " + plural(counts.label_changes, "change") + " of labels";
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
    const std::int64_t before = waiting(protocol);
    std::string reply = protocol.answer(line);
    const std::int64_t after = waiting(protocol);
    if (file && after > before) file->decided(line, reply);
    if (file && after < before) file->ended(line);
    return reply;
  }
  void commit() {
    if (file) file->commit(sync);
  }
  // Those that expired count as if they still waited.
  static std::int64_t waiting(const EventProtocol& protocol) {
    return protocol.pending() + protocol.counts().expired;
  }
};

// Replies to events that have come together, told together after one commit.
class Replies {
 public:
  Replies(EventProtocol& protocol, Journal* journal, KeptLog& log, std::int64_t save_every)
      : protocol_(protocol), journal_(journal), log_(log), save_every_(save_every) {}

  template <class More>
  void add_line(std::string_view line, More&& more) {
    add([&] { return log_.answer(protocol_, std::string(line)); }, more);
  }

  // Takes the reply that answer() gives; `more` says whether another event is at hand, without
  // waiting for one.
  template <class Answer, class More>
  void add(Answer&& answer, More&& more) {
    try {
      const std::string reply = answer();
      if (!reply.empty()) waiting_ += reply + '\n';
    } catch (...) {
      tell();  // what came before the bad line
      throw;
    }
    const std::int64_t events = protocol_.counts().events();
    const bool due = save_every_ > 0 && events >= saved_at_ + save_every_;
    const bool full = waiting_.size() >= kMostReplies || ++untold_ >= kMostEvents;
    if (journal_ == nullptr || due || full || !more()) tell();
    if (!due) return;
    journal_->save();
    saved_at_ = events;
  }
  void tell() {
    if (journal_ != nullptr) journal_->commit();
    log_.commit();
    print(waiting_);
    waiting_.clear();
    untold_ = 0;
  }

 private:
  static constexpr std::size_t kMostReplies = 1 << 20;  // bytes
  static constexpr int kMostEvents = 1024;

  EventProtocol& protocol_;
  Journal* journal_;
  KeptLog& log_;
  std::int64_t save_every_, saved_at_ = 0;
  std::string waiting_;
  int untold_ = 0;
};

// Every line of the input, until its end or a signal.
void converse(Replies& replies) {
  InputLines lines;
  while (const auto line = lines.next()) {
    replies.add_line(*line, [&] { return lines.ready(); });
  }
}

constexpr auto kAlways = [] { return true; };

void answer_file(const std::string& path, Replies& replies) {
  for_each_line(path, [&](std::string_view line) {
    replies.add_line(line, kAlways);
    return interrupted() == 0;
  });
}

// Every row of DATA, as a decision. Where decisions are kept, so are the names that come up.
void answer_rows(const DecideSettings& settings, Model& model, EventProtocol& protocol,
                 Replies& replies) {
  SourceOptions options = source_options_for({}, model.schema);
  options.need_labels = false;
  options.skip_bad = parse_source_options(settings.data_options).skip_bad;
  Source source(settings.data, options, model.schema);
  const std::unique_ptr<Stream> stream = source.open();
  std::int64_t row = 0;
  while (const Block* block = stream->next()) {
    if (!settings.forget) model.schema.extend(*block);
    for (std::size_t i = 0; i < block->size(); ++i) {
      if (interrupted() != 0) return;
      replies.add([&] { return protocol.answer(block->features(i), ++row); }, kAlways);
    }
  }
}

// JSON Lines hold events, any other format rows.
bool reads_rows(const DecideSettings& settings) {
  return format_of_name(settings.data, false).value_or("jsonl") != "jsonl";
}

void answer_all(const DecideSettings& settings, Model& model, EventProtocol& protocol,
                Journal* journal, KeptLog& log, std::int64_t save_every) {
  Replies replies(protocol, journal, log, save_every);
  if (settings.data.empty() || settings.data == "-") {
    converse(replies);
  } else if (reads_rows(settings)) {
    answer_rows(settings, model, protocol, replies);
  } else {
    answer_file(settings.data, replies);
  }
  replies.tell();
}

PendingLimits limits(const DecideSettings& settings) {
  PendingLimits limits;
  limits.expire_seconds = integer_or(settings.expire_after, "--expire-after", 1, 0);
  limits.expire_decisions = integer_or(settings.expire_decisions, "--expire-decisions", 1, 0);
  limits.keep = !settings.forget;
  const std::string answer = settings.expired.value_or("forget");
  if (answer == "right" || answer == "wrong") {
    limits.expired_answer = answer == "right";
  } else if (answer != "forget") {
    throw Error(ErrorKind::kUsage, "expired",
                fmt::format("'{}' is not forget, right or wrong", answer));
  }
  if (settings.expired && limits.expire_seconds == 0 && limits.expire_decisions == 0) {
    throw Error(ErrorKind::kUsage, "--expired needs --expire-after or --expire-decisions");
  }
  return limits;
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
  check_outputs(settings.data.empty() ? "-" : settings.data,
                {{settings.model ? "--model" : "--save", output}, {"--log", settings.log}});
  if (settings.log && (settings.forget || reads_rows(settings))) {
    throw Error(ErrorKind::kUsage,
                "--log needs events whose decisions are kept: no --forget-decisions, and DATA as "
                "JSON Lines");
  }
  std::optional<Journal> journal;
  if (output) journal.emplace(*output, durability);
  const bool existing = settings.model && journal->found();
  Model model = settings.load ? loaded_model(settings, *settings.load)
                : existing    ? loaded_model(settings, *settings.model)
                              : fresh_model(settings);
  EventProtocol protocol(
      model,
      {.acknowledge = settings.acknowledge,
       .skip_bad = parse_source_options(settings.data_options).skip_bad,
       .source =
           settings.data.empty() || settings.data == "-" ? std::string("<stdin>") : settings.data,
       .limits = limits(settings),
       .journal = journal ? &*journal : nullptr,
       .unknown = settings.unknown.value_or("auto"),
       .explain = static_cast<std::size_t>(integer_or(settings.explain, "--explain", 1, 0))});
  if (journal) journal->begin(model);
  KeptLog log{.sync = output.has_value() && durability == Durability::kStrict};
  if (settings.log) log.file.emplace(*settings.log, model.learner_name);
  catch_interrupts();

  std::exception_ptr failure;
  try {
    answer_all(settings, model, protocol, journal ? &*journal : nullptr, log, save_every);
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

void add_waiting_options(CLI::App& command, DecideSettings& settings) {
  add_text_option(command, "--expire-after", settings.expire_after, "SECONDS",
                  "A decision that was made with this option and has waited for its answer so long "
                  "expires, N >= 1. Default: never.");
  add_text_option(command, "--expire-decisions", settings.expire_decisions, "N",
                  "A decision expires when N later ones have been made, N >= 1. Default: never.");
  add_text_option(command, "--expired", settings.expired, "WORD",
                  "What is learnt of a decision that expires: forget, nothing; right or wrong, "
                  "that its label was. Default: forget.");
  command
      .add_flag("--forget-decisions", settings.forget,
                "No decision waits for an answer, and none changes the model: for predictions with "
                "exploration.")
      ->group("Options");
}

}  // namespace

Action define_decide(CLI::App& command) {
  auto settings = std::make_shared<DecideSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  command
      .add_option("DATA", settings->data,
                  "A file of events, one JSON object a line, plain or compressed; or a file in "
                  "another format (CSV, LIBSVM, a cache), of which each row is a decision under "
                  "the id FILE:ROW. Default: events on standard input.")
      ->group("Arguments");
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
  add_waiting_options(command, *settings);
  add_text_option(command, "--explain", settings->explain, "N",
                  "Add to each decision the N features that count most for its best label against "
                  "the runner-up, N >= 1. Default: none.");
  command.add_flag("--quiet", settings->quiet, "No closing line on standard error.")
      ->group("Options");
  return [settings] { return decide(*settings); };
}

}  // namespace soba::cli
