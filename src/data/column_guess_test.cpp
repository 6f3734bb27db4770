#include "data/column_guess.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace soba {
namespace {

Guess guess_of(int rows, const std::function<std::string(int)>& text, std::int64_t numbers = 0) {
  ColumnGuess guess("column");
  for (int i = 0; i < rows; ++i) guess.add_text(text(i));
  return guess.of_texts(numbers);
}

bool is_numbered(const char* name, int rows, const std::function<double(int)>& number) {
  ColumnGuess guess(name);
  for (int i = 0; i < rows; ++i) guess.add_number(number(i));
  return guess.is_numbered();
}

std::string number(int i) { return std::to_string(i); }

TEST(ColumnGuess, DatesAreThoseOfWhichEveryValueIsOne) {
  const auto date = [](int i) { return "2026-11-" + std::to_string(10 + i % 20); };
  EXPECT_EQ(guess_of(30, date), Guess::kDate);
  EXPECT_EQ(guess_of(1, date), Guess::kDate);
  EXPECT_EQ(guess_of(30, [&](int i) { return i == 29 ? "soon" : date(i); }), Guess::kNone);
  EXPECT_EQ(guess_of(30, date, 1), Guess::kNone);
  EXPECT_EQ(guess_of(0, date), Guess::kNone);
}

TEST(ColumnGuess, FreeTextHasThreeWordsAndManyValues) {
  const auto text = [](int i) { return "order " + number(i) + " is late"; };
  EXPECT_EQ(guess_of(20, text), Guess::kText);
  EXPECT_EQ(guess_of(9, text), Guess::kNone);  // too few to say so
  EXPECT_EQ(guess_of(20, [](int i) { return "late " + number(i); }), Guess::kNone);
  // One in ten differs, or fewer do.
  EXPECT_EQ(guess_of(1000, [&](int i) { return text(i % 100); }), Guess::kText);
  EXPECT_EQ(guess_of(1000, [&](int i) { return text(i % 99); }), Guess::kNone);
  // More than that need not be looked at.
  EXPECT_EQ(guess_of(3 * kJudged, [&](int i) { return i < kJudged ? text(i) : "late"; }),
            Guess::kText);
}

TEST(ColumnGuess, IdsAllDiffer) {
  const auto id = [](int i) { return "T-" + number(i); };
  EXPECT_EQ(guess_of(21, id), Guess::kId);
  EXPECT_EQ(guess_of(20, id), Guess::kNone);  // may be chance
  EXPECT_EQ(guess_of(20'000, [&](int i) { return id(i == 19'999 ? 7 : i); }), Guess::kNone);
  EXPECT_EQ(guess_of(100'000, id), Guess::kId);
  EXPECT_EQ(guess_of(30, id, 30), Guess::kId);  // half of them may look like numbers
  EXPECT_EQ(guess_of(30, id, 31), Guess::kNone);
}

TEST(ColumnGuess, NumbersAreIdsWhereTheyCountRowsOrAreCalledSo) {
  const auto scattered = [](int i) { return i * 7919.0; };
  EXPECT_TRUE(is_numbered("row", 21, [](int i) { return i + 5.0; }));
  EXPECT_FALSE(is_numbered("row", 20, [](int i) { return i + 5.0; }));
  EXPECT_FALSE(is_numbered("row", 21, [](int) { return -1e49; }));  // which is -1e49 + 1, too
  EXPECT_FALSE(is_numbered("row", 50, [](int i) { return i + (i > 30 ? 6.0 : 5.0); }));
  EXPECT_FALSE(is_numbered("row", 50, [](int i) { return i + 0.5; }));
  EXPECT_FALSE(is_numbered("price", 50, scattered));
  for (const char* name : {"id", "ID", "user_id", "user-id", "user id", "userId", "userID"}) {
    EXPECT_TRUE(is_numbered(name, 50, scattered)) << name;
  }
  for (const char* name : {"paid", "grid", "VOID", "d", "", "idx"}) {
    EXPECT_FALSE(is_numbered(name, 50, scattered)) << name;
  }
  EXPECT_FALSE(is_numbered("id", 50, [](int i) { return i % 49; }));
  EXPECT_FALSE(is_numbered("id", 50, [](int i) { return i * 1.5; }));
  EXPECT_TRUE(is_numbered("id", 100'000, scattered));
}

}  // namespace
}  // namespace soba
