#include "results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "learner_options.h"
#include "result.h"
#include "result_rows.h"
#include "text.h"

namespace soba::cli {

namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  return fmt::format("{:016x}", fingerprint);
}

Json curve_json(const std::vector<Tally>& curve) {
  Json out = {{"round", Json::array()},
              {"mistakes", Json::array()},
              {"greedy_mistakes", Json::array()},
              {"updates", Json::array()}};
  for (const Tally& at : curve) {
    out["round"].push_back(at.rounds);
    out["mistakes"].push_back(at.mistakes);
    out["greedy_mistakes"].push_back(at.greedy_mistakes);
    out["updates"].push_back(at.updates);
  }
  return out;
}

}  // namespace

Json result_row(const WrittenPlan& written, const std::vector<SweepRun>& runs, std::size_t number,
                const SweepResult& result) {
  const SweepRun& run = runs[number];
  const Tally& tally = result.tally;
  Json out;
  out["format"] = kRowFormat;
  out["soba"] = SOBA_VERSION;
  out["command"] = run_command(written, run);
  out["name"] = written.plan.data[run.data].name;
  out["data"] = result.data;
  out["fingerprint"] = fingerprint_text(result.fingerprint);
  out["contender"] = written.plan.learners[run.learner].name;
  out["learner"] = result.learner;
  out["feedback"] = result.feedback;
  out["grid"] = options_json(result.learner, run.grid);
  out["options"] = options_json(result.learner, result.options);
  out["seed"] = run.seed;
  out["number"] = number + 1;
  out["rounds"] = tally.rounds;
  out["classes"] = result.shape.classes;
  out["features"] = result.shape.features;
  out["mistakes"] = tally.mistakes;
  out["greedy_mistakes"] = tally.greedy_mistakes;
  out["error"] = ratio(tally.mistakes, tally.rounds);
  out["greedy_error"] = ratio(tally.greedy_mistakes, tally.rounds);
  out["updates"] = tally.updates;
  out["curve"] = curve_json(result.curve);
  out["model_bytes"] = result.model_bytes;
  out["measured"] = {{"learn_seconds", result.learn_seconds},
                     {"rounds_per_second",
                      static_cast<double>(tally.rounds) / std::max(1e-9, result.learn_seconds)},
                     {"peak_memory_bytes", peak_memory_bytes()}};
  return out;
}

ResultsFile::ResultsFile(const std::string& path) : path_(path) {
  const auto fail = [&](const char* what) {
    throw Error(ErrorKind::kResource, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
  };
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be written");
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail("cannot be locked");
      throw Error(ErrorKind::kResource, path + ": another sweep is writing it");
    }
    read();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ResultsFile::~ResultsFile() { ::close(descriptor_); }

void ResultsFile::read() {
  std::ifstream file(path_, std::ios::binary);
  std::string line;
  off_t good = 0;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    if (file.eof()) {  // no newline: the program was killed while it wrote
      if (::ftruncate(descriptor_, good) != 0) {
        throw Error(ErrorKind::kResource, fmt::format("{}: {}", path_, std::strerror(errno)));
      }
      return;
    }
    good += static_cast<off_t>(line.size()) + 1;
    const ResultRow row = parse_result_row(line, fmt::format("{}:{}", path_, number));
    if (row.version != SOBA_VERSION) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: written by soba {}, and this is {}; give another --output",
                              row.place, row.version, SOBA_VERSION));
    }
    commands_.insert(row.command);
    fingerprints_.emplace(row.name + '\n' + row.data, row.fingerprint);
  }
}

void ResultsFile::check_data(const std::string& name, const Examples& examples) {
  check_data(name, examples.description(), fingerprint_text(examples.fingerprint()));
}

void ResultsFile::check_data(const std::string& name, const std::string& data,
                             const std::string& fingerprint) {
  const auto [place, fresh] = fingerprints_.emplace(name + '\n' + data, fingerprint);
  if (fresh || place->second == fingerprint) return;
  throw Error(
      ErrorKind::kInput,
      fmt::format("{}: its rows of {} are of other examples than {} holds now; give another "
                  "--output",
                  path_, name, data));
}

void ResultsFile::append(const Json& row) {
  check_data(row.at("name"), row.at("data"), row.at("fingerprint"));
  const std::string line = json_line(row);
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw Error(ErrorKind::kResource,
                fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }
  commands_.insert(row.at("command"));
}

void ResultsFile::sync() {
  if (::fsync(descriptor_) == 0) return;
  throw Error(ErrorKind::kResource,
              fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

}  // namespace soba::cli
