// A small JSON writer: calls in the order of the text, which comes out without blanks.
//
//   JsonWriter json;
//   json.begin_object().member("id", 7).member("label", "red").end_object();
//   json.text()  // {"id":7,"label":"red"}
//
// The caller keeps to JSON's grammar: a value in an object follows its key, and what is begun is
// ended. Threads: each writer belongs to one at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace soba {

// Appends `text` in quotes: quotes, backslashes and control characters escaped, bytes that are not
// UTF-8 replaced by U+FFFD.
void append_json(std::string_view text, std::string& out);
// Appends a number that reads back as the same double, such as 1.0, 0.05 or 1e-05; null where it is
// not finite.
void append_json(double value, std::string& out);

class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name) {
    separate();
    append_json(name, text_);
    text_ += ':';
    comma_ = false;
    return *this;
  }

  JsonWriter& value(std::string_view text) {
    separate();
    append_json(text, text_);
    return *this;
  }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number) {
    separate();
    append_json(number, text_);
    return *this;
  }
  template <std::integral T>
  JsonWriter& value(T number) {
    if constexpr (std::same_as<T, bool>) return word(number ? "true" : "false");
    return word(std::to_string(number));
  }
  JsonWriter& null() { return word("null"); }

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }

 private:
  void separate() {
    if (comma_) text_ += ',';
    comma_ = true;
  }
  JsonWriter& word(std::string_view characters) {
    separate();
    text_ += characters;
    return *this;
  }
  JsonWriter& open(char bracket) {
    separate();
    text_ += bracket;
    comma_ = false;
    return *this;
  }
  JsonWriter& close(char bracket) {
    text_ += bracket;
    comma_ = true;
    return *this;
  }

  std::string text_;
  bool comma_ = false;  // what comes next must be separated from what is there
};

}  // namespace soba
