#include "data_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "soba/options.h"

namespace soba::cli {

namespace {

constexpr std::string_view kScales[] = {"none", "maxabs", "minmax"};
constexpr std::string_view kNormalizations[] = {"none", "l2"};
constexpr double kMaxCount = 9e18;

constexpr DataOptionName kNames[] = {
    {"format", &DataOptions::format, nullptr},
    {"label", &DataOptions::label, nullptr},
    {"zero-based", nullptr, &DataOptions::zero_based},
    {"labels", &DataOptions::labels, nullptr},
    {"classes", &DataOptions::classes, nullptr},
    {"scale", &DataOptions::scale, nullptr},
    {"normalize", &DataOptions::normalize, nullptr},
    {"bias", nullptr, &DataOptions::bias},
    {"shuffle", &DataOptions::shuffle, nullptr},
    {"limit", &DataOptions::limit, nullptr},
    {"passes", &DataOptions::passes, nullptr},
    {"skip-bad", nullptr, &DataOptions::skip_bad},
};

Scale parse_scale(const std::string& text) {
  const std::string word = parse_choice("--scale", text, kScales);
  return word == "maxabs" ? Scale::kMaxAbs : word == "minmax" ? Scale::kMinMax : Scale::kNone;
}

Normalize parse_normalize(const std::string& text) {
  return parse_choice("--normalize", text, kNormalizations) == "l2" ? Normalize::kL2
                                                                    : Normalize::kNone;
}

[[noreturn]] void contradiction(std::string_view option, std::string_view what) {
  throw Error(ErrorKind::kUsage,
              fmt::format("{} contradicts the loaded model, which {}; leave it out", option, what));
}

}  // namespace

CLI::Option* add_text_option(CLI::App& command, const std::string& name,
                             std::optional<std::string>& value, const std::string& type,
                             const std::string& help, const std::string& group) {
  return command
      .add_option_function<std::string>(
          name, [&value](const std::string& text) { value = text; }, help)
      ->type_name(type)
      ->group(group);
}

void add_data_argument(CLI::App& command, std::string& data) {
  command
      .add_option("DATA", data,
                  "A file in LIBSVM, CSV or JSON Lines format (.gz, .xz and .zst are read as "
                  "they are), a cache made of one by 'soba convert', - for standard input, or a "
                  "generator such as "
                  "synsep:n=1000000,seed=1 or synnonsep:n=1000000,seed=1,noise=0.05.")
      ->group("Arguments");
}

void add_reading_options(CLI::App& command, DataOptions& options) {
  add_text_option(
      command, "--format", options.format, "FORMAT",
      "auto, libsvm, csv, jsonl or cache. Default: auto, by what the file starts with or is "
      "called.",
      "Data");
  add_text_option(command, "--label", options.label, "NAME",
                  "The CSV column or JSON key that holds the label. Default: label.", "Data");
  command.add_flag("--zero-based", options.zero_based, "LIBSVM indices start at 0. Default: at 1.")
      ->group("Data");
}

void add_label_set_options(CLI::App& command, DataOptions& options) {
  add_text_option(command, "--labels", options.labels, "A,B,C",
                  "The label set, separated by commas.", "Data");
  add_text_option(command, "--classes", options.classes, "N",
                  "The labels are 1, 2, …, N; at least 2. Default for both: what the data holds, "
                  "found by a first scan.",
                  "Data");
}

void add_preparation_options(CLI::App& command, DataOptions& options) {
  add_text_option(
      command, "--scale", options.scale, "HOW",
      "Scale each feature: maxabs to [-1, 1] by its largest value, minmax to [0, 1], or none. "
      "Takes a first scan. Default: none.",
      "Data");
  add_text_option(command, "--normalize", options.normalize, "HOW",
                  "l2: divide each example by its Euclidean norm; or none. After --scale. "
                  "Default: none.",
                  "Data");
  command.add_flag("--bias", options.bias, "Add a feature that is always 1. Default: no.")
      ->group("Data");
}

void add_order_options(CLI::App& command, DataOptions& options) {
  add_text_option(command, "--shuffle", options.shuffle, "SEED",
                  "Play the examples in a random order, anew in every pass; keeps them in "
                  "memory. A whole number >= 0. Default: the order of the data.",
                  "Data");
  add_text_option(
      command, "--limit", options.limit, "N",
      "Use at most N examples of each pass, after the shuffle; 1e6 is welcome. Default: all.",
      "Data");
  add_text_option(command, "--passes", options.passes, "N",
                  "Go through the data N times, N >= 1. Default: 1.", "Data");
}

void add_data_options(CLI::App& command, DataOptions& options) {
  add_reading_options(command, options);
  add_label_set_options(command, options);
  add_preparation_options(command, options);
  add_order_options(command, options);
  command
      .add_flag("--skip-bad", options.skip_bad,
                "Leave out lines that cannot be read, and count them. Default: stop at the first "
                "one and say where it is.")
      ->group("Data");
}

std::span<const DataOptionName> data_option_names() { return kNames; }

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./:=,+@%^").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string data_arguments(const DataOptions& options) {
  std::string out;
  for (const DataOptionName& option : kNames) {
    if (option.flag != nullptr) {
      if (options.*option.flag) out += fmt::format(" --{}", option.name);
    } else if (const auto& text = options.*option.text) {
      out += fmt::format(" --{} {}", option.name, shell_word(*text));
    }
  }
  return out;
}

