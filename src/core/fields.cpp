#include "core/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace soba {

namespace {

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

template <class T>
T accepted(const std::optional<T>& value, std::string_view name, std::string_view text,
           const std::string& expected) {
  if (value) return *value;
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: '{}' is not accepted; expected {}", name, text, expected));
}

}  // namespace

std::string range_text(const FieldRange& range) {
  if (std::isinf(range.max)) {
    if (std::isinf(range.min)) return "a number";
    return fmt::format("{} {}", range.open_min ? ">" : ">=", range.min);
  }
  return fmt::format("{}{}, {}]", range.open_min ? "(" : "[", range.min, range.max);
}

std::optional<double> read_number(std::string_view text, const FieldRange& range) {
  double value = 0;
  if (!parse_expression(text, value) || !(value >= range.min && value <= range.max) ||
      std::isinf(value) || (range.open_min && value == range.min)) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> read_integer(std::string_view text, const FieldRange& range) {
  std::int64_t value = 0;
  if (!parse_all(text, value)) {
    // 1e6 is welcome where it is a whole number.
    double real = 0;
    if (!parse_all(text, real) || real != std::floor(real) || !(std::fabs(real) < 0x1p63)) {
      return std::nullopt;
    }
    value = static_cast<std::int64_t>(real);
  }
  const double real = static_cast<double>(value);
  if (!(real >= range.min && real <= range.max)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> read_seed(std::string_view text) {
  std::uint64_t seed = 0;
  if (parse_all(text, seed)) return seed;
  const auto whole = read_integer(text, {.min = 0});
  if (!whole) return std::nullopt;
  return static_cast<std::uint64_t>(*whole);
}

std::span<const std::string_view> rate_words(const FieldRange& range) {
  static constexpr std::array<std::string_view, 2> kUsual = {"adaptive", "theory"};
  return range.choices.empty() ? kUsual : range.choices;
}

std::optional<Rate> read_rate(std::string_view text, const FieldRange& range) {
  for (const std::string_view word : rate_words(range)) {
    if (text != word) continue;
    if (text == "adaptive") return Rate{Rate::Rule::kAdaptive, 0};
    return Rate{Rate::Rule::kTheory, text == kHingeRule ? kHingeTuning : 0};
  }
  const auto value = read_number(text, range);
  if (!value) return std::nullopt;
  return Rate{Rate::Rule::kFixed, *value};
}

std::optional<bool> read_flag(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<std::vector<std::string>> read_list(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> words;
  if (text.empty()) return words;
  for (std::size_t at = 0; at <= text.size(); ++at) {  // behind a word is a comma, or the end
    std::string& word = words.emplace_back();
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    if (at == text.size() || text[at] != '"') {
      const std::size_t end = std::min(text.find(',', at), text.size());
      word = text.substr(at, end - at);
      word.erase(word.find_last_not_of(kBlanks) + 1);
      at = end;
      continue;
    }
    for (bool open = true; open;) {
      const std::size_t quote = text.find('"', at + 1);
      if (quote == std::string_view::npos) return std::nullopt;
      word += text.substr(at + 1, quote - at - 1);
      at = quote + 1;
      open = at < text.size() && text[at] == '"';  // doubled: a quote in the word
      if (open) word += '"';
    }
    at = std::min(text.find_first_not_of(kBlanks, at), text.size());
    if (at < text.size() && text[at] != ',') return std::nullopt;
  }
  return words;
}

std::string list_text(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) {
    if (&word != &words.front()) out += ',';
    const std::string_view edges = " \t";
    const bool plain = !word.empty() && word.front() != '"' && word.find(',') == word.npos &&
                       edges.find(word.front()) == edges.npos &&
                       edges.find(word.back()) == edges.npos;
    if (plain) {
      out += word;
      continue;
    }
    out += '"';
    for (const char c : word) out.append(c == '"' ? 2 : 1, c);
    out += '"';
  }
  return out;
}

void reject_value(std::string_view option, std::string_view text, const std::string& expected) {
  throw Error(ErrorKind::kUsage, std::string(option),
              fmt::format("'{}' is not accepted; expected {}", text, expected));
}

void reject_option(std::string_view option, std::span<const std::string> known) {
  const std::string near = nearest(option, known);
  throw Error(ErrorKind::kUsage,
              fmt::format("unknown option '{}'{}", option,
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

double parse_number(std::string_view name, std::string_view text, double min, double max) {
  const FieldRange range{.min = min, .max = max};
  return accepted(read_number(text, range), name, text, "a number " + range_text(range));
}

std::int64_t parse_integer(std::string_view name, std::string_view text, double min, double max) {
  const FieldRange range{.min = min, .max = max};
  return accepted(read_integer(text, range), name, text, "a whole number " + range_text(range));
}

std::string parse_choice(std::string_view name, std::string_view text,
                         std::span<const std::string_view> choices) {
  std::optional<std::string> word;
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) word = text;
  return accepted(word, name, text, join(choices, ", "));
}

std::string to_text(double value) { return fmt::format("{}", value); }
std::string to_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_text(const std::string& value) { return value; }
std::string to_text(const Rate& value) {
  if (value.rule == Rate::Rule::kAdaptive) return "adaptive";
  if (value == Rate{Rate::Rule::kTheory, kHingeTuning}) return std::string(kHingeRule);
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
