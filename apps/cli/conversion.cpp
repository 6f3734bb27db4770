#include "conversion.h"

#include <fmt/format.h>

#include <memory>

#include "soba/error.h"
#include "soba/parse.h"

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

Converted convert_to(Source& source, const std::string& path, const std::string& format) {
  const std::unique_ptr<Writer> writer =
      open_writer(path, format, source.schema(), source.shape().features);
  return convert(source, *writer);
}

}  // namespace soba::cli
