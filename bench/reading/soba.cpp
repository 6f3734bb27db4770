#include "reading/reader.h"
#include "runner.h"

namespace soba::bench {

Reading read_soba(const std::string& path, int classes) {
  Reading found;
  found.seconds = seconds_of([&] {
    Source source(path, {.classes = classes}, {});
    const auto stream = source.open();
    while (const Block* block = stream->next()) {
      found.examples += static_cast<std::int64_t>(block->size());
      found.entries += static_cast<std::int64_t>(block->value.size());
      for (const double v : block->value) found.sum += v;
    }
  });
  return found;
}

}  // namespace soba::bench
