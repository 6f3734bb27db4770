// What the reader and the writer of the binary cache agree on. docs/formats.md describes the bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/magic.h"

namespace soba {

static_assert(std::endian::native == std::endian::little, "caches are little-endian");

inline constexpr std::string_view kCacheEnd = "SOBAEND\n";
// Version 1 is version 2 without what the footer says there of columns and their values, and is
// what a cache that has nothing to say of them is written as.
inline constexpr std::uint32_t kCacheVersion = 2;

// Flags of the header.
inline constexpr std::uint32_t kCacheNamed = 1;      // the features have names
inline constexpr std::uint32_t kCacheZeroBased = 2;  // LIBSVM would number feature 0 with 0, not 1

// How the values of a block are stored. Part of the stored format: never renumber.
enum class ValueKind : std::uint8_t { kOnes = 0, kInt8 = 1, kInt16 = 2, kFloat = 3, kDouble = 4 };

constexpr std::size_t value_width(ValueKind kind) {
  constexpr std::size_t kWidths[] = {0, 1, 2, 4, 8};
  return kWidths[static_cast<std::size_t>(kind)];
}

struct CacheHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t sum;  // of the bytes before it
};
static_assert(sizeof(CacheHeader) == 24);

struct CacheBlockHeader {
  std::uint64_t sum;  // of the rest of the block
  std::uint32_t examples;
  std::uint32_t entries;
  std::uint32_t escapes;
  std::uint8_t label_width;  // these three are 1, 2 or 4 bytes
  std::uint8_t count_width;
  std::uint8_t difference_width;
  ValueKind values;
};
static_assert(sizeof(CacheBlockHeader) == 24);

// The size of a block with this header, which its columns and the padding fill.
constexpr std::uint64_t cache_block_size(const CacheBlockHeader& block) {
  const std::uint64_t examples = block.examples, entries = block.entries, escapes = block.escapes;
  const std::uint64_t size = sizeof(CacheBlockHeader) + entries * value_width(block.values) +
                             escapes * 8 + examples * (block.count_width + block.label_width) +
                             entries * block.difference_width;
  return (size + 7) / 8 * 8;
}

// One for each block, in the footer.
struct CachePlace {
  std::uint64_t offset;
  std::uint32_t examples;
  std::uint32_t entries;
};
static_assert(sizeof(CachePlace) == 16);

// The footer starts with these. The places of the blocks follow, the columns of texts, the names of
// labels, features and columns, in version 2 the lists of the schema about columns, each with its
// length before it, CacheValues and the weights of features, and a sum of all of it.
struct CacheCounts {
  std::uint64_t examples;
  std::uint64_t entries;
  std::uint64_t unlabelled;
  std::uint32_t extent;
  std::uint32_t blocks;
  std::uint32_t labels;
  std::uint32_t features;
  std::uint32_t columns;
  std::uint32_t text_columns;
};
static_assert(sizeof(CacheCounts) == 48);

// As in Schema.
struct CacheValues {
  std::int64_t vocabulary;
  std::int64_t documents;
  std::uint32_t hash_bits;
  std::uint32_t flags;  // 1 bigrams, 2 tfidf
  std::uint64_t idf;    // so many weights follow, doubles
};
static_assert(sizeof(CacheValues) == 32);

struct CacheTrailer {
  std::uint64_t footer;  // its offset
  char end[8];
};
static_assert(sizeof(CacheTrailer) == 16);

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Takes `size` bytes off the front. Requires: they are there.
inline std::string_view take(std::string_view& bytes, std::uint64_t size) {
  const std::string_view head = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return head;
}

// The checksum of the section at `offset`: XXH3, 64 bits, with the offset as the seed, so that
// sections that changed places are noticed too.
std::uint64_t cache_sum(std::string_view bytes, std::uint64_t offset);

}  // namespace soba
