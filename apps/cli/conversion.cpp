#include "conversion.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "soba/options.h"

namespace soba::cli {

namespace {

constexpr std::array<std::string_view, 3> kFormats = {"libsvm", "csv", "jsonl"};

struct Extension {
  std::string_view text;
  std::string_view format;
};
constexpr std::array<Extension, 6> kExtensions = {{{".libsvm", "libsvm"},
                                                   {".svm", "libsvm"},
                                                   {".txt", "libsvm"},
                                                   {".csv", "csv"},
                                                   {".jsonl", "jsonl"},
                                                   {".ndjson", "jsonl"}}};

}  // namespace

std::string output_format(const std::string& path, const std::optional<std::string>& asked) {
  if (asked) return parse_choice("--to", *asked, kFormats);
  if (path == "-") return "libsvm";
  std::string_view name = path;
  for (const std::string_view compression : {".gz", ".xz", ".zst"}) {
    if (name.ends_with(compression)) name.remove_suffix(compression.size());
  }
  for (const Extension& extension : kExtensions) {
    if (name.ends_with(extension.text)) return std::string(extension.format);
  }
  throw Error(
      ErrorKind::kUsage,
      fmt::format("the name '{}' does not say its format; add --to libsvm, csv or jsonl", path));
}

void write_block(const Block& block, Writer& writer) {
  for (std::size_t i = 0; i < block.size(); ++i) writer.write(block.features(i), block.label[i]);
}

Converted convert_stream(Source& source, const std::string& path, const std::string& format) {
  Converted done;
  const std::unique_ptr<Writer> writer =
      open_writer(path, format, source.schema(), source.shape().features);
  const std::unique_ptr<Stream> stream = source.open();
  while (const Block* block = stream->next()) {
    write_block(*block, *writer);
    done.examples += static_cast<std::int64_t>(block->size());
    done.values += static_cast<std::int64_t>(block->value.size());
  }
  writer->finish();
  return done;
}

}  // namespace soba::cli
