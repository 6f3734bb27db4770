// Blocks of a cache as they are played.
#pragma once

#include <memory>

#include "data/stream.h"

namespace soba {

class CacheFile;

// The examples as they come, pass after pass, a block of the file at a time.
// Requires: `file` is what `data` reads, data.keeps_all(file), and there is no shuffle.
std::unique_ptr<BlockStream> open_cache(Source::Impl& data, const CacheFile& file);

}  // namespace soba
