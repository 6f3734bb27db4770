// An options table: a plain struct with defaults, and one line for each of its members. The command
// line, JSON, the model file and the documentation all read the table; adding an option is one
// line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "soba/error.h"
#include "soba/options.h"
#include "soba/parse.h"

namespace soba {

// What a value of a field may be. `min` and `max` bound numbers (and a Rate's number), both
// included unless `open_min`; `choices` are the words that a text accepts, any text where there are
// none, and the rules that a Rate accepts (rate_words).
struct FieldRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;
  std::span<const std::string_view> choices = {};
};

// The value that `text` stands for, or nothing where it is none of the range. 2^-6 is a number, and
// 1e6 is an integer. A seed has no bounds but its type's.
std::optional<double> read_number(std::string_view text, const FieldRange& range);
std::optional<std::int64_t> read_integer(std::string_view text, const FieldRange& range);
std::optional<std::uint64_t> read_seed(std::string_view text);
std::optional<Rate> read_rate(std::string_view text, const FieldRange& range);
// The rule theory-hinge, tuned for the hinge loss, is kTheory with this value.
inline constexpr double kHingeTuning = 1;
inline constexpr std::string_view kHingeRule = "theory-hinge";
// The rules that a rate accepts: adaptive and theory, where its choices name no others.
std::span<const std::string_view> rate_words(const FieldRange& range);
std::optional<bool> read_flag(std::string_view text);
// The words between the commas, empty ones included, without the blanks around them; none where the
// text is empty. As in CSV, a word in quotes may hold commas, blanks and doubled quotes. Nothing
// where a quote is not closed, or more follows behind it.
std::optional<std::vector<std::string>> read_list(std::string_view text);
// The text that read_list takes back.
std::string list_text(std::span<const std::string> words);

// As parse_integer in soba/parse.h.
double parse_number(std::string_view name, std::string_view text, double min, double max);

std::string join(std::span<const std::string_view> words, std::string_view separator);
// What is accepted, in words: "[0, 1]", "> 0".
std::string range_text(const FieldRange& range);

// Throws Error{kUsage} about the option.
[[noreturn]] void reject_value(std::string_view option, std::string_view text,
                               const std::string& expected);
// Throws Error{kUsage} about an option that is not in the table, with the one that may be meant.
[[noreturn]] void reject_option(std::string_view option, std::span<const std::string> known);

template <class Options>
using FieldMember =
    std::variant<double Options::*, std::int64_t Options::*, Rate Options::*,
                 std::string Options::*, bool Options::*, std::optional<std::uint64_t> Options::*,
                 std::vector<std::string> Options::*>;

// One line of an options table.
template <class Options>
struct Field {
  std::string_view name;
  FieldMember<Options> member;
  std::string_view help;
  // See FieldRange.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;
  std::span<const std::string_view> choices = {};
  // For texts and lists: throws Error{kUsage} on what is not accepted.
  void (*check)(std::string_view option, std::string_view text) = nullptr;
  void (*check_list)(std::string_view option, const std::vector<std::string>& words) = nullptr;
  std::string_view form = {};  // what a text, a seed or a list may be, in words
  // An integer that may be absent: then it is 0, below `min`, and its text is empty.
  bool optional = false;
  std::string_view group = {}, placeholder = {};  // see OptionSpec
  // May be changed while a model learns: it says how to explore or how much memory to take, and
  // nothing that was learnt depends on it. The learner's reconfigure() takes it over.
  bool live = false;
  std::string_view version1 = {};  // see OptionSpec

  FieldRange range() const { return {min, max, open_min, choices}; }
};

template <class Options>
std::string value_text(const Field<Options>& field, const Options& options) {
  const auto text = [&](auto member) -> std::string {
    const auto& value = options.*member;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>) {
      return value ? "true" : "false";
    } else if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
      return value ? std::to_string(*value) : "";
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      return list_text(value);
    } else if constexpr (std::is_same_v<Value, std::int64_t>) {
      return field.optional && value == 0 ? "" : to_text(value);
    } else {
      return to_text(value);
    }
  };
  return std::visit(text, field.member);
}

// Every option with its value, defaults included.
template <class Options>
OptionValues option_values(std::span<const Field<Options>> fields, const Options& options) {
  OptionValues values;
  for (const Field<Options>& field : fields) {
    values[std::string(field.name)] = value_text(field, options);
  }
  return values;
}

