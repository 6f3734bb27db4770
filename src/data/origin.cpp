#include "data/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "data/jsonl.h"
#include "data/libsvm.h"
#include "data/text.h"
#include "soba/error.h"
#include "soba/options.h"

namespace soba {

namespace {

struct Extension {
  std::string_view ending;
  Format format;
};
constexpr std::array kExtensions = {
    Extension{".libsvm", Format::kLibsvm},   Extension{".svm", Format::kLibsvm},
    Extension{".svmlight", Format::kLibsvm}, Extension{".csv", Format::kCsv},
    Extension{".tsv", Format::kCsv},         Extension{".jsonl", Format::kJsonl},
    Extension{".ndjson", Format::kJsonl},    Extension{".json", Format::kJsonl}};

std::optional<Format> format_of_path(std::string_view path) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  for (const Extension& extension : kExtensions) {
    if (path.ends_with(extension.ending)) return extension.format;
  }
  return std::nullopt;
}

// The first line of `head` that says something; comments are LIBSVM's only, and say nothing else.
std::string_view first_line(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string_view::npos && line[start] != '#') return line.substr(start);
  }
  return {};
}

bool has_index_and_value(std::string_view line) {
  while (!line.empty()) {
    const std::string_view token = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(std::min(token.size() + 1, line.size()));
    const std::size_t colon = token.find_first_not_of("0123456789");
    if (colon != 0 && colon != std::string_view::npos && token[colon] == ':' &&
        parse_number(token.substr(colon + 1))) {
      return true;
    }
  }
  return false;
}

std::optional<Format> format_of_line(std::string_view line) {
  if (line.starts_with('{')) return Format::kJsonl;
  if (has_index_and_value(line)) return Format::kLibsvm;
  if (line.find_first_of(",\t;") != std::string_view::npos) return Format::kCsv;
  return std::nullopt;
}

Input open_input(const std::string& data) {
  try {
    return Input::open_path(data);
  } catch (const Error& error) {
    const std::string near = nearest_synthetic(data);
    if (near.empty()) throw;
    throw Error(error.kind(),
                fmt::format("{}; did you mean the generator '{}'?", error.what(), near));
  }
}

}  // namespace

Format choose_format(std::string_view option, const std::string& path, Input& input) {
  if (option == "libsvm") return Format::kLibsvm;
  if (option == "csv") return Format::kCsv;
  if (option == "jsonl") return Format::kJsonl;
  if (option != "auto") {
    static const std::vector<std::string> kFormats = {"auto", "libsvm", "csv", "jsonl"};
    const std::string near = nearest(option, kFormats);
    throw Error(ErrorKind::kUsage,
                fmt::format("unknown format {}{}; expected {}", shown(option),
                            near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                            listing(kFormats)));
  }
  if (const auto format = format_of_path(path)) return *format;
  const std::string head = input.head();
  const std::string_view line = first_line(head);
  if (line.empty()) throw Error(ErrorKind::kInput, path + ": has no examples");
  if (const auto format = format_of_line(line)) return *format;
  throw Error(
      ErrorKind::kInput,
      fmt::format("{}: cannot tell the format from the name or from the first line, {}; give "
                  "--format libsvm, csv or jsonl",
                  path, shown(line)));
}

Origin::Origin(const std::string& data, const SourceOptions& options) {
  if (const auto synthetic = parse_synthetic(data, options.data_seed)) {
    synthetic_ = std::make_unique<Synthetic>(*synthetic);
    name_ = synthetic->name;
    description_ = synthetic_->description();
    return;
  }
  *this = Origin(open_input(data), options);
  description_ = data;
}

Origin::Origin(Input input, const SourceOptions& options)
    : name_(input.name()), description_(input.name()), input_(std::move(input)) {
  format_ = choose_format(options.format, name_, *input_);
}

std::optional<Scan> Origin::glance(const Schema& schema) {
  if (format_ != Format::kLibsvm) return std::nullopt;
  return glance_libsvm(input_->open(), schema);
}

std::unique_ptr<RowReader> Origin::open(Schema& schema, const SourceOptions& options, bool fresh,
                                        Use use) {
  if (synthetic_) return std::make_unique<SyntheticReader>(*synthetic_);
  std::unique_ptr<ByteSource> bytes = input_->open();
  if (bytes == nullptr) {
    throw Error(ErrorKind::kInput, name_ + ": was read before, and can be read only once");
  }
  switch (format_) {
    case Format::kCsv:
      return std::make_unique<CsvReader>(std::move(bytes), name_, schema,
                                         CsvOptions{.label = options.label,
                                                    .need_labels = options.need_labels,
                                                    .discover = use == Use::kDiscover,
                                                    .define_columns = fresh});
    case Format::kJsonl:
      return std::make_unique<JsonlReader>(std::move(bytes), schema, options.label,
                                           options.need_labels);
    default:
      return std::make_unique<LibsvmReader>(std::move(bytes), schema, options.need_labels);
  }
}

}  // namespace soba
