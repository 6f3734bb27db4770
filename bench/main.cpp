// soba_bench [TASK…] [--rounds N] [--repetitions N] [--covtype PATH] [--reuters PATH]
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string_view>
#include <thread>

#include "runner.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace {

// The CPU's name, from the kernel.
std::string machine() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown CPU";
}

// The first line of what a command prints.
std::string output_of(const char* command) {
  std::array<char, 128> line{};
  FILE* pipe = popen(command, "r");
  if (pipe == nullptr) return "";
  const bool read = std::fgets(line.data(), line.size(), pipe) != nullptr;
  pclose(pipe);
  std::string text = read ? line.data() : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

struct Task {
  std::string_view name;
  bool (*run)(const soba::bench::Settings&);
};

constexpr std::array<Task, 11> kTasks = {{
    {"reading", soba::bench::reading_task},
    {"program", soba::bench::program_task},
    {"kernels", soba::bench::kernels_task},
    {"roofline", soba::bench::roofline_task},
    {"scale", soba::bench::scale_task},
    {"learning", soba::bench::learning_task},
    {"exact", soba::bench::exact_task},
    {"lineage", soba::bench::lineage_task},
    {"dimension", soba::bench::dimension_task},
    {"covariance", soba::bench::covariance_task},
    {"evaluation", soba::bench::evaluation_task},
}};

}  // namespace

int main(int argc, char** argv) try {
  soba::bench::Settings settings;
  std::vector<std::string_view> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--rounds") {
      settings.rounds = soba::parse_integer("rounds", value, 1, 1e9);
    } else if (word == "--repetitions") {
      settings.repetitions = static_cast<int>(soba::parse_integer("repetitions", value, 1, 1000));
    } else if (word == "--covtype") {
      settings.covtype = value;
    } else if (word == "--reuters") {
      settings.reuters = value;
    } else {
      wanted.push_back(word);
      continue;
    }
    ++i;
  }
  fmt::print("machine: {}, {} cores; commit: {}\n", machine(), std::thread::hardware_concurrency(),
             output_of("git describe --always --dirty 2>/dev/null"));
  bool ok = true, known = wanted.empty();
  for (const Task& task : kTasks) {
    bool chosen = wanted.empty();
    for (const std::string_view name : wanted) chosen = chosen || name == task.name;
    known = known || chosen;
    if (chosen) ok = task.run(settings) && ok;
  }
  if (!known) {
    fmt::print(stderr, "soba_bench: the tasks are:");
    for (const Task& task : kTasks) fmt::print(stderr, " {}", task.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  return ok ? 0 : 1;
} catch (const soba::Error& error) {
  fmt::print(stderr, "soba_bench: {}\n", error.what());
  return 3;
}
