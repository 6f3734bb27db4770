#include "data/date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace soba {
namespace {

TEST(Date, IsTheDayTheWeekdayAndTheHour) {
  const auto date = parse_date("2026-11-16T22:37:30Z");
  ASSERT_TRUE(date);
  EXPECT_EQ(date->day, 9816);
  EXPECT_EQ(weekday_name(date->weekday), "mon");
  EXPECT_DOUBLE_EQ(date->hour, 22.625);
  EXPECT_EQ(parse_date("2000-01-01")->day, 0);
  EXPECT_EQ(weekday_name(parse_date("2000-01-01")->weekday), "sat");
  EXPECT_EQ(parse_date("1999-12-31")->day, -1);
  EXPECT_EQ(weekday_name(parse_date("1999-12-31")->weekday), "fri");
  EXPECT_EQ(parse_date("2000-02-29")->hour, 0);
  EXPECT_EQ(parse_date("0001-01-01")->day, -730119);
  EXPECT_EQ(parse_date("9999-12-31")->day, 2921939);
}

// Against the calendar of the standard library.
TEST(Date, OfEveryDay) {
  using namespace std::chrono;
  const sys_days start = year{2000} / January / 1;
  for (sys_days day = year{1797} / January / 1; day <= sys_days{year{2203} / December / 31};
       day += days{1}) {
    const year_month_day ymd{day};
    char text[11];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(ymd.year()),
                  static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()));
    const auto date = parse_date(text);
    ASSERT_TRUE(date) << text;
    ASSERT_EQ(date->day, (day - start).count()) << text;
    ASSERT_EQ(static_cast<unsigned>(date->weekday) + 1, weekday{day}.iso_encoding()) << text;
  }
}

TEST(Date, TakesEverySpellingOfATime) {
  for (const char* text :
       {"2026-11-16 22:30", "2026-11-16T22:30", "2026-11-16T22:30Z", "2026-11-16T22:30:00",
        "2026-11-16T22:30:00.000Z", "2026-11-16T22:30+02:00", "2026-11-16T22:30:00-0530",
        "2026-11-16 22:30+02"}) {
    const auto date = parse_date(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->hour, 22.5) << text;  // as the clock showed it
    EXPECT_EQ(date->day, 9816) << text;
  }
  EXPECT_LT(parse_date("2026-12-31T23:59:60.9Z")->hour, 24);
}

TEST(Date, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "2026",
                           "2026-11",
                           "20261116",
                           "2026-1-1",
                           "16-11-2026",
                           "2026/11/16",
                           "2026-13-01",
                           "2026-00-01",
                           "2026-02-29",
                           "1900-02-29",
                           "2026-04-31",
                           "2026-11-00",
                           "0000-01-01",
                           "2026-11-16T",
                           "2026-11-16T24:00",
                           "2026-11-16T22",
                           "2026-11-16T22:60",
                           "2026-11-16T2:30",
                           "2026-11-16T22:30:61",
                           "2026-11-16T22:30:00.",
                           "2026-11-16T22:30z",
                           "2026-11-16T22:30+2",
                           "2026-11-16T22:30+24:00",
                           "2026-11-16T22:30+02:60",
                           "2026-11-16x",
                           "2026-11-16T22:30Zx",
                           "-026-11-16",
                           "2026-11-16 "}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

}  // namespace
}  // namespace soba
