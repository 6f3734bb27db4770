#include "data/source_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/fields.h"
#include "data/bytes/input.h"
#include "data/bytes/lines.h"
#include "data/bytes/text.h"
#include "data/formats/separator.h"
#include "data/schema.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 5> kFormats = {"auto", "libsvm", "csv", "jsonl", "cache"};
constexpr std::array<std::string_view, 2> kEncodings = {"utf8", "latin1"};
constexpr std::array<std::string_view, 3> kScales = {"none", "maxabs", "minmax"};
constexpr std::array<std::string_view, 2> kNormalizations = {"none", "l2"};

constexpr std::array<std::string_view, 2> kWeights = {"tf", "tfidf"};

void check_separator(std::string_view option, std::string_view text) {
  if (!read_separator(text)) reject_value(option, text, std::string(kSeparatorForm));
}

void check_labels(std::string_view option, const std::vector<std::string>& labels) {
  const auto refuse = [&](const std::string& message) {
    throw Error(ErrorKind::kUsage, std::string(option), message);
  };
  for (auto label = labels.begin(); label != labels.end(); ++label) {
    if (label->empty()) {
      refuse(fmt::format("'{}' holds an empty label", fmt::join(labels, ",")));
    }
    if (!is_utf8(*label)) refuse(fmt::format("expected UTF-8, found {}", shown(*label)));
    if (std::find(labels.begin(), label, *label) != label) {
      refuse(fmt::format("{} is a duplicate", shown(*label)));
    }
  }
  if (labels.size() == 1) {
    refuse(fmt::format("expected at least two labels, found only {}", shown(labels[0])));
  }
}

// A line of the table.
struct SourceField {
  Field<SourceOptions> field;
  bool in_schema = false;  // a model keeps it
  // Among the values only where it is given, so that keys of earlier runs stay what they were.
  bool brief = false;
  bool found = false;  // a first scan adds to the list, so that a part of it is no contradiction
};

constexpr std::string_view kColumns = "names of columns, separated by commas";

