// Options: a plain struct with defaults and one table of its fields. The command line, JSON, the
// model file and the documentation all read the table; adding a parameter is one line.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "soba/error.h"

namespace soba {

// An exploration rate as the user gives it: a number in [0, 1], or the name of a rule.
struct Rate {
  enum class Rule { kFixed, kAdaptive, kTheory };
  Rule rule = Rule::kFixed;
  double value = 0;  // for kFixed
  friend bool operator==(const Rate&, const Rate&) = default;
};

// One line of an options table. `min` and `max` bound numbers (and a Rate's number), both included
// unless `open_min`; `choices` lists the words that a text field accepts. A text field without
// choices has `check`, which throws Error{kUsage} on what it does not accept, and says what it does
// in `form`.
template <class Options>
struct Field {
  std::string_view name;
  std::variant<double Options::*, std::int64_t Options::*, Rate Options::*, std::string Options::*>
      member;
  std::string_view help;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;
  std::span<const std::string_view> choices = {};
  void (*check)(std::string_view option, std::string_view text) = nullptr;
  std::string_view form = {};
};

// The same line without the struct: what an interface needs to show and accept the option.
struct OptionSpec {
  std::string name;
  std::string kind;           // "number", "integer", "rate", "choice" or "text"
  std::string default_value;  // as text
  std::string range;          // "[0, 1]", "> 0", "exact | diagonal"
  std::string help;
};

// Options as text, by name: what interfaces hand over and what a model file keeps.
using OptionValues = std::map<std::string, std::string>;

// Parse one value; throw Error{kUsage} naming the option, the value and the accepted range.
double parse_number(std::string_view option, std::string_view text, double min, double max,
                    bool open_min = false);
std::int64_t parse_integer(std::string_view option, std::string_view text, double min, double max);
Rate parse_rate(std::string_view option, std::string_view text, double min, double max);
std::string parse_choice(std::string_view option, std::string_view text,
                         std::span<const std::string_view> choices);

// The shortest text that parses back to the same value.
std::string to_text(double value);
std::string to_text(std::int64_t value);
std::string to_text(const Rate& value);
std::string to_text(const std::string& value);

// The accepted values of a numeric field in words.
std::string range_text(double min, double max, bool open_min);
std::string join(std::span<const std::string_view> words, std::string_view separator);
// The candidate nearest to `word`, or empty when none is near: for "did you mean …".
std::string nearest(std::string_view word, std::span<const std::string> candidates);

template <class Options>
std::vector<OptionSpec> describe(std::span<const Field<Options>> fields) {
  const Options defaults;
  std::vector<OptionSpec> specs;
  for (const Field<Options>& field : fields) {
    std::string value =
        std::visit([&](auto member) { return to_text(defaults.*member); }, field.member);
    std::string range = range_text(field.min, field.max, field.open_min);
    std::string kind = "number";
    if (std::holds_alternative<std::int64_t Options::*>(field.member)) kind = "integer";
    if (std::holds_alternative<Rate Options::*>(field.member)) {
      kind = "rate";
      range += ", adaptive or theory";
    }
    if (std::holds_alternative<std::string Options::*>(field.member)) {
      kind = field.check == nullptr ? "choice" : "text";
      range = field.check == nullptr ? join(field.choices, " | ") : std::string(field.form);
    }
    specs.push_back({std::string(field.name), kind, value, range, std::string(field.help)});
  }
  return specs;
}

// Reads the options out of text. Throws Error{kUsage} on an unknown name or a value out of range.
template <class Options>
Options parse_options(std::span<const Field<Options>> fields, const OptionValues& values) {
  Options options;
  std::vector<std::string> names;
  for (const Field<Options>& field : fields) {
    names.emplace_back(field.name);
    const auto given = values.find(names.back());
    if (given == values.end()) continue;
    const std::string& text = given->second;
    if (auto* number = std::get_if<double Options::*>(&field.member)) {
      options.*(*number) = parse_number(field.name, text, field.min, field.max, field.open_min);
    } else if (auto* integer = std::get_if<std::int64_t Options::*>(&field.member)) {
      options.*(*integer) = parse_integer(field.name, text, field.min, field.max);
    } else if (auto* rate = std::get_if<Rate Options::*>(&field.member)) {
      options.*(*rate) = parse_rate(field.name, text, field.min, field.max);
    } else if (field.check != nullptr) {
      field.check(field.name, text);
      options.*std::get<std::string Options::*>(field.member) = text;
    } else {
      options.*std::get<std::string Options::*>(field.member) =
          parse_choice(field.name, text, field.choices);
    }
  }
  for (const auto& [name, value] : values) {
    bool known = false;
    for (const std::string& candidate : names) known = known || candidate == name;
    if (known) continue;
    const std::string near = nearest(name, names);
    throw Error(ErrorKind::kUsage, "unknown option '" + name + "'" +
                                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  return options;
}

// Every option with its value, defaults included.
template <class Options>
OptionValues option_values(std::span<const Field<Options>> fields, const Options& options) {
  OptionValues values;
  for (const Field<Options>& field : fields) {
    values[std::string(field.name)] =
        std::visit([&](auto member) { return to_text(options.*member); }, field.member);
  }
  return values;
}

}  // namespace soba
