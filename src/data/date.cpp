#include "data/date.h"

#include <array>

#include "data/bytes/text.h"

namespace soba {

namespace {

// Takes a number of so many digits off the front; −1 where there is none.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap(year) ? 1 : 0);
}

// From 2000-01-01. Years that end in February have the leap day last (H. Hinnant,
// "chrono-Compatible Low-Level Date Algorithms").
int day_number(int year, int month, int day) {
  if (month <= 2) --year;
  const int century = (year >= 0 ? year : year - 399) / 400;
  const int of_century = year - century * 400;
  const int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int days = of_century * 365 + of_century / 4 - of_century / 100 + of_year;
  return century * 146097 + days - 730425;
}

// The digits behind the point of seconds, any number of them.
bool take_fraction(std::string_view& text, double& seconds) {
  if (!take(text, '.')) return true;
  double unit = 0.1;
  if (text.empty() || !is_digit(text.front())) return false;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    seconds += (text.front() - '0') * unit;
    unit /= 10;
  }
  return true;
}

bool take_offset(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return true;
  if (!take(text, '+') && !take(text, '-')) return false;
  const int hours = take_digits(text, 2);
  if (hours < 0 || hours > 23) return false;
  if (text.empty()) return true;
  take(text, ':');
  const int minutes = take_digits(text, 2);
  return minutes >= 0 && minutes < 60;
}

// Hours, minutes, and perhaps seconds.
bool take_time(std::string_view& text, double& hour) {
  const int hours = take_digits(text, 2);
  if (hours < 0 || hours > 23 || !take(text, ':')) return false;
  const int minutes = take_digits(text, 2);
  if (minutes < 0 || minutes > 59) return false;
  double seconds = 0;
  if (take(text, ':')) {
    const int whole = take_digits(text, 2);
    if (whole < 0 || whole > 60 || !take_fraction(text, seconds)) return false;
    seconds = whole == 60 ? 59 : whole + seconds;
  }
  hour = hours + minutes / 60.0 + seconds / 3600;
  return true;
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  const int year = take_digits(text, 4);
  if (year < 1 || !take(text, '-')) return std::nullopt;
  const int month = take_digits(text, 2);
  if (month < 1 || month > 12 || !take(text, '-')) return std::nullopt;
  const int day = take_digits(text, 2);
  if (day < 1 || day > days_in(year, month)) return std::nullopt;
  Date date{.day = day_number(year, month, day)};
  date.weekday = ((date.day + 5) % 7 + 7) % 7;  // 2000-01-01 was a Saturday
  if (text.empty()) return date;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  if (!take_time(text, date.hour) || !take_offset(text) || !text.empty()) return std::nullopt;
  return date;
}

std::string_view weekday_name(int weekday) {
  constexpr std::array<std::string_view, 7> kNames = {"mon", "tue", "wed", "thu",
                                                      "fri", "sat", "sun"};
  return kNames[static_cast<std::size_t>(weekday)];
}

}  // namespace soba