constexpr std::array<SourceField, 26> kTable = {{
    {{.name = "format",
      .member = &SourceOptions::format,
      .help =
          "auto, libsvm, csv, jsonl or cache. Default: auto, by what the file starts with or is "
          "called.",
      .choices = kFormats,
      .group = "reading",
      .placeholder = "FORMAT"}},
    {{.name = "label",
      .member = &SourceOptions::label,
      .help = "The CSV column, by name or number (1 is the first, -1 the last), or the JSON key "
              "that holds the label. Default: label.",
      .form = "a name",
      .group = "reading",
      .placeholder = "NAME"}},
    {{.name = "no-header",
      .member = &SourceOptions::no_header,
      .help = "The first line of the CSV file is an example; columns are called 1, 2, ….",
      .group = "reading"},
     false,
     true},
    {{.name = "separator",
      .member = &SourceOptions::separator,
      .help = "What separates CSV columns: comma, tab, semicolon, pipe, space, or a character. "
              "Default: auto, a comma, or another one of the first four where the first line has "
              "no comma.",
      .check = check_separator,
      .form = kSeparatorForm,
      .group = "reading",
      .placeholder = "C"},
     false,
     true},
    {{.name = "encoding",
      .member = &SourceOptions::encoding,
      .help = "How text is encoded: utf8, or latin1, which is converted. Default: utf8.",
      .choices = kEncodings,
      .group = "reading",
      .placeholder = "NAME"},
     false,
     true},
    {{.name = "ignore",
      .member = &SourceOptions::ignore,
      .help = "Columns or keys, separated by commas, that are left out; columns by name or number. "
              "Default: those in which every value differs, as in an id.",
      .form = kColumns,
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true,
     true},
    {{.name = "only",
      .member = &SourceOptions::only,
      .help = "Columns or keys that are kept, even where they look like ids; all others are left "
              "out. Default: all.",
      .form = kColumns,
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true},
    {{.name = "categorical",
      .member = &SourceOptions::categorical,
      .help = "Columns or keys whose values are categories, even where they look like numbers, "
              "dates, ids or free text. Default: those in which fewer than 99 of 100 values are "
              "numbers, and that are none of these.",
      .form = kColumns,
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true},
    {{.name = "dates",
      .member = &SourceOptions::dates,
      .help = "Columns or keys with ISO 8601 dates, which give the day since 2000-01-01, the hour "
              "and the weekday. Default: those in which every value is such a date.",
      .form = kColumns,
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true,
     true},
    {{.name = "text",
      .member = &SourceOptions::text,
      .help = "Columns or keys with free text, each of whose words is a feature. Default: those "
              "whose values have three words or more on average and differ in one of ten or more.",
      .form = kColumns,
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true,
     true},
    {{.name = "missing",
      .member = &SourceOptions::missing,
      .help = "Words, separated by commas, that stand for a missing value in every column, as an "
              "empty cell does. Default: NA, n/a, null, none, nan and -, in columns of numbers and "
              "dates.",
      .form = "words, separated by commas",
      .group = "reading",
      .placeholder = "A,B,C"},
     true,
     true},
    {{.name = "vocabulary",
      .member = &SourceOptions::vocabulary,
      .help = "Each column of categories has features for its first N values, N >= 0; the rest "
              "share one. 0: no limit. Default: 65536.",
      .min = 0,
      .group = "reading",
      .placeholder = "N"},
     true,
     true},
    {{.name = "bigrams",
      .member = &SourceOptions::bigrams,
      .help = "In free text, pairs of neighbouring words are features, too.",
      .group = "reading"},
     true,
     true},
    {{.name = "text-weight",
      .member = &SourceOptions::text_weight,
      .help = "What a word of free text counts: tf, how often it comes in the text; or tfidf, more "
              "where fewer examples have it, which takes a first scan. Default: tf.",
      .choices = kWeights,
      .group = "reading",
      .placeholder = "HOW"},
     true,
     true},
    {{.name = "hash-bits",
      .member = &SourceOptions::hash_bits,
      .help = "Free text has at most 2^N features, 6 <= N <= 22; words that fall together share "
              "one. Default: 18.",
      .min = kLeastHashBits,
      .max = kMostHashBits,
      .group = "reading",
      .placeholder = "N"},
     true,
     true},
    {{.name = "zero-based",
      .member = &SourceOptions::zero_based,
      .help = "LIBSVM indices start at 0. Default: at 1.",
      .group = "reading"},
     true},
    {{.name = "labels",
      .member = &SourceOptions::labels,
      .help = "The label set, separated by commas; one that holds a comma is quoted as in CSV: "
              "'\"Billing, refunds\",other'.",
      .check_list = check_labels,
      .form = "two or more words, separated by commas",
      .group = "labels",
      .placeholder = "A,B,C"},
     true},
    {{.name = "labels-file",
      .member = &SourceOptions::labels_file,
      .help = "A file with the label set, one label a line.",
      .form = "the name of a file",
      .group = "labels",
      .placeholder = "FILE"},
     false,
     true},
    {{.name = "classes",
      .member = &SourceOptions::classes,
      .help = "The labels are 1, 2, …, N; at least 2. Default for all three: what the data holds, "
              "found by a first scan.",
      .min = 2,
      .max = kMaxClasses,
      .optional = true,
      .group = "labels",
      .placeholder = "N"},
     true},
    {{.name = "scale",
      .member = &SourceOptions::scale,
      .help = "Scale each feature: maxabs to [-1, 1] by its largest value, minmax to [0, 1], or "
              "none. Takes a first scan. Default: none.",
      .choices = kScales,
      .group = "preparation",
      .placeholder = "HOW"},
     true},
    {{.name = "normalize",
      .member = &SourceOptions::normalize,
      .help = "l2: divide each example by its Euclidean norm, after scaling; or none. Default: "
              "none.",
      .choices = kNormalizations,
      .group = "preparation",
      .placeholder = "HOW"},
     true},
    {{.name = "bias",
      .member = &SourceOptions::bias,
      .help = "Add a feature that is always 1. Default: no.",
      .group = "preparation"},
     true},
    {{.name = "shuffle",
      .member = &SourceOptions::shuffle,
      .help = "Play the examples in a random order, anew in every pass; keeps them in memory. A "
              "whole number >= 0. Default: the order of the data.",
      .form = "a whole number >= 0",
      .group = "order",
      .placeholder = "SEED"}},
    {{.name = "limit",
      .member = &SourceOptions::limit,
      .help = "Use at most N examples of each pass, after the shuffle; 1e6 is welcome. Default: "
              "all.",
      .min = 1,
      .optional = true,
      .group = "order",
      .placeholder = "N"}},
    {{.name = "passes",
      .member = &SourceOptions::passes,
      .help = "Go through the data N times, N >= 1. Default: 1.",
      .min = 1,
      .group = "order",
      .placeholder = "N"}},
    {{.name = "skip-bad",
      .member = &SourceOptions::skip_bad,
      .help = "Leave out lines that cannot be read, and count them. Default: stop at the first one "
              "and say where it is.",
      .group = "bad lines"}},
}};

constexpr auto kFields = [] {
  std::array<Field<SourceOptions>, kTable.size()> fields;
  for (std::size_t i = 0; i < kTable.size(); ++i) fields[i] = kTable[i].field;
  return fields;
}();
constexpr std::span<const Field<SourceOptions>> kSpan = kFields;

std::vector<std::string> numbered_labels(std::int64_t classes) {
  std::vector<std::string> labels;
  for (std::int64_t label = 1; label <= classes; ++label) labels.push_back(std::to_string(label));
  return labels;
}

// Whether all names that are given are kept.
bool is_part(const SourceField& line, const SourceOptions& options, const SourceOptions& kept) {
  const auto* list =
      line.found ? std::get_if<std::vector<std::string> SourceOptions::*>(&line.field.member)
                 : nullptr;
  return list != nullptr &&
         std::all_of((options.**list).begin(), (options.**list).end(),
                     [&](const std::string& name) { return is_among(kept.**list, name); });
}

bool same_value(const Field<SourceOptions>& field, const SourceOptions& a, const SourceOptions& b) {
  return std::visit([&](auto member) { return a.*member == b.*member; }, field.member);
}

[[noreturn]] void reject_contradiction(const Field<SourceOptions>& field, std::string_view name,
                                       const SourceOptions& options, const Schema& schema,
                                       const SourceOptions& kept) {
  std::string has = "the labels " + listing(schema.labels.names());
  if (field.group != "labels") has = value_text(field, kept);
  if (has.empty()) has = "none";
  throw Error(ErrorKind::kUsage, std::string(name),
              fmt::format("{}contradicts the model, which has {}; leave the option out",
                          field.group == "labels" ? "" : value_text(field, options) + " ", has));
}

// The name under which the value of a field was given; empty where it was not.
using Given = std::function<std::string_view(const Field<SourceOptions>&)>;

SourceOptions options_of_model(const SourceOptions& options, const Schema& schema,
                               const Given& given) {
  SourceOptions kept = options;
  kept.scale = word_of(schema.scale);
  kept.normalize = word_of(schema.normalize);
  kept.bias = schema.bias;
  kept.zero_based = schema.zero_based;
  kept.categorical = schema.categorical;
  kept.ignore = schema.ignore;
  kept.only = schema.only;
  kept.dates = schema.dates;
  kept.text = schema.text;
  kept.missing = schema.missing;
  kept.vocabulary = schema.vocabulary;
  kept.bigrams = schema.bigrams;
  kept.text_weight = schema.tfidf ? "tfidf" : "tf";
  kept.hash_bits = schema.hash_bits;
  const bool labelled = schema.labels.size() > 0;
  if (labelled) {
    kept.labels = schema.labels.names();
    kept.classes = kept.labels == numbered_labels(options.classes) ? options.classes : 0;
  }
  for (const SourceField& line : kTable) {
    const std::string_view name = line.in_schema ? given(line.field) : "";
    if (name.empty() || same_value(line.field, options, kept) || is_part(line, options, kept)) {
      continue;
    }
    reject_contradiction(line.field, name, options, schema, kept);
  }
  if (labelled) {  // the schema says them
    kept.labels.clear();
    kept.classes = 0;
  }
  return kept;
}

void check_columns(const SourceOptions& options) {
  const std::array<std::pair<const char*, const std::vector<std::string>*>, 4> lists = {
      {{"ignore", &options.ignore},
       {"categorical", &options.categorical},
       {"dates", &options.dates},
       {"text", &options.text}}};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const std::string& name : *lists[i].second) {
        if (!is_among(*lists[j].second, name)) continue;
        throw Error(ErrorKind::kUsage, lists[i].first,
                    fmt::format("{} is in option '{}', too; leave it out of one", shown(name),
                                lists[j].first));
      }
    }
  }
}

void check_combination(const SourceOptions& options) {
  check_columns(options);
  std::vector<std::string> given;
  if (!options.labels.empty()) given.emplace_back("'labels'");
  if (!options.labels_file.empty()) given.emplace_back("'labels-file'");
  if (options.classes != 0) given.emplace_back("'classes'");
  if (given.size() < 2) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("options {} each name the label set; give one of them", in_words(given)));
}

}  // namespace

