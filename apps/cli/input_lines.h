// Standard input a line at a time, for a loop that must answer each line before the next one comes
// and stop in order when a signal asks for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace soba::cli {

class InputLines {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 20;

  // The next line without its end, valid until the next call; nothing at the end of the input or
  // when a signal asks to stop. Throws Error{kInput} when reading fails or a line is longer than
  // kMaxLine. Requires: catch_interrupts() was called.
  std::optional<std::string_view> next();
  // Whether next() has another line at hand, without waiting for one.
  bool ready();
  std::int64_t number() const { return number_; }  // of the latest line, from 1

 private:
  bool refill();

  std::string buffer_;
  std::size_t begin_ = 0;    // of what is not yet given out
  std::size_t scanned_ = 0;  // no newline before this
  std::int64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace soba::cli
