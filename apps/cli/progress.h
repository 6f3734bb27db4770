// Progress on standard error: a bar on a terminal, lines at powers of two elsewhere, or nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "soba/model.h"

namespace soba::cli {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// One line of a terminal that is written over and over, and gone in the end.
class StatusLine {
 public:
  StatusLine() = default;
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine() { clear(); }

  // Whether the last text is old enough to be replaced: ten times a second are enough.
  bool due() const { return Clock::now() - drawn_ >= std::chrono::milliseconds(100); }
  void draw(std::string text);
  void clear();

 private:
  Clock::time_point drawn_{};
  bool visible_ = false;
};

// "[######..............] 31 %".
std::string bar(double done);

class Progress {
 public:
  enum class Style { kNone, kBar, kLines };
  // What suits standard error.
  static Style suitable(bool quiet);

  // `title` stands before the bar, or on a line of its own; it may be empty. `rounds`, where known
  // before the start, give the bar its length; `earlier` ones were played before.
  Progress(Style style, std::string title, std::optional<std::int64_t> rounds,
           std::int64_t earlier = 0);

  Style style() const { return style_; }
  // After a block: redraws the bar, ten times a second at most.
  void block(const Tally& so_far);
  // One line, where the round is a power of two.
  void milestone(const Tally& so_far);
  // A word instead of the bar, while there are no rounds to count.
  void say(const std::string& words);
  // Whether a bar should be drawn anew: ten times a second at most.
  bool due() const { return style_ == Style::kBar && status_.due(); }

 private:
  std::string line(const Tally& so_far) const;

  Style style_;
  std::string title_;
  std::optional<std::int64_t> rounds_;
  std::int64_t earlier_;
  Clock::time_point start_ = Clock::now();
  StatusLine status_;
  bool header_printed_ = false;
  Tally last_;  // at the line before
};

}  // namespace soba::cli
