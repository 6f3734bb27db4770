// Where something stands in a line of JSON. simdjson does not say; this walk is for error messages
// only, so it may be slow.
#include "data/bytes/text.h"
#include "data/formats/jsonl.h"

namespace soba {

namespace {

constexpr int kMaxDepth = 1024;  // as in simdjson

// Walks over one value after the other; at the first mistake it stops, with place() at it.
class JsonWalk {
 public:
  explicit JsonWalk(std::string_view text) : text_(text) {}

  std::size_t place() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }

  void skip_blanks() {
    while (!at_end() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_blanks();
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool value(int depth = 0) {
    skip_blanks();
    if (at_end() || depth > kMaxDepth) return false;
    switch (text_[at_]) {
      case '{':
        return entries('}', depth);
      case '[':
        return entries(']', depth);
      case '"':
        return text();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  bool text() {
    skip_blanks();
    const std::size_t start = at_;
    if (at_end() || text_[at_] != '"') return false;
    for (++at_; !at_end(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c < 0x20) return false;
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c != '\\') continue;
      ++at_;
      if (at_end()) break;
      if (std::string_view("\"\\/bfnrtu").find(text_[at_]) == std::string_view::npos) return false;
    }
    at_ = start;  // a quote that is never closed is best shown where it opens
    return false;
  }

 private:
  bool entries(char close, int depth) {
    ++at_;
    if (take(close)) return true;
    do {
      if (close == '}' && !(text() && take(':'))) return false;
      if (!value(depth + 1)) return false;
    } while (take(','));
    return take(close);
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool number() {
    const std::size_t size = text_.substr(at_).find_first_not_of("+-.eE0123456789");
    const std::string_view token = text_.substr(at_, size);
    const std::string_view digits = token.substr(token.starts_with('-'));
    const bool leading_zero = digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
    if (token.empty() || digits.empty() || !is_digit(digits[0]) || leading_zero ||
        !is_digit(token.back()) || !parse_number(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::size_t> json_error_place(std::string_view line) {
  JsonWalk walk(line);
  if (!walk.value()) return walk.place();
  walk.skip_blanks();
  if (!walk.at_end()) return walk.place();
  return std::nullopt;
}

std::size_t json_place(std::string_view line, std::string_view key,
                       std::optional<std::size_t> entry) {
  JsonWalk walk(line);
  simdjson::dom::parser parser;
  if (!walk.take('{')) return 0;
  do {
    walk.skip_blanks();
    const std::size_t begin = walk.place();
    if (!walk.text()) return 0;
    std::string_view name;
    simdjson::dom::element element;
    // The key may be written with escapes, so simdjson reads it.
    const bool found =
        parser.parse(line.data() + begin, walk.place() - begin).get(element) == simdjson::SUCCESS &&
        element.get(name) == simdjson::SUCCESS && name == key;
    walk.take(':');
    walk.skip_blanks();
    if (!found) continue;
    const std::size_t start = walk.place();
    if (!entry) return start;
    const bool object = walk.take('{');
    if (!object && !walk.take('[')) return start;
    for (std::size_t i = 0;; ++i) {
      walk.skip_blanks();
      if (i == *entry) return walk.place();
      if (object && !(walk.text() && walk.take(':'))) return start;
      if (!walk.value() || !walk.take(',')) return start;
    }
  } while (walk.value() && walk.take(','));
  return 0;
}

}  // namespace soba
