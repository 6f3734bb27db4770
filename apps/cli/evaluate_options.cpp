#include "evaluate_options.h"

namespace soba::cli {

namespace {

void add_list(CLI::App& command, const char* name, std::vector<std::string>& values,
              const char* type, const char* help, const char* group) {
  command.add_option(name, values, help)->type_name(type)->expected(1)->take_all()->group(group);
}

void add_number(CLI::App& command, const char* name, std::optional<double>& value, const char* help,
                const char* group) {
  command
      .add_option_function<double>(
          name, [&value](double number) { value = number; }, help)
      ->type_name("X")
      ->group(group);
}

void add_questions(CLI::App& command, EvaluateSettings& settings) {
  const char* const fixed = "Fixed policies";
  add_list(command, "--policy", settings.named, "NAME",
           "A policy that the log has under \"policies\"; in CSV, the column with its probability.",
           fixed);
  add_list(command, "--model", settings.models, "MODEL",
           "A model as it explores, and the same played greedily; it learns nothing.", fixed);
  add_list(command, "--constant", settings.constants, "LABEL", "Always this label.", fixed);
  command.add_flag("--greedy", settings.greedy, "The label under \"greedy\" in the log.")
      ->group(fixed);
  command.add_flag("--uniform", settings.uniform, "Every label with the same probability.")
      ->group(fixed);
  command
      .add_flag("--best-constant", settings.best_constant,
                "The best constant in hindsight; its intervals allow for the choice.")
      ->group(fixed);
  const char* const learners = "Learners";
  add_list(command, "--learner", settings.learners, "NAME",
           "A learner with its options: auto, soba:explore=gap,a=2. Needs --as.", learners);
  add_text_option(command, "--as", settings.as, "WORD",
                  "online: what it would have earned had it been deciding, by rejection sampling; "
                  "refused below 500 accepted decisions. trained: how good a policy the log can "
                  "teach: it learns from every decision, valued just before.",
                  learners);
  command
      .add_flag("--relaxed", settings.relaxed,
                "With online: more accepted decisions, for a small bias.")
      ->group(learners);
  add_text_option(command, "--save", settings.save, "MODEL",
                  "With trained and one learner: keep what it has learnt, to decide with.",
                  learners);
  add_text_option(
      command, "--seed", settings.seed, "N",
      "Seed of rejection sampling and of the learners. A whole number >= 0. Default: 1.", learners);
}

void add_reading(CLI::App& command, EvaluateSettings& settings) {
  const char* const group = "Log";
  add_text_option(command, "--format", settings.format, "WORD",
                  "jsonl (Soba's own), csv, obp (Open Bandit Pipeline) or dsjson (Vowpal Wabbit). "
                  "Default: by the first line.",
                  group);
  add_text_option(command, "--label-column", settings.label_column, "NAME",
                  "The column of CSV with the label that was played. Default: label.", group);
  add_text_option(command, "--probability-column", settings.probability_column, "NAME",
                  "With the probability of that label when it was drawn. Default: probability.",
                  group);
  add_text_option(
      command, "--reward-column", settings.reward_column, "NAME",
      "With 1 where it was right, 0 where not, nothing for no answer. Default: correct.", group);
  add_text_option(
      command, "--no-answer", settings.no_answer, "WORD",
      "Decisions without an answer: skip leaves them out, wrong counts them as wrong (a "
      "click that did not come). Default: skip.",
      group);
  add_data_option(command, settings.data_options, "labels",
                  "All labels there are. Default: those of the log.", group);
  add_data_option(command, settings.data_options, "labels-file", "", group);
  add_data_option(command, settings.data_options, "skip-bad", "", group);
}

void add_numbers(CLI::App& command, EvaluateSettings& settings) {
  const char* const group = "Estimates";
  add_number(command, "--confidence", settings.confidence,
             "Of each interval by itself, between 0 and 1. Default: 0.95.", group);
  add_number(command, "--clip", settings.clip, "Also IPS with weights of at most X > 0.", group);
  add_number(command, "--switch", settings.limit,
             "Also doubly robust, corrected only at weights up to X > 0.", group);
  add_number(command, "--max-weight", settings.max_weight,
             "No weight can be above X, whatever the log holds: a narrower interval where few "
             "answers are right.",
             group);
  command.add_flag("--no-dr", settings.no_dr, "Do not fit the reward model of doubly robust.")
      ->group(group);
}

}  // namespace

void add_evaluate_options(CLI::App& command, EvaluateSettings& settings) {
  command
      .add_option("LOG", settings.logs,
                  "Logs of decisions, read one after the other (.gz, .xz and .zst as they are); - "
                  "is standard input. An answer may be in another log than its decision.")
      ->group("Arguments");
  add_questions(command, settings);
  add_reading(command, settings);
  add_numbers(command, settings);
  add_text_option(command, "--replay", settings.replay, "MODEL",
                  "Instead, decide and learn again what 'soba decide --log' wrote, from this model "
                  "as it was before the log, or from its beginning where it has as many decisions "
                  "as the log; name the rows that differ, exit code 1.");
  add_text_option(command, "--html", settings.html, "FILE", "Write a page with charts, too.");
  command.add_flag("--json", settings.json, "Print the result as one JSON object.")
      ->group("Options");
}

}  // namespace soba::cli
