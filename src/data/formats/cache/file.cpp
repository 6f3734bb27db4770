// The file of a cache: its header, its footer and the places of its blocks.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/formats/cache/cache.h"
#include "data/formats/cache/decode.h"
#include "data/schema.h"
#include "soba/error.h"

namespace soba {

namespace {

bool is_width(std::uint8_t width) { return width == 1 || width == 2 || width == 4; }

// Reads `count` names, each with its length before it; false where there are not so many, or two
// are the same.
bool take_names(std::string_view& bytes, std::uint32_t count, NameMap& names) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (bytes.size() < 4) return false;
    const auto size = load<std::uint32_t>(take(bytes, 4).data());
    if (bytes.size() < size) return false;
    if (names.add(take(bytes, size)) != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

// Reads a list of names and how many they are.
bool take_list(std::string_view& bytes, std::vector<std::string>& list) {
  if (bytes.size() < 4) return false;
  const auto count = load<std::uint32_t>(take(bytes, 4).data());
  NameMap names;
  if (!take_names(bytes, count, names)) return false;
  list = names.names();
  return true;
}

bool take_rules(std::string_view& bytes, Schema& rules) {
  for (auto* list : {&rules.categorical, &rules.ignore, &rules.missing, &rules.only, &rules.dates,
                     &rules.text}) {
    if (!take_list(bytes, *list)) return false;
  }
  if (bytes.size() < sizeof(CacheValues)) return false;
  const auto values = load<CacheValues>(take(bytes, sizeof(CacheValues)).data());
  rules.vocabulary = values.vocabulary;
  rules.documents = values.documents;
  rules.hash_bits = values.hash_bits;
  rules.bigrams = (values.flags & 1) != 0;
  rules.tfidf = (values.flags & 2) != 0;
  if (values.idf > bytes.size() / sizeof(double)) return false;
  for (std::uint64_t i = 0; i < values.idf; ++i) {
    rules.idf.push_back(load<double>(take(bytes, sizeof(double)).data()));
    if (!(rules.idf.back() >= 1 && rules.idf.back() <= kMaxValue)) return false;
  }
  return rules.vocabulary >= 0 && rules.documents >= 0 && values.flags < 4 &&
         rules.hash_bits >= kLeastHashBits && rules.hash_bits <= kMostHashBits;
}

}  // namespace

CacheFile::CacheFile(std::shared_ptr<const RandomBytes> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  read_header();
  read_footer();
}

void CacheFile::fail(std::uint64_t offset, const std::string& reason) const {
  throw Error(ErrorKind::kInput,
              fmt::format("{}: byte {}: {}; make the cache anew with 'soba convert'", name_, offset,
                          reason));
}

void CacheFile::read_header() {
  std::vector<char> buffer;
  const std::string_view bytes =
      bytes_->read(0, std::min<std::uint64_t>(bytes_->size(), sizeof(CacheHeader)), buffer);
  if (!is_cache(bytes)) {
    throw Error(ErrorKind::kInput,
                name_ + (bytes.starts_with(kModelMagic)
                             ? ": is a model, not data"
                             : ": is not a cache of Soba's; one is written by 'soba convert'"));
  }
  if (bytes.size() < sizeof(CacheHeader)) fail(bytes.size(), "the cache is truncated");
  const auto header = load<CacheHeader>(bytes.data());
  if (header.version < 1 || header.version > kCacheVersion) {
    fail(offsetof(CacheHeader, version),
         fmt::format("the cache has format version {}, and this program reads versions 1 to {}",
                     header.version, kCacheVersion));
  }
  if (header.sum != cache_sum(bytes.substr(0, offsetof(CacheHeader, sum)), 0)) {
    fail(0, "the cache is corrupt: the checksum of its header does not match");
  }
  if ((header.flags & ~(kCacheNamed | kCacheZeroBased)) != 0) {
    fail(offsetof(CacheHeader, flags), "the cache is corrupt: its header has unknown flags");
  }
  version_ = header.version;
  flags_ = header.flags;
}

void CacheFile::read_footer() {
  const std::uint64_t size = bytes_->size();
  constexpr std::size_t kLeast = sizeof(CacheCounts) + sizeof(std::uint64_t) + sizeof(CacheTrailer);
  std::vector<char> buffer;
  const auto is_whole = [&] {
    return size >= sizeof(CacheHeader) + kLeast &&
           bytes_->read(size - kCacheEnd.size(), kCacheEnd.size(), buffer) == kCacheEnd;
  };
  if (!is_whole()) fail(size, "the cache is truncated: its end is not there");
  const std::uint64_t trailer = size - sizeof(CacheTrailer);
  footer_ = load<std::uint64_t>(bytes_->read(trailer, sizeof(CacheTrailer), buffer).data());
  if (footer_ < sizeof(CacheHeader) || footer_ > size - kLeast) {
    fail(trailer, "the cache is corrupt: its footer is not where its end says");
  }
  std::string_view footer = bytes_->read(footer_, trailer - footer_, buffer);
  const auto sum = load<std::uint64_t>(footer.data() + footer.size() - sizeof(std::uint64_t));
  footer.remove_suffix(sizeof sum);
  if (sum != cache_sum(footer, footer_)) {
    fail(footer_, "the cache is corrupt: the checksum of its footer does not match");
  }
  counts_ = load<CacheCounts>(take(footer, sizeof(CacheCounts)).data());
  if (counts_.blocks > footer.size() / sizeof(CachePlace)) {
    fail(footer_, "the cache is corrupt: more blocks than its footer has room for");
  }
  read_places(take(footer, counts_.blocks * sizeof(CachePlace)));
  if (counts_.text_columns > footer.size() / 4) {
    fail(footer_, "the cache is corrupt: more columns than its footer has room for");
  }
  std::int64_t last = -1;
  for (std::uint32_t i = 0; i < counts_.text_columns; ++i) {
    const auto column = load<std::int32_t>(take(footer, 4).data());
    if (column <= last || static_cast<std::uint32_t>(column) >= counts_.columns) {
      fail(footer_, "the cache is corrupt: a column is out of range");
    }
    last = text_columns_.emplace_back(column);
  }
  if (counts_.labels > static_cast<std::uint32_t>(kMaxClasses) ||
      counts_.extent > static_cast<std::uint32_t>(kMaxFeatures) ||
      counts_.features > static_cast<std::uint32_t>(kMaxFeatures) ||
      (named() ? counts_.extent > counts_.features : counts_.features + counts_.columns != 0)) {
    fail(footer_, "the cache is corrupt: wrong numbers of labels, features or columns");
  }
  if (!take_names(footer, counts_.labels, labels_) ||
      !take_names(footer, counts_.features, features_) ||
      !take_names(footer, counts_.columns, columns_) ||
      (version_ >= 2 && !take_rules(footer, rules_)) || !footer.empty()) {
    fail(footer_, "the cache is corrupt: the names in its footer are not what it says");
  }
}

void CacheFile::read_places(std::string_view bytes) {
  places_.resize(counts_.blocks);
  if (!bytes.empty()) std::memcpy(places_.data(), bytes.data(), bytes.size());
  std::uint64_t offset = sizeof(CacheHeader), examples = 0, entries = 0;
  bool good = true;
  for (std::size_t i = 0; i < places_.size() && good; ++i) {
    const std::uint64_t end = i + 1 < places_.size() ? places_[i + 1].offset : footer_;
    good = places_[i].offset == offset && end >= offset + sizeof(CacheBlockHeader) &&
           end <= footer_ && places_[i].examples > 0;
    offset = end;
    examples += places_[i].examples;
    entries += places_[i].entries;
  }
  if (!good || offset != footer_ || examples != counts_.examples || entries != counts_.entries ||
      counts_.unlabelled > examples) {
    fail(footer_, "the cache is corrupt: its blocks are not what its footer says");
  }
}

Index CacheFile::first_features() const {
  if (columns_.size() == 0) return features_.size();
  return std::min(features_.size(),
                  columns_.size() - static_cast<std::int32_t>(text_columns_.size()));
}

CacheBlockHeader CacheFile::block_header(std::size_t i, std::string_view block) const {
  const CachePlace& place = places_[i];
  const auto header = load<CacheBlockHeader>(block.data());
  const char* wrong = nullptr;
  if (header.sum != cache_sum(block.substr(sizeof header.sum), place.offset)) {
    wrong = "its checksum does not match";
  } else if (header.examples != place.examples || header.entries != place.entries) {
    wrong = "it has other counts than the footer";
  } else if (!is_width(header.label_width) || !is_width(header.count_width) ||
             !is_width(header.difference_width) || header.values > ValueKind::kDouble) {
    wrong = "its columns are of an unknown kind";
  } else if (cache_block_size(header) != block.size()) {
    wrong = "its size does not fit its counts";
  }
  if (wrong != nullptr) {
    fail(place.offset, fmt::format("block {} of the cache is corrupt: {}", i + 1, wrong));
  }
  return header;
}

void CacheFile::read(std::size_t i, CacheBlock& block) const {
  const std::uint64_t offset = places_[i].offset;
  const std::uint64_t end = i + 1 < places_.size() ? places_[i + 1].offset : footer_;
  const std::string_view bytes = bytes_->read(offset, end - offset, block.bytes);
  const CacheBlockHeader header = block_header(i, bytes);
  const CacheLimits limits{
      .labels = labels_.size(), .unlabelled = counts_.unlabelled > 0, .extent = extent()};
  if (const char* const wrong = decode_block(header, bytes, limits, block)) {
    block.examples.clear();
    fail(offset, fmt::format("block {} of the cache is corrupt: {}", i + 1, wrong));
  }
}

}  // namespace soba
