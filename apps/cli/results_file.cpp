#include "results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "learner_options.h"
#include "result.h"
#include "result_rows.h"
#include "soba/registry.h"
#include "summary.h"
#include "text.h"

namespace soba::cli {

namespace {

// How every row begins.
std::string row_start() { return fmt::format(R"({{"format":{},"soba":")", kRowFormat); }

// The part of a command that says how its data are read, but for the order, which changes with the
// seed: "data.libsvm --scale maxabs --shuffle".
std::string data_setting(std::string_view command) {
  std::string out(command.substr(0, command.rfind(" --learner ")));
  const std::string_view shuffle = " --shuffle ";
  if (const std::size_t at = out.rfind(shuffle); at != std::string::npos) {
    const std::size_t number = at + shuffle.size();
    out.erase(number, out.find(' ', number) - number);
  }
  return out;
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
  out["error"] = fraction(tally.mistakes, tally.rounds);
  out["greedy_error"] = fraction(tally.greedy_mistakes, tally.rounds);
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
  made_ = ::access(path.c_str(), F_OK) != 0;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be written", errno);
  try {
    // Some network file systems have no locks; there it is the user who starts one sweep at a time.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(ErrorKind::kResource, path + ": another sweep is writing it");
    }
    read();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ResultsFile::~ResultsFile() {
  if (made_ && ::lseek(descriptor_, 0, SEEK_END) == 0) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void ResultsFile::fail(const std::string& what, int error) const {
  throw Error(ErrorKind::kResource, fmt::format("{}: {}: {}", path_, what, std::strerror(error)));
}

void ResultsFile::read() {
  std::ifstream file(path_, std::ios::binary);
  std::string line;
  off_t good = 0;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    const std::string place = fmt::format("{}:{}", path_, number);
    if (file.eof()) {  // no newline: the program was killed while it wrote, if it is ours
      if (!line.starts_with(row_start()) && !row_start().starts_with(line)) {
        throw Error(ErrorKind::kInput,
                    place + ": this is no row of a sweep; give another --output");
      }
      if (::ftruncate(descriptor_, good) != 0) fail("cannot be written", errno);
      return;
    }
    good += static_cast<off_t>(line.size()) + 1;
    const ResultRow row = parse_result_row(line, place);
    if (row.version != SOBA_VERSION) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: written by soba {}, and this is {}; give another --output",
                              row.place, row.version, SOBA_VERSION));
    }
    commands_.emplace(Key{row.name, row.contender, grid_text(row.grid), row.seed}, row.command);
    settings_.emplace(row.name, data_setting(row.command));
    fingerprints_.emplace(row.name + '\n' + row.data, row.fingerprint);
  }
  if (file.bad()) fail("cannot be read", EIO);
}

std::deque<std::size_t> ResultsFile::left(const WrittenPlan& written,
                                          const std::vector<SweepRun>& runs) const {
  std::deque<std::size_t> out;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& name = written.plan.data[runs[i].data].name;
    const SweepLearner& learner = written.plan.learners[runs[i].learner];
    const std::string command = run_command(written, runs[i]);
    const auto refuse = [&](const std::string& what, const std::string& there) {
      throw Error(ErrorKind::kInput, fmt::format("{}: holds {} as '{}', and this sweep plays '{}'; "
                                                 "give another --output",
                                                 path_, what, there, command));
    };
    const auto setting = settings_.find(name);
    if (setting != settings_.end() && setting->second != data_setting(command)) {
      refuse(name, setting->second);
    }
    const std::string learner_name = choose_learner(learner.learner, {}).info->name;
    const std::string grid = grid_text(json_grid(options_json(learner_name, runs[i].grid)));
    const auto row = commands_.find(Key{name, learner.name, grid, runs[i].seed});
    if (row == commands_.end()) {
      out.push_back(i);
    } else if (row->second != command) {
      refuse(fmt::format("{} on {}", learner.name, name), row->second);
    }
  }
  return out;
}

void ResultsFile::check_data(const std::string& name, const Examples& examples) {
  check_fingerprint(name, examples.description(), fingerprint_text(examples.fingerprint()));
}

void ResultsFile::check_fingerprint(const std::string& name, const std::string& data,
                                    const std::string& fingerprint) {
  const auto [place, fresh] = fingerprints_.emplace(name + '\n' + data, fingerprint);
  if (fresh || place->second == fingerprint) return;
  throw Error(ErrorKind::kInput,
              fmt::format("{}: its rows of {} are of other examples than {} holds now; give "
                          "another --output",
                          path_, name, data));
}

void ResultsFile::append(const std::string& line) {
  const ResultRow row = parse_result_row(line, path_);
  check_fingerprint(row.name, row.data, row.fingerprint);
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return;
  const int error = written < 0 ? errno : ENOSPC;
  if (::ftruncate(descriptor_, size) != 0) fail("ends in a part of a row", errno);
  fail("cannot be written", error);
}

void ResultsFile::sync() {
  if (::fsync(descriptor_) != 0) fail("cannot be written", errno);
}

}  // namespace soba::cli
