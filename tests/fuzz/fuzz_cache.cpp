// Caches: the bytes as they come, which a checksum nearly always stops, and the same bytes with
// their checksums made right, which reaches everything behind them.
#include <cstring>

#include "data/formats/cache/format.h"
#include "fuzz_data.h"

namespace {

std::uint64_t number_at(const std::string& bytes, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// Sums bytes[begin, end) as the section at `offset`, and puts that at `to`.
void put_sum(std::string& bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t offset,
             std::uint64_t to) {
  const std::uint64_t sum =
      soba::cache_sum(std::string_view(bytes).substr(begin, end - begin), offset);
  std::memcpy(bytes.data() + to, &sum, sizeof sum);
}

// As far as header, footer and blocks are where they should be.
std::string with_valid_sums(std::string bytes) {
  constexpr std::size_t kSum = sizeof(std::uint64_t), kPlaces = sizeof(soba::CacheCounts),
                        kBlocks = offsetof(soba::CacheCounts, blocks);
  if (bytes.size() < sizeof(soba::CacheHeader)) return bytes;
  put_sum(bytes, 0, offsetof(soba::CacheHeader, sum), 0, offsetof(soba::CacheHeader, sum));
  if (bytes.size() < sizeof(soba::CacheHeader) + kPlaces + kSum + sizeof(soba::CacheTrailer)) {
    return bytes;
  }
  const std::uint64_t end = bytes.size() - sizeof(soba::CacheTrailer) - kSum;
  const std::uint64_t footer = number_at(bytes, end + kSum);
  if (footer > end || end - footer < kPlaces) return bytes;
  std::uint32_t blocks = 0;
  std::memcpy(&blocks, bytes.data() + footer + kBlocks, sizeof blocks);
  const std::uint64_t first = footer + kPlaces;
  for (std::uint64_t i = 0; i < blocks && first + (i + 1) * sizeof(soba::CachePlace) <= end; ++i) {
    const std::uint64_t begin = number_at(bytes, first + i * sizeof(soba::CachePlace));
    const bool last = i + 1 == blocks || first + (i + 2) * sizeof(soba::CachePlace) > end;
    const std::uint64_t stop =
        last ? footer : number_at(bytes, first + (i + 1) * sizeof(soba::CachePlace));
    if (stop > footer || begin > stop || stop - begin < kSum) break;
    put_sum(bytes, begin + kSum, stop, begin, begin);
  }
  put_sum(bytes, footer, end, footer, end);
  return bytes;
}

// As a model reads it that has named features of its own.
void read_with_names(const std::string& bytes) {
  soba::Schema schema;
  schema.named_features = true;
  for (const char* label : {"a", "b"}) schema.labels.add(label);
  for (const char* feature : {"z", "b", "a"}) schema.features.add(feature);
  soba::SourceOptions options;
  options.format = "cache";
  options.skip_bad = true;
  try {
    soba::Source::Impl data(soba::Origin(soba::Input::memory(bytes, "fuzz"), options), options,
                            schema);
    const std::unique_ptr<soba::Stream> stream = data.open();
    while (const soba::Block* block = stream->next()) {
      for (std::size_t i = 0; i < block->size(); ++i) {
        soba::check_example(block->features(i), data.shape().features);
      }
    }
  } catch (const soba::Error&) {
    // Refused with a reason: what should happen.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string file = data[0] % 2 == 0 ? bytes : with_valid_sums(bytes);
  read_with_names(file);
  return soba::fuzz_format("cache", reinterpret_cast<const std::uint8_t*>(file.data()),
                           file.size());
}
