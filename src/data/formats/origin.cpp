#include "data/formats/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/magic.h"
#include "data/bytes/text.h"
#include "data/formats/cache/cache.h"
#include "data/formats/csv.h"
#include "data/formats/jsonl.h"
#include "data/formats/libsvm/glance.h"
#include "data/formats/libsvm/libsvm.h"
#include "data/formats/separator.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba {

namespace {

// A cache that is no plain file is held in memory up to this size.
constexpr std::size_t kHeldCache = std::size_t{1} << 30;

Format format_of(std::string_view name) {
  if (name == "csv") return Format::kCsv;
  if (name == "jsonl") return Format::kJsonl;
  return name == "cache" ? Format::kCache : Format::kLibsvm;
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
  if (line.find_first_of(",\t;|") != std::string_view::npos) return Format::kCsv;
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
  const std::span<const std::string_view> formats = data_formats();
  if (std::find(formats.begin(), formats.end(), option) != formats.end()) return format_of(option);
  if (option != "auto") {
    std::vector<std::string> choices = {"auto"};
    choices.insert(choices.end(), formats.begin(), formats.end());
    const std::string near = nearest(option, choices);
    throw Error(ErrorKind::kUsage,
                fmt::format("unknown format {}{}; expected {}", shown(option),
                            near.empty() ? "" : fmt::format(", did you mean '{}'?", near),
                            listing(choices)));
  }
  const auto named = format_of_name(path, false);
  // A pipe whose name says its format is not waited for.
  if (named && !input.rereadable()) return format_of(*named);
  const std::string head = input.head();
  if (is_cache(head)) return Format::kCache;
  if (head.starts_with(kModelMagic)) {
    throw Error(ErrorKind::kInput, path + ": is a model, not data");
  }
  if (named) return format_of(*named);
  const std::string_view line = first_line(head);
  if (line.empty()) throw Error(ErrorKind::kInput, path + ": has no examples");
  if (const auto format = format_of_line(line)) return *format;
  throw Error(
      ErrorKind::kInput,
      fmt::format("{}: cannot tell the format from the name or from the first line, {}; give "
                  "option 'format' as libsvm, csv, jsonl or cache",
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
  latin1_ = options.encoding == "latin1";
  if (format_ != Format::kCache) return;
  auto bytes = input_->whole(kHeldCache);
  if (bytes == nullptr) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: a cache of more than {} MiB is read from a plain file only; write "
                            "it to one",
                            name_, kHeldCache >> 20));
  }
  cache_ = std::make_unique<CacheFile>(std::move(bytes), name_);
}

std::optional<Scan> Origin::glance(const Schema& schema) {
  if (format_ != Format::kLibsvm || latin1_) return std::nullopt;
  return glance_libsvm(*input_, schema);
}

std::unique_ptr<RowReader> Origin::open(Schema& schema, const SourceOptions& options, bool fresh,
                                        Use use, ColumnNotes& notes) {
  if (synthetic_) return std::make_unique<SyntheticReader>(*synthetic_);
  if (cache_) return std::make_unique<CacheReader>(*cache_, schema, options.need_labels);
  std::unique_ptr<ByteSource> bytes = input_->open();
  if (bytes == nullptr) {
    throw Error(ErrorKind::kInput, name_ + ": was read before, and can be read only once");
  }
  if (latin1_) bytes = latin1_bytes(std::move(bytes));
  switch (format_) {
    case Format::kCsv:
      return std::make_unique<CsvReader>(
          std::move(bytes), name_, schema, notes,
          CsvOptions{.label = options.label,
                     .need_labels = options.need_labels,
                     .header = !options.no_header,
                     .separator = read_separator(options.separator).value_or(0),
                     .discover = use == Use::kDiscover,
                     .define_columns = fresh});
    case Format::kJsonl:
      return std::make_unique<JsonlReader>(std::move(bytes), schema, notes, options.label,
                                           options.need_labels, use == Use::kDiscover);
    default:
      return std::make_unique<LibsvmReader>(std::move(bytes), schema, options.need_labels);
  }
}

}  // namespace soba
