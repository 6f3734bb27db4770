#include "data/column_guess.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "data/bytes/text.h"
#include "data/date.h"

namespace soba {

namespace {

constexpr std::int64_t kLeastTexts = 10;
constexpr std::int64_t kWordsOfText = 3;   // on average
constexpr std::int64_t kShareOfText = 10;  // one in so many values differs

// "id", "ticket_id", "ticket-id", "ticket id", "ticketId", "ticketID", "ID".
bool is_id_name(std::string_view name) {
  if (name.size() < 2) return false;
  const std::string_view end = name.substr(name.size() - 2);
  if (end != "id" && end != "Id" && end != "ID") return false;
  if (name.size() == 2) return true;
  const char before = name[name.size() - 3];
  return before == '_' || before == '-' || is_blank(before) || (end != "id" && before >= 'a');
}

std::int64_t count_words(std::string_view text) {
  std::int64_t words = 0;
  bool within = false;
  for (const char c : text) {
    const bool blank = is_blank(c) || c == '\n' || c == '\r';
    words += !blank && !within;
    within = !blank;
  }
  return words;
}

}  // namespace

ColumnGuess::ColumnGuess(std::string_view name) : named_id_(is_id_name(name)) {}

bool ColumnGuess::insert(std::uint64_t hash) {
  if (static_cast<std::int64_t>(seen_.size()) >= kMostDistinct) return !seen_.contains(hash);
  return seen_.insert(hash).second;
}

void ColumnGuess::add_number(double number) {
  // From 2⁵³ on, adding 1 may change nothing.
  counts_ = counts_ && (numbers_ == 0 || number == last_ + 1) && number == std::floor(number) &&
            std::fabs(number) < 0x1p53;
  last_ = number;
  ++numbers_;
  if (!named_id_) return;
  named_id_ = number == std::floor(number) && insert(std::hash<double>{}(number));
}

void ColumnGuess::add_text(std::string_view text) {
  ++texts_;
  dates_ = dates_ && parse_date(trimmed(text));
  const bool judged = texts_ <= kJudged;
  if (judged) words_ += count_words(text);
  if (!judged && !differ_) return;
  const bool fresh = insert(std::hash<std::string_view>{}(text));
  differ_ = differ_ && fresh;
  if (judged) distinct_ += fresh;
}

bool ColumnGuess::is_numbered() const {
  return watches_numbers() && texts_ == 0 && numbers_ > kFewValues;
}

Guess ColumnGuess::of_texts(std::int64_t numbers) const {
  if (texts_ == 0 || numbers > texts_) return Guess::kNone;
  if (dates_ && numbers == 0) return Guess::kDate;
  const std::int64_t judged = std::min(texts_, kJudged);
  if (judged >= kLeastTexts && words_ >= kWordsOfText * judged &&
      distinct_ * kShareOfText >= judged && distinct_ >= kLeastTexts) {
    return Guess::kText;
  }
  return differ_ && texts_ > kFewValues ? Guess::kId : Guess::kNone;
}

}  // namespace soba
