#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "soba/error.h"

namespace soba::cli {

namespace {

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool is_standard_input(const std::string& path) {
  struct stat input {
  }, other{};
  return ::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode) &&
         ::stat(path.c_str(), &other) == 0 && input.st_dev == other.st_dev &&
         input.st_ino == other.st_ino;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed)) return true;
  // Neither may exist yet.
  return std::filesystem::weakly_canonical(a, failed) ==
         std::filesystem::weakly_canonical(b, failed);
}

}  // namespace

void print(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  throw Error(ErrorKind::kResource,
              fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_json(const Json& value) {
  print(value.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

void print_error(std::string_view text) { write_all(STDERR_FILENO, text); }

void note(std::string_view message) { print_error(fmt::format("soba: {}\n", message)); }

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void check_outputs(const std::string& input, const std::vector<OutputPath>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputPath& output = outputs[i];
    if (!output.path) continue;
    if (output.path->empty() || *output.path == "-") {
      throw Error(ErrorKind::kUsage, fmt::format("{} needs the name of a file", output.option));
    }
    if (input == "-" && is_standard_input(*output.path)) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is standard input; it would be lost",
                                                 output.option, *output.path));
    }
    if (input != "-" && same_file(*output.path, input)) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is the input; it would be lost",
                                                 output.option, *output.path));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].path && same_file(*output.path, *outputs[j].path)) {
        throw Error(ErrorKind::kUsage, fmt::format("{} and {} name the same file '{}'",
                                                   outputs[j].option, output.option, *output.path));
      }
    }
    const AtomicFile trial(*output.path);  // never committed: leaves nothing behind
  }
}

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that its use fails.
    const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0) std::_Exit(4);
  }
}

}  // namespace soba::cli