std::vector<std::string> split_labels(const std::string& text) {
  std::vector<std::string> labels;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string label = text.substr(begin, end - begin);
    if (label.empty()) {
      throw Error(ErrorKind::kUsage, fmt::format("--labels: '{}' holds an empty label", text));
    }
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
      throw Error(ErrorKind::kUsage, fmt::format("--labels: '{}' is there twice", label));
    }
    labels.push_back(label);
    begin = end + 1;
  }
  if (labels.size() < 2) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--labels: '{}' is one label; give two or more", text));
  }
  return labels;
}

std::int64_t integer_or(const std::optional<std::string>& text, std::string_view option, double min,
                        std::int64_t otherwise) {
  return text ? parse_integer(option, *text, min, kMaxCount) : otherwise;
}

void require_argument(const std::string& value, std::string_view name) {
  if (value.empty()) throw Error(ErrorKind::kUsage, fmt::format("{} is missing", name));
}

SourceOptions source_options(const DataOptions& given) {
  SourceOptions options;
  if (given.format) {
    std::vector<std::string_view> formats = {"auto"};
    formats.insert(formats.end(), data_formats().begin(), data_formats().end());
    options.format = parse_choice("--format", *given.format, formats);
  }
  if (given.label) options.label = *given.label;
  if (given.labels && given.classes) {
    throw Error(ErrorKind::kUsage, "--labels and --classes both name the label set; give one");
  }
  if (given.labels) options.labels = split_labels(*given.labels);
  if (given.classes) {
    options.classes =
        static_cast<Label>(parse_integer("--classes", *given.classes, 2, kMaxClasses));
  }
  options.zero_based = given.zero_based;
  options.bias = given.bias;
  options.skip_bad = given.skip_bad;
  if (given.scale) options.scale = parse_scale(*given.scale);
  if (given.normalize) options.normalize = parse_normalize(*given.normalize);
  if (given.shuffle) {
    options.shuffle = static_cast<std::uint64_t>(integer_or(given.shuffle, "--shuffle", 0, 0));
  }
  options.limit = integer_or(given.limit, "--limit", 1, 0);
  options.passes = integer_or(given.passes, "--passes", 1, 1);
  return options;
}

SourceOptions source_options(const DataOptions& given, const Schema& schema) {
  SourceOptions options = source_options(given);
  if (given.scale && options.scale != schema.scale) contradiction("--scale", "scales otherwise");
  if (given.normalize && options.normalize != schema.normalize) {
    contradiction("--normalize", "normalizes otherwise");
  }
  if (given.bias && !schema.bias) contradiction("--bias", "has no bias feature");
  if (given.zero_based && !schema.zero_based) {
    contradiction("--zero-based", "counts features from 1");
  }
  if (given.labels && options.labels != schema.labels.names()) {
    contradiction("--labels", "has other labels");
  }
  if (given.classes) {
    bool same = options.classes == schema.labels.size();
    for (Label c = 0; same && c < options.classes; ++c) {
      same = schema.labels.name(c) == std::to_string(c + 1);
    }
    if (!same) contradiction("--classes", "has other labels");
  }
  options.labels.clear();
  options.classes = 0;
  options.scale = schema.scale;
  options.normalize = schema.normalize;
  options.bias = schema.bias;
  options.zero_based = schema.zero_based;
  return options;
}

}  // namespace soba::cli
