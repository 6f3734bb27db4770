#include "runner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "soba/play.h"

namespace soba::bench {

DataSet load(const std::string& name, const std::string& data, const SourceOptions& options) {
  Source source(data, options, {});
  DataSet set{name, {}, 0, {}};
  const auto stream = source.open();
  while (const Block* block = stream->next()) {
    set.rounds += static_cast<std::int64_t>(block->size());
    set.blocks.push_back(*block);
  }
  set.shape = source.shape();
  return set;
}

Contender learner(const std::string& name, const std::string& learner_name,
                  const OptionValues& options) {
  return {name, [=](const DataSet& data) {
            Model model = new_model(learner_name, options, data.shape, 1);
            const auto start = std::chrono::steady_clock::now();
            for (const Block& block : data.blocks) play(block, model, [](const Played&) {});
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            return Outcome{time.count(), model.tally.mistakes, model.tally.updates};
          }};
}

std::vector<Timing> time_all(const DataSet& data, const std::vector<Contender>& contenders,
                             int repetitions) {
  std::vector<std::vector<double>> seconds(contenders.size());
  std::vector<Timing> timings(contenders.size());
  for (int r = 0; r < repetitions; ++r) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      timings[i].name = contenders[i].name;
      timings[i].outcome = contenders[i].run(data);
      seconds[i].push_back(timings[i].outcome.seconds);
    }
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::sort(seconds[i].begin(), seconds[i].end());
    timings[i].seconds = seconds[i][seconds[i].size() / 2];
  }
  return timings;
}

std::vector<std::vector<double>> times(const std::vector<Trial>& trials, int repetitions) {
  std::vector<std::vector<double>> seconds(trials.size());
  for (int r = 0; r < repetitions; ++r) {
    for (std::size_t i = 0; i < trials.size(); ++i) seconds[i].push_back(trials[i].run());
  }
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::vector<double> medians(const std::vector<Trial>& trials, int repetitions) {
  std::vector<double> out;
  for (const std::vector<double>& all : times(trials, repetitions)) out.push_back(median(all));
  return out;
}

bool at_most(const std::string& text, double value, double limit) {
  fmt::print("{}: {:.2f} (at most {}) {}\n", text, value, limit, value <= limit ? "ok" : "MISSED");
  return value <= limit;
}

bool at_least(const std::string& text, double value, double limit) {
  fmt::print("{}: {:.2f} (at least {}) {}\n", text, value, limit, value >= limit ? "ok" : "MISSED");
  return value >= limit;
}

Workspace::Workspace()
    : folder_(std::filesystem::temp_directory_path() / fmt::format("soba-bench-{}", ::getpid())) {
  std::filesystem::create_directories(folder_);
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Workspace::path(const std::string& name) const { return folder_ + "/" + name; }

double write_data(const std::string& data, const std::string& path, const std::string& format) {
  Source source(data, {.need_size = true}, {});
  const auto writer = open_writer(path, format, source.schema(), source.shape().features);
  const auto stream = source.open();
  while (const Block* block = stream->next()) {
    for (std::size_t i = 0; i < block->size(); ++i) {
      writer->write(block->features(i), block->label[i]);
    }
  }
  writer->finish();
  ::sync();  // so that nothing is written to the disk while times are taken
  return static_cast<double>(std::filesystem::file_size(path));
}

void print_table(const DataSet& data, const std::vector<Timing>& timings, const std::string& base) {
  double unit = 0;
  for (const Timing& timing : timings) {
    if (timing.name == base) unit = timing.seconds;
  }
  fmt::print("\n{}: {} rounds, k = {}, d = {}\n", data.name, data.rounds, data.shape.classes,
             data.shape.features);
  fmt::print("{:<22}{:>9}{:>12}{:>13}{:>10}{:>10}\n", "", "seconds", "ns/round", "rounds/s",
             "ratio", "error %");
  for (const Timing& timing : timings) {
    const double rounds = static_cast<double>(data.rounds);
    fmt::print("{:<22}{:>9.3f}{:>12.0f}{:>13.0f}{:>10.2f}{:>10.2f}\n", timing.name, timing.seconds,
               1e9 * timing.seconds / rounds, rounds / timing.seconds, timing.seconds / unit,
               100 * static_cast<double>(timing.outcome.mistakes) / rounds);
  }
  std::fflush(stdout);
}

}  // namespace soba::bench