std::vector<OptionSpec> source_option_specs() { return describe(kSpan); }

SourceOptions parse_source_options(const OptionValues& given) {
  SourceOptions options = parse_options(kSpan, given);
  if (given.contains("labels-file") && options.labels_file.empty()) {
    reject_value("labels-file", "", "the name of a file");
  }
  check_combination(options);
  read_labels_file(options);
  return options;
}

OptionValues source_option_values(const SourceOptions& options) {
  OptionValues values = option_values(kSpan, options);
  for (const SourceField& line : kTable) {
    if (line.brief && same_value(line.field, options, {})) {
      values.erase(std::string(line.field.name));
    }
  }
  return values;
}

SourceOptions source_options_for(const OptionValues& given, const Schema& schema) {
  return options_of_model(
      parse_source_options(given), schema,
      [&](const Field<SourceOptions>& field) -> std::string_view {
        if (given.contains(std::string(field.name))) return field.name;
        return field.name == "labels" && given.contains("labels-file") ? "labels-file" : "";
      });
}

void check_source_options(const SourceOptions& options) {
  check_options(kSpan, options);
  check_combination(options);
}

void read_labels_file(SourceOptions& options) {
  if (options.labels_file.empty()) return;
  const std::string path = std::exchange(options.labels_file, "");
  if (path == "-") reject_value("labels-file", path, "the name of a file");
  Input input = Input::open_path(path);
  LineReader lines(input.open());
  std::string_view line;
  RowError error;
  for (RowStatus status; (status = lines.next(line, error)) != RowStatus::kEnd;) {
    if (status == RowStatus::kBad) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}:{}:{}: {}", path, error.line, error.column, error.message));
    }
    if (const std::string_view label = trimmed(line); !label.empty()) {
      options.labels.emplace_back(label);
    }
  }
  if (options.labels.empty()) {
    throw Error(ErrorKind::kUsage, "labels-file", fmt::format("{} names no label", path));
  }
  check_labels("labels-file", options.labels);
}

