#include "data/formats/libsvm/short_entries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/draws.h"
#include "data/bytes/lines.h"
#include "soba/rng.h"
#include "support/vector_units.h"

namespace soba {
namespace {

struct Taken {
  std::size_t characters = 0;
  std::vector<Index> index;
  std::vector<double> value;
  std::int32_t last = 0;

  friend bool operator==(const Taken&, const Taken&) = default;
};

using Taker = const char* (*)(const char* p, std::int32_t base, Entries& entries);

// All that `take` takes, with more room whenever it wants some; and what it leaves too early is
// taken by the plain loop, which takes one at a time.
Taken take_all(Taker take, const std::string& text, std::int32_t base, std::int32_t last) {
  Row row;
  Entries entries;
  entries.last = last;
  const char* p = text.data();
  for (bool more = true; more;) {
    if (entries.count + kShortRoom > entries.room) entries.make_room(row);
    const char* next = take(p, base, entries);
    if (next == p) {
      entries.room = entries.count + kShortRoom;
      next = reference::take_short_entries(p, base, entries);
      entries.room = row.index.size();
    }
    more = next != p;
    p = next;
  }
  Taken taken;
  taken.characters = static_cast<std::size_t>(p - text.data());
  taken.index.assign(entries.index, entries.index + entries.count);
  taken.value.assign(entries.value, entries.value + entries.count);
  taken.last = entries.last;
  return taken;
}

// On this vector unit. Behind the line there is what must not be taken: more of the same.
void matches_plain_loop(const std::string& line, std::int32_t base = 1, std::int32_t last = 0) {
  for (const char* const behind : {"\n", "\r\n", " \n", "\n 9999:1", "\n:::: 1:1 2:2"}) {
    const std::string text = line + behind + std::string(kShortReach, '7');
    const Taken found = take_all(take_short_entries, text, base, last);
    const Taken expected = take_all(reference::take_short_entries, text, base, last);
    ASSERT_EQ(found, expected) << "in " << text << " base " << base << " last " << last;
  }
}

std::string ascending_line(Draws& draws, std::uint32_t most_apart) {
  std::string line;
  for (std::uint32_t index = draws.below(20); index < 12'000;
       index += 1 + draws.below(most_apart)) {
    line += fmt::format(" {}:{}", index, 1 + draws.below(9));
    if (draws.below(150) == 0) break;
  }
  return line;
}

TEST(ShortEntries, AreReadAsTheyAreWritten) {
  const std::string text =
      " 1:1 2:2 3:9 10:3 11:4 12:5 13:6 14:7 15:8 16:9 17:1 18:2 100:3 1000:4 9999:5\n" +
      std::string(kShortReach, ' ');
  testing::for_each_target([&] {
    const Taken taken = take_all(take_short_entries, text, 1, 0);
    EXPECT_EQ(taken.index,
              (std::vector<Index>{0, 1, 2, 9, 10, 11, 12, 13, 14, 15, 16, 17, 99, 999, 9998}));
    EXPECT_EQ(taken.value, (std::vector<double>{1, 2, 9, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5}));
    EXPECT_EQ(taken.last, 9999);
    EXPECT_EQ(text[taken.characters], '\n');
  });
}

TEST(ShortEntries, AreThoseOfThePlainLoop) {
  testing::for_each_target([] {
    Draws draws(Rng(1, Purpose::kExamples), 1);
    for (const std::uint32_t most_apart : {1, 3, 20, 200, 3000}) {
      for (int trial = 0; trial < 40; ++trial)
        matches_plain_loop(ascending_line(draws, most_apart));
    }
  });
}

// Every length of a run and of what is taken in its last step.
TEST(ShortEntries, EndInAnyPlaceOfAStep) {
  testing::for_each_target([] {
    for (const int first : {1, 10, 100, 1000}) {
      std::string line;
      for (int count = 0; count < 20; ++count) {
        matches_plain_loop(line);
        matches_plain_loop(line + " 12345:1");
        matches_plain_loop(line + fmt::format(" {}:0", first + count));
        matches_plain_loop(line + fmt::format(" {}:12", first + count));
        matches_plain_loop(line + fmt::format(" {}:1.5 {}:1", first + count, first + count + 1));
        matches_plain_loop(line + fmt::format(" {}:1\t{}:1", first + count, first + count + 1));
        matches_plain_loop(line, 0, -1);
        matches_plain_loop(line, 1, first + 3);
        line += fmt::format(" {}:{}", first + count, 1 + count % 9);
      }
    }
  });
}

TEST(ShortEntries, Ascend) {
  testing::for_each_target([] {
    for (int place = 1; place < 20; ++place) {
      for (const int step : {0, -1, -3}) {
        std::string line;
        for (int i = 0; i < 20; ++i)
          line += fmt::format(" {}:1", 100 + i + (i >= place ? step : 1));
        matches_plain_loop(line);
      }
    }
    matches_plain_loop(" 007:1 8:1 09:1 0010:1");
    matches_plain_loop(" 9:1 09:1");
    matches_plain_loop(" 9:1 08:1");
    matches_plain_loop(" 0:1 1:1");
    matches_plain_loop(" 0:1 1:1", 0, -1);
  });
}

// In each place of a line each character next to which another begins to be good or bad, and the
// same with the highest bit.
TEST(ShortEntries, HaveNoOtherCharacters) {
  testing::for_each_target([] {
    for (const std::string line :
         {" 1:1 2:2 3:3 4:4 5:5 6:6 7:7 8:8 9:9", " 11:1 12:2 13:3 14:4 15:5 16:6 17:7 18:8 19:9",
          " 111:1 112:2 113:3 114:4 115:5 116:6 117:7 118:8 119:9",
          " 1111:1 1112:2 1113:3 1114:4 1115:5 1116:6 1117:7 1118:8 1119:9"}) {
      for (std::size_t place = 0; place < line.size(); ++place) {
        for (const char c : std::string_view("\0\1\n\r\x1F !/0129:;\x7F", 15)) {
          std::string other = line;
          other[place] = c;
          matches_plain_loop(other);
          other[place] = static_cast<char>(c | 0x80);
          matches_plain_loop(other);
        }
      }
    }
  });
}

// Runs are taken to their ends in one call: not all is left to others.
TEST(ShortEntries, AreTaken) {
  testing::for_each_target([] {
    std::string many;
    for (int i = 0; i < 20; ++i) many += fmt::format(" {}:1", 100 + i);
    for (const std::string& line :
         std::vector<std::string>{" 1:1", " 12:1 13:1", " 1:1 12:2 123:3 1234:4 1235:5", many}) {
      const std::string text = line + "\n" + std::string(kShortReach, ' ');
      Row row;
      Entries entries;
      entries.make_room(row);
      EXPECT_TRUE(may_be_short(text.data()));
      const char* const end = take_short_entries(text.data(), 1, entries);
      EXPECT_EQ(*end, '\n') << line;
    }
  });
}

TEST(ShortEntries, HaveALengthOfTheirOwn) {
  for (const char* const text : {" 12345:1 ", " 12:10 ", " 12:1.5 ", " 12:-1 ", " 1:0.5 "}) {
    EXPECT_FALSE(may_be_short((text + std::string(8, '1')).data())) << text;
  }
}

TEST(ShortEntries, NeedRoom) {
  testing::for_each_target([] {
    const std::string text = " 1:1 2:1\n" + std::string(kShortReach, ' ');
    std::vector<Index> index(kShortRoom, -1);
    std::vector<double> value(kShortRoom, -1);
    Entries entries;
    entries.index = index.data();
    entries.value = value.data();
    entries.room = kShortRoom - 1;
    EXPECT_EQ(take_short_entries(text.data(), 1, entries), text.data());
    EXPECT_EQ(index, std::vector<Index>(kShortRoom, -1));
    EXPECT_EQ(value, std::vector<double>(kShortRoom, -1));
    entries.room = kShortRoom;
    EXPECT_GT(take_short_entries(text.data(), 1, entries), text.data());
  });
}

}  // namespace
}  // namespace soba
