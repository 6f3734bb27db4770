// The bytes up to the first '|' are a topics file, the rest a vectors file.

#include "data/formats/reuters.h"
#include "fuzz_data.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace soba;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t bar = std::min(bytes.find('|'), size);
  try {
    Reuters4 set(Input::memory(bytes.substr(0, bar), "topics"));
    const std::unique_ptr<Stream> stream =
        set.open(Input::memory(bytes.substr(std::min(bar + 1, size)), "vectors"));
    std::int64_t examples = 0;
    while (const Block* block = stream->next()) {
      for (std::size_t i = 0; i < block->size(); ++i) {
        check(block->label[i] >= 0 && block->label[i] < set.schema().labels.size());
        check_example(block->features(i), set.counts().features);
      }
      examples += static_cast<std::int64_t>(block->size());
    }
    const Reuters4Counts& counts = set.counts();
    check(counts.all_kept() == examples && counts.without_vector() >= 0);
    check(examples + counts.none + counts.several + counts.unlisted == counts.documents);
  } catch (const Error&) {
  }
  return 0;
}
