// Numbers out of text, and text into error messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace soba {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The general case of scan_number below.
const char* scan_any_number(const char* begin, const char* end, double& value);

inline constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

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
  // Up to 15 digits and a power of ten are both exact as doubles, so one division rounds correctly
  // (Clinger, "How to read floating point numbers accurately", 1990).
  if (count == 0 || count > 15 || (p != end && (*p == 'e' || *p == 'E'))) {
    return scan_any_number(begin, end, value);
  }
  double magnitude = static_cast<double>(digits);
  if (decimals != 0) magnitude /= kPowersOfTen[decimals];
  value = negative ? -magnitude : magnitude;
  return p;
}

// The finite number that fills all of `text`, or nothing.
inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty() || scan_number(text.data(), end, value) != end) return std::nullopt;
  return value;
}

// `text` as it goes into a message: in quotes, shortened, control characters and bytes that are no
// UTF-8 escaped.
std::string shown(std::string_view text);

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
