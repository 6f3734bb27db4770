// What Python is compared with: the same calls by C++.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "soba/decide.h"
#include "soba/run.h"

namespace {

using namespace soba;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Every round of a run: its label, the greedy and the played one, and the probability.
void trace(const std::string& data, const std::string& learner, std::uint64_t seed) {
  SourceOptions options;
  options.data_seed = seed;
  Source source(data, options, Schema{});
  Model model = new_model(learner, {}, source, seed);
  const auto name = [&](Label y) { return model.schema.labels.name(y); };
  run(source, model, {.rounds = [&](const Block&, std::span<const Played> rows) {
        for (const Played& row : rows) {
          fmt::print("{},{},{},{},{:.17g}\n", row.round, name(row.label), name(row.greedy),
                     name(row.played), row.probability);
        }
      }});
}

// Decisions by name, each answered seven decisions later.
void decisions(const std::string& learner, std::uint64_t seed, int count) {
  Model model = new_model(learner, {}, named_schema({"a", "b", "c"}), seed);
  Decider decider(model);
  const std::vector<std::string> countries = {"de", "fr", "it", "es"};
  std::vector<std::string> played;
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("e{}", i);
    const Decision decision = decider.decide(
        id, {{"amount", 0.25 * (i % 7)}, {"country", countries[i % 4]}, {"new", i % 3 == 0}});
    fmt::print("{},{},{:.17g},{}\n", id, decision.label, decision.probability, decision.greedy);
    played.push_back(decision.label);
    if (i < 7) continue;
    const auto past = static_cast<std::size_t>(i - 7);
    decider.feedback(fmt::format("e{}", past), played[past] == (past % 3 == 0 ? "a" : "b"));
  }
}

// Seconds for so many decisions by 20 named values, each answered at once.
double deciding(int count) {
  Model model = new_model("sobadiag", {}, named_schema({"a", "b", "c"}), 1);
  Decider decider(model);
  std::vector<std::string> names;
  for (int j = 0; j < 20; ++j) names.push_back(fmt::format("feature{}", j));
  std::vector<NamedValue> x;
  for (const std::string& name : names) x.push_back({name, 0.5});
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    x[static_cast<std::size_t>(i % 20)].value = 0.125 * (i % 9);
    const std::string id = std::to_string(i);
    const Decision decision = decider.decide(id, x);
    decider.feedback(id, decision.label == "a");
  }
  return seconds_since(begin);
}

// Seconds to play data that is in memory.
double playing(const std::string& data, const std::string& learner) {
  const Examples examples(data, {});
  const std::unique_ptr<Stream> stream = examples.open({});
  Model model = new_model(learner, {}, examples.schema(), 1);
  const Clock::time_point begin = Clock::now();
  run(*stream, model);
  return seconds_since(begin);
}

}  // namespace

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (given.at(0) == "trace") trace(given.at(1), given.at(2), std::stoull(given.at(3)));
  if (given.at(0) == "decisions") {
    decisions(given.at(1), std::stoull(given.at(2)), std::stoi(given.at(3)));
  }
  if (given.at(0) == "deciding") fmt::print("{}\n", deciding(std::stoi(given.at(1))));
  if (given.at(0) == "playing") fmt::print("{}\n", playing(given.at(1), given.at(2)));
  return 0;
}