Schema schema_of(const SourceOptions& options) {
  if (options.text_weight == "tfidf") {
    throw Error(
        ErrorKind::kUsage, "text-weight",
        "tfidf takes a first scan, but there is no data to scan yet; leave it out, or teach "
        "the model with 'soba run' first");
  }
  Schema schema;
  schema.named_features = true;
  for (const std::string& label : label_set(options)) schema.labels.add(label);
  schema.normalize = normalize_of(options.normalize);
  schema.bias = options.bias;
  take_column_options(options, schema);
  return schema;
}

std::vector<std::string> label_set(const SourceOptions& options) {
  return options.classes != 0 ? numbered_labels(options.classes) : options.labels;
}

void check_same_options(const OptionValues& given, const Schema& schema,
                        const SourceOptions& kept) {
  const SourceOptions options = source_options_for(given, schema);
  for (const SourceField& line : kTable) {
    const Field<SourceOptions>& field = line.field;
    const auto text = given.find(std::string(field.name));
    if (line.in_schema || text == given.end() || same_value(field, options, kept)) continue;
    const std::string has = value_text(field, kept);
    throw Error(ErrorKind::kUsage, text->first,
                fmt::format("'{}' contradicts the interrupted run, which had {}; leave the option "
                            "out",
                            text->second, has.empty() ? "none" : "'" + has + "'"));
  }
}

SourceOptions agreeing_options(const SourceOptions& options, const Schema& schema) {
  const SourceOptions defaults;
  return options_of_model(options, schema, [&](const Field<SourceOptions>& field) {
    return same_value(field, options, defaults) ? std::string_view() : field.name;
  });
}

}  // namespace soba
