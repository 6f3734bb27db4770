#include "soba/run.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "soba/error.h"
#include "soba/registry.h"

namespace soba {

namespace {

using Clock = std::chrono::steady_clock;

Tally operator-(const Tally& a, const Tally& b) {
  return {.rounds = a.rounds - b.rounds,
          .answers = a.answers - b.answers,
          .mistakes = a.mistakes - b.mistakes,
          .greedy_mistakes = a.greedy_mistakes - b.greedy_mistakes,
          .updates = a.updates - b.updates};
}

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double RunResult::error() const { return share(tally.mistakes, tally.rounds); }
double RunResult::greedy_error() const { return share(tally.greedy_mistakes, tally.rounds); }
double RunResult::rounds_per_second() const {
  return learn_seconds > 0 ? static_cast<double>(tally.rounds) / learn_seconds : 0;
}

RunResult run(Stream& stream, Model& model, const RunHooks& hooks) {
  const Tally before = model.tally;
  model.schema = stream.schema();
  model.journal = {};  // a run leaves no events
  RunResult result;
  std::int64_t next = before.rounds + next_curve_round(0);  // counted over the life of the model
  std::vector<Played> rows;
  const bool tracing = hooks.rounds != nullptr;
  const auto add_point = [&] {
    result.curve.push_back(model.tally - before);
    next = before.rounds + next_curve_round(model.tally.rounds - before.rounds);
    if (hooks.point) hooks.point(result.curve.back());
  };
  const auto on_round = [&](const Played& row) {
    if (row.round == next) add_point();
    if (tracing) rows.push_back(row);
  };
  bool first = true;
  while (const Block* block = stream.next()) {
    if (!first && hooks.stop && hooks.stop()) {
      result.complete = false;
      break;
    }
    model.schema.extend(*block);
    if (first && hooks.first) hooks.first(*block);
    first = false;
    const Clock::time_point begin = Clock::now();
    play(*block, model, on_round);
    result.learn_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    if (tracing) {
      hooks.rounds(rows);
      rows.clear();
    }
    if (hooks.block) hooks.block(model.tally - before);
  }
  result.tally = model.tally - before;
  if (result.tally.rounds > 0 &&
      (result.curve.empty() || result.curve.back().rounds != result.tally.rounds)) {
    result.curve.push_back(result.tally);
  }
  result.learner = model.learner_name;
  result.feedback = std::holds_alternative<std::unique_ptr<Learner>>(model.learner)
                        ? "bandit"
                        : "full information";
  result.options = model.options;
  result.reason = model.reason;
  result.remarks = predictor(model.learner).remarks();
  result.seed = model.seed;
  result.lifetime = model.tally;
  result.shape = predictor(model.learner).shape();
  return result;
}

RunResult run(Source& source, Model& model, const RunHooks& hooks) {
  const std::string data = source.description();
  const std::unique_ptr<Stream> stream = source.open(Reading::kAhead);
  RunResult result = run(*stream, model, hooks);
  if (result.tally.rounds == 0) throw Error(ErrorKind::kInput, data + ": holds no example");
  result.data = data;
  if (!result.complete) return result;  // the source belongs to the stream until that has ended
  result.shape = source.shape();
  result.skipped = source.skipped();
  result.first_skipped = source.first_skipped();
  return result;
}

bool needs_size(const LearnerChoice& choice) {
  const auto gamma = choice.options.find("gamma");
  return gamma != choice.options.end() && gamma->second == "theory";
}

Model new_model(std::string_view name, const OptionValues& options, const Source& source,
                std::uint64_t seed) {
  OptionValues complete = choose_learner(name, options).options;
  if (const auto rounds = source.rounds()) complete = with_horizon(std::move(complete), *rounds);
  Model model = new_model(name, complete, source.shape(), seed);
  model.schema = source.schema();
  return model;
}

void check_agrees(const Model& model, const std::optional<std::string>& learner,
                  const OptionValues& options, std::optional<std::uint64_t> seed) {
  const auto contradiction = [](const std::string& option, const std::string& given,
                                const std::string& stored) {
    throw Error(ErrorKind::kUsage, option,
                fmt::format("'{}' contradicts the loaded model, which has {}", given, stored));
  };
  OptionValues stated = options;
  if (learner) {
    const LearnerChoice choice = choose_learner(*learner, {});
    if (choice.info->name != model.learner_name) {
      contradiction("learner", *learner, model.learner_name);
    }
    for (const LearnerAlias& alias : learner_aliases()) {
      if (alias.name == *learner) stated.insert(alias.options.begin(), alias.options.end());
    }
  }
  // Completed on top of the model's options, so that rules between options see the whole.
  OptionValues together = stated;
  together.insert(model.options.begin(), model.options.end());
  if (!stated.empty()) together = choose_learner(model.learner_name, together).options;
  for (const auto& [option, text] : stated) {
    const auto stored = model.options.find(option);
    if (stored != model.options.end() && stored->second != together.at(option)) {
      contradiction(option, text, stored->second);
    }
  }
  if (seed && *seed != model.seed) {
    contradiction("seed", std::to_string(*seed), std::to_string(model.seed));
  }
}

}  // namespace soba
