#include "conversion.h"

#include <fmt/format.h>

#include <memory>

#include "soba/options.h"

namespace soba::cli {

std::string output_format(const std::string& path, const std::optional<std::string>& asked) {
  if (asked) return parse_choice("--to", *asked, data_formats());
  if (path == "-") return "libsvm";
  if (const auto format = format_of_name(path, true)) return std::string(*format);
  throw Error(ErrorKind::kUsage,
              fmt::format("the name '{}' does not say its format; add --to libsvm, csv, jsonl or "
                          "cache",
                          path));
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