// Throws Error{kUsage} where the value is out of range.
template <class Options>
void set_value(const Field<Options>& field, std::string_view text, Options& options) {
  const auto set = [&](auto member) {
    using Value = std::remove_cvref_t<decltype(options.*member)>;
    const auto take = [&](auto value, const std::string& expected) {
      if (!value) reject_value(field.name, text, expected);
      options.*member = *std::move(value);
    };
    const FieldRange range = field.range();
    if constexpr (std::is_same_v<Value, double>) {
      take(read_number(text, range), "a number " + range_text(range));
    } else if constexpr (std::is_same_v<Value, std::int64_t>) {
      options.*member = 0;
      if (field.optional && text.empty()) return;
      take(read_integer(text, range), "a whole number " + range_text(range));
    } else if constexpr (std::is_same_v<Value, Rate>) {
      take(read_rate(text, range),
           "a number " + range_text(range) + ", or " + join(rate_words(range), " or "));
    } else if constexpr (std::is_same_v<Value, bool>) {
      take(read_flag(text), "true or false");
    } else if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
      options.*member = std::nullopt;
      if (!text.empty()) take(read_seed(text), "a whole number >= 0");
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      std::optional<Value> words = read_list(text);
      if (words && field.check_list != nullptr) field.check_list(field.name, *words);
      take(std::move(words), std::string(field.form) + ", each quote closed before a comma");
    } else {
      bool known = field.choices.empty();
      for (const std::string_view choice : field.choices) known = known || choice == text;
      if (!known) reject_value(field.name, text, join(field.choices, ", "));
      if (field.check != nullptr) field.check(field.name, text);
      options.*member = std::string(text);
    }
  };
  std::visit(set, field.member);
}

// Reads the options out of text. Throws Error{kUsage} on an unknown name or a value out of range.
template <class Options>
Options parse_options(std::span<const Field<Options>> fields, const OptionValues& values) {
  Options options;
  std::vector<std::string> names;
  for (const Field<Options>& field : fields) {
    names.emplace_back(field.name);
    const auto given = values.find(names.back());
    if (given != values.end()) set_value(field, given->second, options);
  }
  for (const auto& [name, value] : values) {
    bool known = false;
    for (const std::string& candidate : names) known = known || candidate == name;
    if (!known) reject_option(name, names);
  }
  return options;
}

// The same checks for options that did not come from text.
template <class Options>
void check_options(std::span<const Field<Options>> fields, const Options& options) {
  for (const Field<Options>& field : fields) {
    if (auto* list = std::get_if<std::vector<std::string> Options::*>(&field.member)) {
      if (field.check_list != nullptr) field.check_list(field.name, options.*(*list));
    } else {
      Options unused;
      set_value(field, value_text(field, options), unused);
    }
  }
}

template <class Options>
std::vector<OptionSpec> describe(std::span<const Field<Options>> fields) {
  const Options defaults;
  std::vector<OptionSpec> specs;
  for (const Field<Options>& field : fields) {
    OptionSpec spec{.name = std::string(field.name),
                    .kind = "number",
                    .default_value = value_text(field, defaults),
                    .range = range_text(field.range()),
                    .help = std::string(field.help),
                    .group = std::string(field.group),
                    .placeholder = std::string(field.placeholder),
                    .live = field.live,
                    .version1 = std::string(field.version1)};
    const auto set_kind = [&](auto member) {
      using Value = std::remove_cvref_t<decltype(defaults.*member)>;
      if constexpr (std::is_same_v<Value, std::int64_t>) {
        spec.kind = "integer";
      } else if constexpr (std::is_same_v<Value, Rate>) {
        spec.kind = "rate";
        spec.range += ", " + join(rate_words(field.range()), " or ");
      } else if constexpr (std::is_same_v<Value, bool>) {
        spec.kind = "flag";
        spec.range = "true | false";
      } else if constexpr (std::is_same_v<Value, std::string>) {
        spec.kind = field.choices.empty() ? "text" : "choice";
        spec.range = field.choices.empty() ? std::string(field.form) : join(field.choices, " | ");
      } else if constexpr (!std::is_same_v<Value, double>) {
        spec.kind = std::is_same_v<Value, std::vector<std::string>> ? "list" : "seed";
        spec.range = std::string(field.form);
      }
    };
    std::visit(set_kind, field.member);
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace soba
