// Numbers out of text, and text into error messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/bytes/digits.h"

namespace soba {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Without the blanks around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The general case of scan_number below.
const char* scan_any_number(const char* begin, const char* end, double& value);

// Powers of ten that are exact as doubles.
inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t kSmallPowers[] = {1,      10,      100,      1000,     10000,
                                                 100000, 1000000, 10000000, 100000000};
inline constexpr std::uint64_t kExactInteger = std::uint64_t{1} << 53;

// digits·10^−decimals, rounded correctly, since both factors are exact as doubles (Clinger, "How to
// read floating point numbers accurately", 1990). Requires: digits <= kExactInteger, decimals <=
// 22.
inline double decimal_value(bool negative, std::uint64_t digits, std::ptrdiff_t decimals) {
  double magnitude = static_cast<double>(digits);
  if (decimals != 0) magnitude /= kPowersOfTen[decimals];
  return negative ? -magnitude : magnitude;
}

// Reads the finite decimal number at `begin`, rounded correctly; a leading plus is fine. Returns
// the end of the number, or null where there is none, or where it is too large for a double.
inline const char* scan_number(const char* begin, const char* end, double& value) {
  const char* p = begin;
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  std::uint64_t digits = 0;
  const char* const first = p;
  while (p != end && is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t count = p - first;
  std::ptrdiff_t decimals = 0;
  if (p != end && *p == '.') {
    const char* const point = ++p;
    while (p != end && is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
    decimals = p - point;
    count += decimals;
  }
  // Nineteen digits fit into 64 bits.
  if (count == 0 || count > 19 || digits > kExactInteger ||
      (p != end && (*p == 'e' || *p == 'E'))) {
    return scan_any_number(begin, end, value);
  }
  value = decimal_value(negative, digits, decimals);
  return p;
}

// The same for the most common numbers, eight digits at a time: null does not mean that there is
// none. Requires: 32 bytes at `p` can be read, and the text ends before them with a character that
// is no part of a number.
inline const char* scan_plain_number(const char* p, double& value) {
  const bool negative = *p == '-';
  p += negative;
  std::uint64_t word = load_word(p);
  const unsigned whole = count_digits(word);
  if (whole == 0) return nullptr;
  std::uint64_t digits = digits_value(word, whole);
  if (static_cast<unsigned char>(p[whole]) <= ' ') {  // nothing more of it
    value = decimal_value(negative, digits, 0);
    return p + whole;
  }
  std::ptrdiff_t decimals = 0;
  p += whole;
  if (*p == '.') {
    word = load_word(++p);
    unsigned count = count_digits(word);
    if (count == 0) return nullptr;
    digits = digits * kSmallPowers[count] + digits_value(word, count);
    p += count;
    decimals = count;
    if (count == 8 && is_digit(*p)) {
      word = load_word(p);
      count = count_digits(word);
      if (whole + 8 + count > 19) return nullptr;
      digits = digits * kSmallPowers[count] + digits_value(word, count);
      p += count;
      decimals += count;
    }
  }
  // What follows may be more of it: further digits, an exponent, a second point.
  const auto next = static_cast<unsigned char>(*p);
  if (digits > kExactInteger || is_digit(*p) || next == '.' || (next | 0x20) == 'e') return nullptr;
  value = decimal_value(negative, digits, decimals);
  return p;
}

// The finite number that fills all of `text`, or nothing.
inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || scan_number(text.data(), end, value) != end) return std::nullopt;
  return value;
}

// Whether it is a number, but beyond ±kMaxValue.
bool is_beyond_limit(std::string_view text);

// Whether all of it is valid UTF-8.
bool is_utf8(std::string_view text);
// What to say of text that is not.
std::string not_utf8(std::string_view text);

// `text` as it goes into a message: in quotes, shortened, control characters and bytes that are no
// UTF-8 escaped.
std::string shown(std::string_view text);

// "1 line", "2,345 lines".
std::string counted(std::int64_t count, std::string_view noun);
// "a, b and c".
std::string in_words(std::span<const std::string> words);

// The first few of the names, for "expected one of …".
template <class Names>
std::string listing(const Names& names, std::size_t most = 10) {
  std::string text;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (count == most) return text + ", …";
    if (count++ != 0) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace soba
