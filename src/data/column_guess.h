// What a column holds beside numbers and categories, guessed from all of its values.
//
// - A date, where every value is one (data/date.h).
// - Free text, where the values have three words or more on average, and one in ten or more differs
//   from all others: judged by the first kJudged values, of which there must be ten or more.
// - An id, where there are more than kFewValues values and they all differ. Numbers are ids only
//   where each is one more than that before it, or where they are whole and the column is called
//   id, as in "id", "user_id" or "userId".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace soba {

inline constexpr std::int64_t kFewValues = 20;
inline constexpr std::int64_t kJudged = 2000;
// So many different values of a column are counted; more are all taken to differ.
inline constexpr std::int64_t kMostDistinct = 1 << 16;

enum class Guess { kNone, kId, kDate, kText };

class ColumnGuess {
 public:
  explicit ColumnGuess(std::string_view name);

  void add_number(double number);
  // A value that is no number, and not missing.
  void add_text(std::string_view text);
  // Whether add_number() still makes a difference.
  bool watches_numbers() const { return counts_ || named_id_; }
  // Of a column of numbers alone.
  bool is_numbered() const;
  // Of a column of texts, `numbers` of whose values are numbers.
  Guess of_texts(std::int64_t numbers) const;

 private:
  // Whether the value is new; the set stops growing at kMostDistinct.
  bool insert(std::uint64_t hash);

  bool counts_ = true;  // each number is one more than the one before
  bool named_id_;       // and so far all numbers are whole and differ
  std::int64_t numbers_ = 0;
  double last_ = 0;
  bool dates_ = true, differ_ = true;                  // the texts so far
  std::int64_t texts_ = 0, words_ = 0, distinct_ = 0;  // words and distinct: of the first kJudged
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace soba
