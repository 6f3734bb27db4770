#include "soba/lab/results.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>
#include <tuple>

#include "data/formats/synthetic.h"
#include "lab/json.h"
#include "lab/key.h"
#include "lab/rows.h"
#include "soba/error.h"
#include "soba/lab/sweep.h"
#include "soba/registry.h"
#include "soba/version.h"

namespace soba::lab {

namespace {

// How every row of today's format begins.
std::string row_start() { return fmt::format(R"({{"format":{},"soba":")", kRowFormat); }

// How a data set is read, but for the seed of its order, which changes with the seed of the run.
std::string setting(const std::string& reading) {
  Json options = Json::parse(reading);
  const auto shuffle = options.find("shuffle");
  const Json none = std::string();
  if (shuffle != options.end() && *shuffle != none) *shuffle = "any";
  return compact(options);
}

}  // namespace

struct ResultsFile::Impl {
  // A run as reports know it: data set, contender, grid point and seed.
  using Title = std::tuple<std::string, std::string, std::string, std::uint64_t>;
  struct Known {
    std::string key, command;
  };
  // The first row of a data set: how it was read, and which examples it had.
  struct DataSeen {
    std::string setting, command, data;
    std::uint64_t fingerprint, seed;
  };

  explicit Impl(const std::string& path_);
  ~Impl();
  void read();
  void note(const ResultRow& row);
  void check_fingerprint(const std::string& name, const std::string& data,
                         std::uint64_t fingerprint);
  // Rows and plan mean different things by one name.
  [[noreturn]] void refuse(const std::string& what, const std::string& there,
                           const std::string& now) const;
  [[noreturn]] void refuse_examples(const std::string& name, const std::string& data) const;
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path;
  bool made = false;
  int descriptor = -1;
  std::map<Title, Known> known;                       // the runs that have their row
  std::map<std::string, DataSeen> seen;               // the data sets, by name
  std::map<std::string, std::uint64_t> fingerprints;  // by name and description of the data
};

ResultsFile::Impl::Impl(const std::string& path_) : path(path_) {
  made = ::access(path.c_str(), F_OK) != 0;
  descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("cannot be written", errno);
  try {
    // Some network file systems have no locks; there it is the user who starts one sweep at a time.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(ErrorKind::kResource, path + ": another sweep is writing it");
    }
    read();
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

ResultsFile::Impl::~Impl() {
  if (made && ::lseek(descriptor, 0, SEEK_END) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

void ResultsFile::Impl::fail(const std::string& what, int error) const {
  throw Error(ErrorKind::kResource, fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

void ResultsFile::Impl::read() {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  off_t good = 0;
  for (std::int64_t number = 1; std::getline(file, line); ++number) {
    const std::string place = fmt::format("{}:{}", path, number);
    if (file.eof()) {  // no newline: the program was killed while it wrote, if it is ours
      if (!line.starts_with(row_start()) && !row_start().starts_with(line)) {
        throw Error(ErrorKind::kInput,
                    place + ": this is no row of a sweep; give another output file");
      }
      if (::ftruncate(descriptor, good) != 0) fail("cannot be written", errno);
      return;
    }
    good += static_cast<off_t>(line.size()) + 1;
    const ResultRow row = parse_row(line, place);
    if (row.format != kRowFormat) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: a row of format {}, which can be reported but not continued; "
                              "give another output file",
                              place, row.format));
    }
    if (row.version != version()) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: written by soba {}, and this is {}; give another output file",
                              place, row.version, version()));
    }
    note(row);
  }
  if (file.bad()) fail("cannot be read", EIO);
}

void ResultsFile::Impl::note(const ResultRow& row) {
  known.emplace(Title{row.name, row.contender, grid_text(row.grid), row.result.seed},
                Known{row.key, row.command});
  seen.emplace(row.name, DataSeen{setting(row.reading), row.command, row.result.data,
                                  row.result.fingerprint, row.result.seed});
  fingerprints.emplace(row.name + '\n' + row.result.data, row.result.fingerprint);
}

void ResultsFile::Impl::check_fingerprint(const std::string& name, const std::string& data,
                                          std::uint64_t fingerprint) {
  const auto [place, fresh] = fingerprints.emplace(name + '\n' + data, fingerprint);
  if (!fresh && place->second != fingerprint) refuse_examples(name, data);
}

void ResultsFile::Impl::refuse(const std::string& what, const std::string& there,
                               const std::string& now) const {
  throw Error(ErrorKind::kInput, fmt::format("{}: holds {} as '{}', and this sweep plays '{}'; "
                                             "give another output file",
                                             path, what, there, now));
}

void ResultsFile::Impl::refuse_examples(const std::string& name, const std::string& data) const {
  throw Error(ErrorKind::kInput,
              fmt::format("{}: its rows of {} are of other examples than {} holds now; give "
                          "another output file",
                          path, name, data));
}

ResultsFile::ResultsFile(const std::string& path) : impl_(new Impl(path)) {}
ResultsFile::~ResultsFile() = default;

void ResultsFile::check(const Sweep& sweep) const {
  const SweepPlan& plan = sweep.plan();
  for (const SweepRun& run : sweep.runs()) {
    const SweepData& data = plan.data[run.data];
    const auto found = impl_->seen.find(data.name);
    if (found == impl_->seen.end()) continue;
    const auto generator = parse_synthetic(data.data, found->second.seed);
    if (found->second.setting != setting(run_reading(plan, run)) ||
        (generator && Synthetic(*generator).description() != found->second.data)) {
      impl_->refuse(data.name, found->second.command, run_command(plan, run));
    }
  }
}

std::deque<std::size_t> ResultsFile::missing_runs(const Sweep& sweep) {
  check(sweep);
  const SweepPlan& plan = sweep.plan();
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    const std::uint64_t fingerprint = sweep.fingerprint(d);
    if (fingerprint == 0) continue;
    const auto found = impl_->seen.find(plan.data[d].name);
    if (found != impl_->seen.end() && found->second.fingerprint != fingerprint) {
      impl_->refuse_examples(plan.data[d].name, plan.data[d].data);
    }
    impl_->check_fingerprint(plan.data[d].name, plan.data[d].data, fingerprint);
  }
  std::deque<std::size_t> out;
  for (std::size_t i = 0; i < sweep.runs().size(); ++i) {
    const SweepRun& run = sweep.runs()[i];
    const std::string& name = plan.data[run.data].name;
    const SweepLearner& learner = plan.learners[run.learner];
    const std::string real = choose_learner(learner.learner, {}).info->name;
    const std::string grid = grid_text(grid_of(real, run.grid));
    const auto row = impl_->known.find({name, learner.name, grid, run.seed});
    if (row == impl_->known.end()) {
      out.push_back(i);
    } else if (row->second.key != sweep.key(i)) {
      impl_->refuse(fmt::format("{} on {}", learner.name, name), row->second.command,
                    run_command(plan, run));
    }
  }
  return out;
}

void ResultsFile::append(const std::string& line) {
  const ResultRow row = parse_row(line, impl_->path);
  impl_->check_fingerprint(row.name, row.result.data, row.result.fingerprint);
  const off_t size = ::lseek(impl_->descriptor, 0, SEEK_END);
  const ssize_t written = ::write(impl_->descriptor, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return;
  const int error = written < 0 ? errno : ENOSPC;
  if (::ftruncate(impl_->descriptor, size) != 0) impl_->fail("ends in a part of a row", errno);
  impl_->fail("cannot be written", error);
}

void ResultsFile::sync() {
  if (::fsync(impl_->descriptor) != 0) impl_->fail("cannot be written", errno);
}

}  // namespace soba::lab
