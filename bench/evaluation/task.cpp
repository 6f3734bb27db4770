// Evaluating a policy whose probability is in the log, beside reading the same lines with simdjson
// alone: on demand, the three numbers that the policy needs. Files in the page cache, one thread.
#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <fstream>

#include "runner.h"
#include "soba/error.h"
#include "soba/evaluate.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

void write_log(const std::string& path, std::int64_t decisions) {
  const Rng rng(1, Purpose::kExamples);
  std::ofstream out(path);
  for (std::int64_t i = 0; i < decisions; ++i) {
    const auto words = rng.words(static_cast<std::uint64_t>(i));
    const double favourite = 0.1 * (1 + words[1] % 8), rest = (1 - favourite) / 9;
    const bool plays_it = words[0] < favourite * 4294967296.0;
    const std::uint32_t label = plays_it ? 9 : words[2] % 9;
    const double p = plays_it ? favourite : rest;
    out << fmt::format(
        R"({{"id":"d{}","x":{{"position":"{}","user":"{:08x}","age":{}}},"label":"item{}",)"
        R"("probability":{:.17g},"correct":{},"policies":{{"other":{:.17g},"uniform":0.1}}}})"
        "\n",
        i, words[2] % 3, words[3], words[2] % 60, label, p, words[3] % 5 == 0,
        plays_it ? 0.46 : 0.06);
  }
}

// IPS of the policy.
double read_simdjson_alone(const std::string& path) {
  simdjson::ondemand::parser parser;
  parser.threaded = false;
  const simdjson::padded_string text = simdjson::padded_string::load(path);
  simdjson::ondemand::document_stream lines = parser.iterate_many(text);
  double sum = 0;
  std::int64_t count = 0;
  for (auto line : lines) {
    const double p = line["probability"];
    const bool correct = line["correct"];
    const double own = line["policies"]["other"];
    sum += correct ? own / p : 0;
    ++count;
  }
  return sum / static_cast<double>(count);
}

}  // namespace

bool evaluation_task(const Settings& settings) {
  const Workspace files;
  const std::string path = files.path("log.jsonl");
  write_log(path, settings.rounds);
  double ours = 0, theirs = 0;
  const std::vector<Trial> trials = {
      {"soba evaluate",
       [&] {
         return seconds_of([&] {
           ours = evaluate({path}, {{PolicyKind::kNamed, "other"}}).policies.at(1).ips;
         });
       }},
      {"simdjson alone", [&] { return seconds_of([&] { theirs = read_simdjson_alone(path); }); }}};
  const std::vector<double> seconds = medians(trials, settings.repetitions);
  if (std::fabs(ours - theirs) > 1e-12 * static_cast<double>(settings.rounds)) {
    fmt::print("IPS is {} and {} MISSED\n", ours, theirs);
    return false;
  }
  fmt::print("\nevaluation: {} decisions\n", settings.rounds);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    fmt::print("{:<18}{:>9.3f} s {:>12.0f} decisions/s\n", trials[i].name, seconds[i],
               static_cast<double>(settings.rounds) / seconds[i]);
  }
  return at_least("simdjson's time over ours", seconds[1] / seconds[0], 0.6);
}

}  // namespace soba::bench
