#include "input_lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "interrupt.h"
#include "soba/error.h"

namespace soba::cli {

bool InputLines::refill() {
  buffer_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  if (buffer_.size() > kMaxLine) {
    throw Error(ErrorKind::kInput, fmt::format("<stdin>:{}:1: the line is longer than {} MiB",
                                               number_ + 1, kMaxLine >> 20));
  }
  std::array<char, 1 << 16> chunk;
  for (;;) {
    if (!wait_readable(STDIN_FILENO)) return false;
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) {
      throw Error(ErrorKind::kInput, fmt::format("<stdin>: cannot read: {}", std::strerror(errno)));
    }
    if (count == 0) return false;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
  }
}

bool InputLines::ready() {
  for (;;) {
    if (buffer_.find('\n', scanned_) != std::string::npos) return true;
    scanned_ = buffer_.size();
    pollfd input{STDIN_FILENO, POLLIN, 0};
    // next() says what is wrong with a line that is too long.
    if (ended_ || buffer_.size() - begin_ > kMaxLine || ::poll(&input, 1, 0) <= 0) return false;
    if (!refill()) return false;
  }
}

std::optional<std::string_view> InputLines::next() {
  for (;;) {
    if (interrupted() != 0) return std::nullopt;
    std::size_t end = buffer_.find('\n', scanned_);
    std::size_t after = end + 1;
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      if (!ended_ && refill()) continue;
      ended_ = true;
      if (interrupted() != 0 || begin_ == buffer_.size()) return std::nullopt;
      end = after = buffer_.size();  // the last line may lack its end
    }
    const std::string_view line(buffer_.data() + begin_, end - begin_);
    begin_ = scanned_ = after;
    ++number_;
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }
}

}  // namespace soba::cli
