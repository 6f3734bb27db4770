#include "data/words.h"

#include <cstdint>

namespace soba {

namespace {

bool is_between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c - first <= last - first;
}

// The character at the front, which is taken off. Requires: `text` is UTF-8, and not empty.
std::uint32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (lead < 0x80) return lead;
  std::uint32_t c = lead < 0xE0 ? lead & 0x1F : lead < 0xF0 ? lead & 0x0F : lead & 0x07;
  for (int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3; more > 0 && !text.empty(); --more) {
    c = c << 6 | (static_cast<unsigned char>(text.front()) & 0x3F);
    text.remove_prefix(1);
  }
  return c;
}

void append(std::uint32_t c, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto rest = [&](int shift) { put(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    rest(0);
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    rest(6);
    rest(0);
  } else {
    put(0xF0 | c >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

bool is_letter(std::uint32_t c) {
  if (c < 0x80) {
    return is_between(c, '0', '9') || is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
  }
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  return c != 0xD7 && c != 0xF7 && !is_between(c, 0x2000, 0x2BFF) &&
         !is_between(c, 0x3000, 0x303F) && !is_between(c, 0xFE00, 0xFE6F) &&
         !is_between(c, 0xFF00, 0xFF0F);
}

bool is_word_alone(std::uint32_t c) {
  return is_between(c, 0x3040, 0x30FF) || is_between(c, 0x3400, 0x9FFF) ||
         is_between(c, 0x20000, 0x3FFFF);
}

std::uint32_t lower(std::uint32_t c) {
  if (c < 0x80) return is_between(c, 'A', 'Z') ? c + 0x20 : c;
  if (c < 0x100) return is_between(c, 0xC0, 0xDE) && c != 0xD7 ? c + 0x20 : c;
  if (c < 0x180) {  // pairs, capital first: on odd numbers in two stretches, else on even ones
    if (c == 0x130 || c == 0x131 || c == 0x138 || c == 0x149 || c == 0x17F) return c;
    if (c == 0x178) return 0xFF;
    const bool odd = is_between(c, 0x139, 0x148) || c > 0x178;
    return (c % 2 == 1) == odd ? c + 1 : c;
  }
  if (is_between(c, 0x391, 0x3A9) || is_between(c, 0x410, 0x42F)) return c + 0x20;
  return is_between(c, 0x400, 0x40F) ? c + 0x50 : c;
}

}  // namespace

bool take_word(std::string_view& text, std::string& word) {
  word.clear();
  while (!text.empty()) {
    std::string_view rest = text;
    const std::uint32_t c = take_character(rest);
    const bool alone = is_word_alone(c);
    if (!is_letter(c)) {
      text = rest;
      if (!word.empty()) return true;
      continue;
    }
    if (!word.empty() && (alone || word.size() + (text.size() - rest.size()) > kLongestWord)) {
      return true;
    }
    append(lower(c), word);
    text = rest;
    if (alone) return true;
  }
  return !word.empty();
}

}  // namespace soba
