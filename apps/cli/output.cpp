#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "soba/error.h"
#include "soba/lab/text.h"

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

}  // namespace

void print(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  throw Error(ErrorKind::kResource,
              fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_json(const Json& value) {
  print(value.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

void print_error(std::string_view text) { write_all(STDERR_FILENO, text); }

void note(std::string_view message) {
  print_error(fmt::format("soba: {}\n", lab::printable(message)));
}

void note_findings(const Source& source) {
  for (const std::string& finding : source.findings()) note(finding);
}

void guard_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit is an error of write, too
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that its use fails.
    const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened < 0) std::_Exit(4);
  }
}

}  // namespace soba::cli
