// The orders in which examples are played.
#pragma once

#include <memory>
#include <vector>

#include "soba/data.h"

namespace soba {

class Dataset;

// As they come, pass after pass, in bounded memory.
std::unique_ptr<Stream> open_sequential(Dataset& data);
// In a random order, anew in every pass. Files are in memory as a whole; a generator never is.
// Requires: data.options().shuffle.
std::unique_ptr<Stream> open_shuffled(Dataset& data);

// Examples that are in memory, in any order. Requires: `all` outlives the stream and is not empty.
std::unique_ptr<Stream> open_in_memory(const Block& all, const Order& order);

// The order of pass number `pass` (from 0): a permutation of 0 … n−1, each equally probable.
std::vector<std::uint32_t> shuffled_order(std::uint32_t n, std::uint64_t seed, std::int64_t pass);

}  // namespace soba
