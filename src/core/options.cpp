#include "soba/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace soba {

namespace {

[[noreturn]] void reject(std::string_view option, std::string_view text,
                         const std::string& expected) {
  throw Error(ErrorKind::kUsage, fmt::format("option '{}': '{}' is not accepted; expected {}",
                                             option, text, expected));
}

template <class Number>
bool parse_all(std::string_view text, Number& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

// 2^-6 is how people write exploration rates.
bool parse_expression(std::string_view text, double& value) {
  if (const std::size_t power = text.find('^'); power != std::string_view::npos) {
    double base = 0, exponent = 0;
    if (!parse_all(text.substr(0, power), base) || !parse_all(text.substr(power + 1), exponent)) {
      return false;
    }
    value = std::pow(base, exponent);
    return true;
  }
  return parse_all(text, value);
}

}  // namespace

std::string range_text(double min, double max, bool open_min) {
  if (std::isinf(max)) {
    if (std::isinf(min)) return "a number";
    return fmt::format("{} {}", open_min ? ">" : ">=", min);
  }
  return fmt::format("{}{}, {}]", open_min ? "(" : "[", min, max);
}

double parse_number(std::string_view option, std::string_view text, double min, double max,
                    bool open_min) {
  double value = 0;
  if (!parse_expression(text, value) || !(value >= min && value <= max) || std::isinf(value) ||
      (open_min && value == min)) {
    reject(option, text, "a number " + range_text(min, max, open_min));
  }
  return value;
}

std::int64_t parse_integer(std::string_view option, std::string_view text, double min, double max) {
  std::int64_t value = 0;
  if (!parse_all(text, value)) {
    // 1e6 is welcome where it is a whole number.
    double real = 0;
    if (!parse_all(text, real) || real != std::floor(real) || !(std::fabs(real) < 0x1p63)) {
      reject(option, text, "a whole number " + range_text(min, max, false));
    }
    value = static_cast<std::int64_t>(real);
  }
  const double real = static_cast<double>(value);
  if (!(real >= min && real <= max)) {
    reject(option, text, "a whole number " + range_text(min, max, false));
  }
  return value;
}

Rate parse_rate(std::string_view option, std::string_view text, double min, double max) {
  if (text == "adaptive") return {Rate::Rule::kAdaptive, 0};
  if (text == "theory") return {Rate::Rule::kTheory, 0};
  double value = 0;
  if (!parse_expression(text, value) || !(value >= min && value <= max)) {
    reject(option, text, "a number " + range_text(min, max, false) + ", 'adaptive' or 'theory'");
  }
  return {Rate::Rule::kFixed, value};
}

std::string parse_choice(std::string_view option, std::string_view text,
                         std::span<const std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
    reject(option, text, join(choices, ", "));
  }
  return std::string(text);
}

std::string to_text(double value) { return fmt::format("{}", value); }
std::string to_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_text(const std::string& value) { return value; }
std::string to_text(const Rate& value) {
  if (value.rule == Rate::Rule::kAdaptive) return "adaptive";
  if (value.rule == Rate::Rule::kTheory) return "theory";
  return to_text(value.value);
}

std::string join(std::span<const std::string_view> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = word.size() / 3 + 2;  // farther than this is no typing error
  for (const std::string& candidate : candidates) {
    // Levenshtein distance, one row at a time.
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0]++;
      for (std::size_t j = 0; j < candidate.size(); ++j) {
        const std::size_t substitute = diagonal + (word[i] != candidate[j]);
        diagonal = row[j + 1];
        row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace soba
