#define XXH_INLINE_ALL  // the header is all that is needed of the library
#include <xxhash.h>

#include "data/formats/cache/format.h"

namespace soba {

std::uint64_t cache_sum(std::string_view bytes, std::uint64_t offset) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), offset);
}

}  // namespace soba
