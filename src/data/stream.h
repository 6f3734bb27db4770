// The orders in which examples are played.
#pragma once

#include <memory>
#include <vector>

#include "soba/data.h"

namespace soba {

// Notices what the reading of a block adds to a schema.
class Discovery {
 public:
  // Requires: `growing` outlives this.
  explicit Discovery(const Schema& growing)
      : growing_(growing), known_(growing), names_(growing.features.size()) {}

  // The schema as it was at first.
  const Schema& known() const { return known_; }
  // Adds to the block what is new since the last call.
  void tell(Block& block);

 private:
  const Schema& growing_;
  Schema known_;
  std::int32_t names_;              // told so far, or known
  std::vector<std::int32_t> told_;  // text columns
};

// A stream that can also fill blocks of somebody else.
class BlockStream : public Stream {
 public:
  const Block* next() final { return fill(block_) ? &block_ : nullptr; }
  // Puts the next block in the place of what is in `block`; false at the end. Requires: `block` is
  // new, or as this stream filled it.
  virtual bool fill(Block& block) = 0;

 private:
  Block block_;
};

// The blocks of another stream, which a thread of its own reads ahead.
std::unique_ptr<Stream> read_ahead(std::unique_ptr<BlockStream> stream);

// As they come, pass after pass, in bounded memory.
std::unique_ptr<BlockStream> open_sequential(Source::Impl& data);
// In a random order, anew in every pass. Files are in memory as a whole; a generator never is.
// Requires: data.options().shuffle.
std::unique_ptr<BlockStream> open_shuffled(Source::Impl& data);

// Examples that are in memory, in any order. Requires: `all` outlives the stream and is not empty.
// `schema` is theirs, complete, and outlives the stream, too;
// `shape` is what a Source would know before it reads them.
std::unique_ptr<BlockStream> open_in_memory(const Block& all, const Schema& schema, Shape shape,
                                            const Order& order);

// The order of pass number `pass` (from 0): a permutation of 0 … n−1, each equally probable.
std::vector<std::uint32_t> shuffled_order(std::uint32_t n, std::uint64_t seed, std::int64_t pass);

}  // namespace soba
