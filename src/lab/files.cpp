#include "soba/lab/files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "core/atomic_file.h"
#include "soba/error.h"
#include "soba/parse.h"

namespace soba::lab {

namespace {

bool is_standard_input(const std::string& path) {
  struct stat input {
  }, other{};
  return ::fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode) &&
         ::stat(path.c_str(), &other) == 0 && input.st_dev == other.st_dev &&
         input.st_ino == other.st_ino;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed)) return true;
  // Neither may exist yet.
  return std::filesystem::weakly_canonical(a, failed) ==
         std::filesystem::weakly_canonical(b, failed);
}

}  // namespace

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void check_outputs(const std::string& input, const std::vector<OutputPath>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputPath& output = outputs[i];
    if (!output.path) continue;
    if (output.path->empty() || *output.path == "-") {
      throw Error(ErrorKind::kUsage, fmt::format("{} needs the name of a file", output.option));
    }
    if (input == "-" && is_standard_input(*output.path)) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is standard input; it would be lost",
                                                 output.option, *output.path));
    }
    if (input != "-" && same_file(*output.path, input)) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is the input; it would be lost",
                                                 output.option, *output.path));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].path && same_file(*output.path, *outputs[j].path)) {
        throw Error(ErrorKind::kUsage, fmt::format("{} and {} name the same file '{}'",
                                                   outputs[j].option, output.option, *output.path));
      }
    }
    const AtomicFile trial(*output.path);  // never committed: leaves nothing behind
  }
}

std::string output_format(const std::string& path, const std::optional<std::string>& asked) {
  if (asked) return parse_choice("to", *asked, data_formats());
  if (path == "-") return "libsvm";
  if (const auto format = format_of_name(path, true)) return std::string(*format);
  throw Error(
      ErrorKind::kUsage, "to",
      fmt::format("the name '{}' does not say its format; give libsvm, csv, jsonl or cache", path));
}

Converted convert_to(Source& source, const std::string& path, const std::string& format) {
  const std::unique_ptr<Writer> writer =
      open_writer(path, format, source.schema(), source.shape().features);
  return convert(source, *writer);
}

}  // namespace soba::lab
