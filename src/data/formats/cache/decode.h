// From the columns of a cache's block to examples.
#pragma once

#include <string_view>

#include "data/formats/cache/cache.h"
#include "data/formats/cache/format.h"

namespace soba {

// What the footer says of every block.
struct CacheLimits {
  Label labels = 0;         // how many there are
  bool unlabelled = false;  // examples may have none
  Index extent = 0;         // one more than the highest feature
};

// Decodes a block with its header into `out`, in the place of what that holds. Returns what is
// wrong with the block, or null. Requires: the header fits the bytes (cache_block_size), and
// kAtOnce·4 bytes behind them can be read.
const char* decode_block(const CacheBlockHeader& header, std::string_view bytes,
                         const CacheLimits& limits, CacheBlock& out);

}  // namespace soba
