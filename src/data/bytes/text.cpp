#include "data/bytes/text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>

#include "soba/types.h"

namespace soba {

namespace {

constexpr std::size_t kShown = 40;

// from_chars calls 1e-400 out of range like 1e400; only the second has no nearest double.
bool vanishes(std::string_view number) {
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent != std::string_view::npos && number.find('-', exponent) != std::string_view::npos) {
    return true;
  }
  const std::size_t significant = number.find_first_of("123456789");
  return exponent == std::string_view::npos && significant > number.find('.');
}

}  // namespace

const char* scan_any_number(const char* begin, const char* end, double& value) {
  if (begin != end && *begin == '+' && begin + 1 != end && begin[1] != '-') ++begin;
  const auto [stop, code] = std::from_chars(begin, end, value);
  if (code == std::errc::result_out_of_range) {
    if (!vanishes({begin, static_cast<std::size_t>(stop - begin)})) return nullptr;
    value = 0;
    return stop;
  }
  return code == std::errc() && std::fabs(value) <= kMaxValue ? stop : nullptr;
}

bool is_beyond_limit(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !(is_digit(text[0]) || text[0] == '.')) return false;
  double value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return stop == text.data() + text.size() &&
         (code == std::errc::result_out_of_range ? !vanishes(text) : value > kMaxValue);
}

bool is_utf8(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      return simdjson::validate_utf8(text.data(), text.size());
    }
  }
  return true;
}

std::string not_utf8(std::string_view text) {
  return fmt::format("expected UTF-8, found {}; option 'encoding' reads latin1", shown(text));
}

std::string shown(std::string_view text) {
  const bool shortened = text.size() > kShown;
  if (shortened) {
    std::size_t size = kShown;
    while (size > kShown - 4 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    text = text.substr(0, size);
  }
  const bool utf8 = simdjson::validate_utf8(text.data(), text.size());
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8)) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (shortened ? "…\"" : "\"");
}

std::string counted(std::int64_t count, std::string_view noun) {
  std::string digits = fmt::format("{}", count);
  const std::ptrdiff_t first = count < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return fmt::format("{} {}{}", digits, noun, count == 1 ? "" : "s");
}

std::string in_words(std::span<const std::string> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

}  // namespace soba
