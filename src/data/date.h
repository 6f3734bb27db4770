// Dates as ISO 8601 writes them: 2026-11-16, 2026-11-16T22:37, 2026-11-16 22:37:05.25Z,
// 2026-11-16T22:37+02:00.
#pragma once

#include <optional>
#include <string_view>

namespace soba {

// What clock and calendar showed: an offset from UTC is checked, and makes no difference.
struct Date {
  int day = 0;      // since 2000-01-01
  int weekday = 0;  // 0 is Monday
  double hour = 0;  // 0 … below 24; 0 where there is no time
};

// The date that fills all of `text`, of the years 0001 … 9999; nothing where it is none. A minute
// of 60 seconds, the leap second, is one.
std::optional<Date> parse_date(std::string_view text);

// "mon", …, "sun".
std::string_view weekday_name(int weekday);

}  // namespace soba
