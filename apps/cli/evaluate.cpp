// soba evaluate: what another policy would have earned, from the log of this one.

#include "soba/evaluate.h"

#include <fmt/format.h>

#include <memory>

#include "evaluate_options.h"
#include "evaluation.h"
#include "output.h"
#include "soba/lab/evaluation.h"
#include "soba/lab/plan.h"
#include "verbs.h"

namespace soba::cli {

namespace {

constexpr const char* kDescription =
    "Reads a log of decisions with their probabilities and answers, audits it, and estimates what "
    "other policies would have earned on the same decisions, each with an interval that holds at "
    "every number of decisions. Policies in the log, constants, models and learners can be asked "
    "for at once; each is compared with what was deployed.";

constexpr const char* kExamples =
    "  soba evaluate june.jsonl --greedy --uniform --best-constant\n"
    "  soba evaluate june.jsonl.xz --model candidate.model --html june.html\n"
    "  soba evaluate june.jsonl --learner auto --learner soba:a=2 --as online\n"
    "  soba evaluate june.jsonl --learner auto --as trained --save next.model\n"
    "  soba evaluate clicks.csv --label-column item --probability-column p\n"
    "  soba evaluate june.jsonl --replay start.model\n";

std::vector<PolicyChoice> choices(const EvaluateSettings& settings) {
  std::vector<PolicyChoice> out;
  const auto all = [&](PolicyKind kind, const std::vector<std::string>& names) {
    for (const std::string& name : names) out.push_back({.kind = kind, .name = name});
  };
  all(PolicyKind::kNamed, settings.named);
  if (settings.greedy) out.push_back({.kind = PolicyKind::kGreedy});
  if (settings.uniform) out.push_back({.kind = PolicyKind::kUniform});
  all(PolicyKind::kConstant, settings.constants);
  if (settings.best_constant) out.push_back({.kind = PolicyKind::kBestConstant});
  all(PolicyKind::kModel, settings.models);
  const std::string as = settings.as.value_or("");
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::kUsage, what); };
  if (!as.empty() && as != "online" && as != "trained") refuse("--as: expected online or trained");
  if (settings.learners.empty() != as.empty()) refuse("--learner and --as need each other");
  if (settings.relaxed && as != "online") refuse("--relaxed needs --as online");
  if (settings.save && (as != "trained" || settings.learners.size() != 1)) {
    refuse("--save needs --as trained and one learner");
  }
  for (const std::string& text : settings.learners) {
    const lab::SweepLearner learner = lab::parse_learner(text);
    out.push_back({.kind = as == "online" ? PolicyKind::kOnline : PolicyKind::kTrained,
                   .name = learner.learner,
                   .options = learner.options,
                   .relaxed = settings.relaxed,
                   .save = settings.save.value_or("")});
  }
  return out;
}

EvaluateOptions options_of(const EvaluateSettings& settings) {
  const SourceOptions source = parse_source_options(settings.data_options);
  const std::string no_answer = settings.no_answer.value_or("skip");
  if (no_answer != "skip" && no_answer != "wrong") {
    throw Error(ErrorKind::kUsage, "--no-answer: expected skip or wrong");
  }
  return {.log = {.format = settings.format.value_or("auto"),
                  .label_column = settings.label_column.value_or(""),
                  .probability_column = settings.probability_column.value_or(""),
                  .reward_column = settings.reward_column.value_or(""),
                  .labels = source.labels,
                  .skip_bad = source.skip_bad,
                  .no_answer_is_wrong = no_answer == "wrong"},
          .confidence = settings.confidence.value_or(0.95),
          .clip = settings.clip,
          .limit = settings.limit,
          .max_weight = settings.max_weight,
          .doubly_robust = !settings.no_dr,
          .seed = static_cast<std::uint64_t>(integer_or(settings.seed, "--seed", 0, 1))};
}

int evaluate_logs(const EvaluateSettings& settings) {
  if (settings.logs.empty()) throw Error(ErrorKind::kUsage, "LOG is missing");
  for (const std::string& log : settings.logs) {
    check_outputs(log, {{"--html", settings.html}, {"--save", settings.save}});
  }
  if (settings.replay) {
    const Replay replay = replay_log(settings.logs, *settings.replay);
    print(settings.json ? lab::replay_json(replay) : replay_text(replay));
    return replay.mismatches == 0 ? kOk : kFailedCheck;
  }
  const Evaluation found = evaluate(settings.logs, choices(settings), options_of(settings));
  print(settings.json ? lab::evaluation_json(found) : evaluation_text(found));
  if (settings.html) write_file(*settings.html, lab::evaluation_page(found, settings.logs.front()));
  return found.audit.refusals.empty() ? kOk : kFailedCheck;
}

}  // namespace

Action define_evaluate(CLI::App& command) {
  auto settings = std::make_shared<EvaluateSettings>();
  command.description(kDescription);
  command.footer(kExamples);
  add_evaluate_options(command, *settings);
  return [settings] { return evaluate_logs(*settings); };
}

}  // namespace soba::cli
