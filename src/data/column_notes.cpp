#include "data/column_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "data/bytes/text.h"
#include "soba/options.h"

namespace soba {

namespace {

constexpr double kHuge = 1e6;

}  // namespace

std::string FoundColumn::text() const {
  switch (guess) {
    case Guess::kId:
      return "a different value in every row, as an id: it is left out; option 'only' or "
             "'categorical' keeps it";
    case Guess::kDate:
      return "dates: the day, the hour and the weekday are features; option 'categorical' makes "
             "each date a category";
    case Guess::kText:
      return "free text: its words are features; option 'categorical' makes each text a category";
    default:
      return "";
  }
}

void ColumnCells::add(std::string_view cell) {
  ++values_;
  std::uint64_t hash = 0;
  if (const std::optional<double> number = parse_number(trimmed(cell))) {
    minimum_ = numbers_ == 0 ? *number : std::min(minimum_, *number);
    maximum_ = numbers_ == 0 ? *number : std::max(maximum_, *number);
    whole_ = whole_ && *number == std::floor(*number);
    ++numbers_;
    hash = std::hash<double>{}(*number);
  } else {
    hash = std::hash<std::string_view>{}(cell);
  }
  if (static_cast<std::int64_t>(seen_.size()) < kMostDistinct) seen_.insert(hash);
}

ColumnSurvey ColumnCells::survey(std::string_view name, std::string_view type) const {
  ColumnSurvey out{.name = std::string(name),
                   .type = std::string(type),
                   .values = values_,
                   .missing = missing_,
                   .numbers = numbers_,
                   .distinct = static_cast<std::int64_t>(seen_.size()),
                   .minimum = minimum_,
                   .maximum = maximum_};
  if (type != "number" && type != "category") return out;
  const bool text = type == "category";
  if (values_ > kFewValues && out.distinct == std::min(values_, kMostDistinct) &&
      (text || whole_)) {
    out.flags.emplace_back("every value differs, as in an id: option 'ignore' leaves it out");
  }
  if (values_ > 1 && out.distinct == 1 && missing_ == 0) {
    out.flags.emplace_back("constant: option 'ignore' leaves it out");
  }
  if (text && numbers_ * 2 >= values_ && numbers_ < values_) {
    out.flags.push_back(fmt::format(
        "nearly numeric, all but {} of {}: option 'missing' names the words for a missing value",
        values_ - numbers_, values_));
  }
  const double largest = std::max(std::fabs(minimum_), std::fabs(maximum_));
  if (!text && largest > kHuge) {
    out.flags.push_back(
        fmt::format("values up to {}: option 'scale' evens them out", to_text(largest)));
  }
  return out;
}

}  // namespace soba
