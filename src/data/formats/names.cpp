// The one list of formats, and of the names of files that say them.
#include <array>

#include "soba/data.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 4> kFormats = {"libsvm", "csv", "jsonl", "cache"};

enum class Use { kBoth, kReading, kWriting };

struct Extension {
  std::string_view ending;
  std::string_view format;
  Use use = Use::kBoth;
};
// A .txt may hold anything, so it is looked into before it is read; what we write into a .tsv or
// .json would not be what others take these for.
constexpr std::array kExtensions = {
    Extension{".libsvm", "libsvm"},
    Extension{".svm", "libsvm"},
    Extension{".svmlight", "libsvm"},
    Extension{".txt", "libsvm", Use::kWriting},
    Extension{".csv", "csv"},
    Extension{".tsv", "csv", Use::kReading},
    Extension{".jsonl", "jsonl"},
    Extension{".ndjson", "jsonl"},
    Extension{".json", "jsonl", Use::kReading},
    Extension{".soba", "cache"},
};

}  // namespace

std::span<const std::string_view> data_formats() { return kFormats; }

std::optional<std::string_view> format_of_name(std::string_view path, bool writing) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  for (const Extension& extension : kExtensions) {
    if (extension.use == (writing ? Use::kReading : Use::kWriting)) continue;
    if (path.ends_with(extension.ending)) return extension.format;
  }
  return std::nullopt;
}

}  // namespace soba
