#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "output.h"
#include "text.h"

namespace soba::cli {

namespace {

constexpr int kBarWidth = 20;

int terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kColumns;
}

std::string rate_text(double rounds_per_second) {
  if (rounds_per_second >= 1e6) return fmt::format("{:.1f} M rounds/s", rounds_per_second / 1e6);
  if (rounds_per_second >= 1e3) return fmt::format("{:.0f} k rounds/s", rounds_per_second / 1e3);
  return fmt::format("{:.0f} rounds/s", rounds_per_second);
}

}  // namespace

void StatusLine::draw(std::string text) {
  // A line that the terminal breaks could not be cleared.
  const auto width = static_cast<std::size_t>(std::max(1, terminal_width() - 1));
  if (text.size() > width) text.resize(width);
  print_error("\r" + text + "\x1b[K");
  drawn_ = Clock::now();
  visible_ = true;
}

void StatusLine::clear() {
  if (std::exchange(visible_, false)) print_error("\r\x1b[K");
}

std::string bar(double done) {
  const double share = std::clamp(done, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  return fmt::format("[{}{}] {:.0f} %", std::string(filled, '#'),
                     std::string(kBarWidth - filled, '.'), 100 * share);
}

Progress::Style Progress::suitable(bool quiet) {
  if (quiet) return Style::kNone;
  return ::isatty(STDERR_FILENO) == 1 ? Style::kBar : Style::kLines;
}

Progress::Progress(Style style, std::string title, std::optional<std::int64_t> rounds,
                   std::int64_t earlier)
    : style_(style), title_(std::move(title)), rounds_(rounds), earlier_(earlier) {}

void Progress::say(const std::string& words) {
  if (style_ == Style::kLines) print_error(words + '\n');
  if (style_ == Style::kBar) status_.draw(words);
}

void Progress::block(const Tally& so_far) {
  if (due()) status_.draw(line(so_far));
}

std::string Progress::line(const Tally& so_far) const {
  const double elapsed = seconds_between(start_, Clock::now());
  const double rate = elapsed > 0 ? static_cast<double>(so_far.rounds - earlier_) / elapsed : 0;
  std::string out = title_.empty() ? "" : title_ + "  ";
  if (rounds_ && *rounds_ > 0) {
    out += bar(fraction(so_far.rounds, *rounds_)) + "  ";
  } else {
    out += thousands(so_far.rounds) + " rounds  ";
  }
  out += fmt::format("{}  error {}  ", rate_text(rate),
                     percent(fraction(so_far.mistakes, so_far.rounds)));
  if (rounds_ && rate > 0) {
    return out + duration(static_cast<double>(*rounds_ - so_far.rounds) / rate) + " left";
  }
  return out + duration(elapsed);
}

void Progress::milestone(const Tally& so_far) {
  const bool power_of_two = std::has_single_bit(static_cast<std::uint64_t>(so_far.rounds));
  if (style_ != Style::kLines || !power_of_two) return;
  if (!std::exchange(header_printed_, true)) {
    if (!title_.empty()) print_error(title_ + '\n');
    print_error(fmt::format("{:>12}  {:>12}  {:>16}  {:>12}  {:>12}\n", "round", "played_error",
                            "error_since_last", "greedy_error", "updates"));
  }
  print_error(fmt::format("{:>12}  {:>12.6f}  {:>16.6f}  {:>12.6f}  {:>12}\n", so_far.rounds,
                          fraction(so_far.mistakes, so_far.rounds),
                          fraction(so_far.mistakes - last_.mistakes, so_far.rounds - last_.rounds),
                          fraction(so_far.greedy_mistakes, so_far.rounds), so_far.updates));
  last_ = so_far;
}

}  // namespace soba::cli
