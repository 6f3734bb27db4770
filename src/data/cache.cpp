#include "data/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/schema.h"
#include "data/text.h"
#include "soba/error.h"

namespace soba {

namespace {

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Takes `size` bytes off the front. Requires: they are there.
std::string_view take(std::string_view& bytes, std::uint64_t size) {
  const std::string_view head = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return head;
}

// Calls decode with a value of the unsigned type of that width. Requires: width is 1, 2 or 4.
template <class Decode>
auto with_width(std::uint8_t width, Decode&& decode) {
  if (width == 1) return decode(std::uint8_t{});
  if (width == 2) return decode(std::uint16_t{});
  return decode(std::uint32_t{});
}

bool is_width(std::uint8_t width) { return width == 1 || width == 2 || width == 4; }

// The columns of a block, in their order.
struct Columns {
  std::string_view values, escape_places, escapes, counts, labels, differences;

  Columns(const CacheBlockHeader& header, std::string_view bytes) {
    const std::uint64_t examples = header.examples, entries = header.entries;
    take(bytes, sizeof header);
    values = take(bytes, entries * value_width(header.values));
    escape_places = take(bytes, header.escapes * std::uint64_t{4});
    escapes = take(bytes, header.escapes * std::uint64_t{4});
    counts = take(bytes, examples * header.count_width);
    labels = take(bytes, examples * header.label_width);
    differences = take(bytes, entries * header.difference_width);
  }
};

// The functions below return what is wrong with a column, or null. What they check is what they
// have decoded, not the bytes, which somebody may be writing to.

template <class Count>
const char* read_counts(std::string_view column, std::size_t entries,
                        std::vector<std::size_t>& begin) {
  const std::size_t examples = column.size() / sizeof(Count);
  begin.resize(examples + 1);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < examples; ++i) {
    begin[i] = sum;
    sum += load<Count>(column.data() + i * sizeof(Count));
  }
  begin[examples] = sum;
  return sum == entries ? nullptr : "the examples do not have as many entries as the block";
}

template <class Number>
const char* read_labels(std::string_view column, std::uint32_t least, Label known,
                        std::vector<Label>& out) {
  out.resize(column.size() / sizeof(Number));
  Number lowest = std::numeric_limits<Number>::max(), highest = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto number = load<Number>(column.data() + i * sizeof(Number));
    lowest = std::min(lowest, number);
    highest = std::max(highest, number);
    out[i] = static_cast<Label>(number - 1U);  // the label none is stored as 0
  }
  const bool good = lowest >= least && highest <= static_cast<std::uint32_t>(known);
  return good ? nullptr : "a label that there is not";
}

// Zeros stand where differences are escaped, and nowhere else.
template <class Difference>
bool has_zeros(std::string_view column, std::size_t zeros) {
  if (zeros == 0) {
    Difference least = 1;
    for (std::size_t i = 0; i < column.size(); i += sizeof(Difference)) {
      least = std::min(least, load<Difference>(column.data() + i));
    }
    return least == 1;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < column.size(); i += sizeof(Difference)) {
    count += load<Difference>(column.data() + i) == 0;
  }
  return count == zeros;
}

// From the differences of one example to its indices. Returns one more than the last index, or, for
// an example without entries, 0.
template <class Difference>
std::uint64_t add_up(const char* differences, std::size_t count, Index* out) {
  std::uint64_t next = 0;  // 2³² differences of 32 bits fit
  for (std::size_t i = 0; i < count; ++i) {
    next += load<Difference>(differences + i * sizeof(Difference));
    out[i] = static_cast<Index>(next - 1);
  }
  return next;
}

// So many differences are added up at once. That many may be read, and indices written, behind the
// last one: those of the next example are written later, and a footer follows the last block.
constexpr std::size_t kAtOnce = 8;
// The sums of so many differences of up to 16 bits are numbers of 32 bits.
constexpr std::size_t kShortExample = std::size_t{1} << 16;

using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
using Words [[gnu::vector_size(16)]] = std::uint16_t;
using Wide [[gnu::vector_size(16)]] = std::uint32_t;
using Longs [[gnu::vector_size(16)]] = std::uint64_t;

// Eight differences, and the sums of the first, the first two, …, in two halves.
void sum_eight(const char* at, std::uint8_t, Wide& low, Wide& high) {
  constexpr Bytes kZeros = {};
  constexpr Words kZero = {};
  const auto bytes = reinterpret_cast<Bytes>(Longs{load<std::uint64_t>(at), 0});
  auto sums = reinterpret_cast<Words>(__builtin_shufflevector(bytes, kZeros, 0, 16, 1, 17, 2, 18, 3,
                                                              19, 4, 20, 5, 21, 6, 22, 7, 23));
  sums += __builtin_shufflevector(kZero, sums, 7, 8, 9, 10, 11, 12, 13, 14);
  sums += __builtin_shufflevector(kZero, sums, 6, 7, 8, 9, 10, 11, 12, 13);
  sums += __builtin_shufflevector(kZero, sums, 4, 5, 6, 7, 8, 9, 10, 11);
  low = reinterpret_cast<Wide>(__builtin_shufflevector(sums, kZero, 0, 8, 1, 9, 2, 10, 3, 11));
  high = reinterpret_cast<Wide>(__builtin_shufflevector(sums, kZero, 4, 12, 5, 13, 6, 14, 7, 15));
}

void sum_eight(const char* at, std::uint16_t, Wide& low, Wide& high) {
  constexpr Words kZeros = {};
  constexpr Wide kZero = {};
  const auto words = load<Words>(at);
  low = reinterpret_cast<Wide>(__builtin_shufflevector(words, kZeros, 0, 8, 1, 9, 2, 10, 3, 11));
  high = reinterpret_cast<Wide>(__builtin_shufflevector(words, kZeros, 4, 12, 5, 13, 6, 14, 7, 15));
  for (Wide* const half : {&low, &high}) {
    *half += __builtin_shufflevector(kZero, *half, 3, 4, 5, 6);
    *half += __builtin_shufflevector(kZero, *half, 2, 3, 4, 5);
  }
  high += __builtin_shufflevector(low, low, 3, 3, 3, 3);
}

// The same as add_up for up to kShortExample differences.
template <class Difference>
std::uint64_t add_up_short(const char* differences, std::size_t count, Index* out) {
  Wide last = ~Wide{};  // −1 in every place
  for (std::size_t i = 0; i < count; i += kAtOnce) {
    Wide low, high;
    sum_eight(differences + i * sizeof(Difference), Difference{}, low, high);
    low += last;
    high += last;
    std::memcpy(out + i, &low, sizeof low);
    std::memcpy(out + i + kAtOnce / 2, &high, sizeof high);
    last = __builtin_shufflevector(high, high, 3, 3, 3, 3);
  }
  return count == 0 ? 0 : static_cast<std::uint32_t>(out[count - 1]) + std::uint64_t{1};
}

template <class Difference>
std::uint64_t add_up_any(const char* differences, std::size_t count, Index* out) {
  if constexpr (sizeof(Difference) <= 2) {
    if (count <= kShortExample) return add_up_short<Difference>(differences, count, out);
  }
  return add_up<Difference>(differences, count, out);
}

// Where the last index of an example is good, those before it are, since they ascend.
template <class Difference>
const char* read_indices(const Columns& columns, Index limit, CacheBlock& block) {
  const std::vector<std::size_t>& begin = block.examples.begin;
  std::vector<Index>& out = block.examples.index;
  constexpr const char* kNotAscending = "the features of an example do not ascend";
  const char* const differences = columns.differences.data();
  const std::size_t entries = columns.differences.size() / sizeof(Difference);
  const std::size_t escapes = columns.escapes.size() / sizeof(std::uint32_t);
  if (!has_zeros<Difference>(columns.differences, escapes)) return kNotAscending;
  out.resize(entries + kAtOnce);
  for (std::size_t i = 0; i < entries && escapes > 0; ++i) {
    out[i] = static_cast<Index>(load<Difference>(differences + i * sizeof(Difference)));
  }
  for (std::size_t i = 0; i < escapes; ++i) {
    const auto place = load<std::uint32_t>(columns.escape_places.data() + i * 4);
    const auto difference = load<std::uint32_t>(columns.escapes.data() + i * 4);
    if (place >= entries || out[place] != 0 || difference == 0) return kNotAscending;
    out[place] = static_cast<Index>(difference);
  }
  std::uint64_t most = 0;
  for (std::size_t example = 0; example + 1 < begin.size(); ++example) {
    const std::size_t first = begin[example], count = begin[example + 1] - first;
    Index* const indices = out.data() + first;
    std::uint64_t next = 0;
    if (escapes > 0) {
      next = add_up<std::uint32_t>(reinterpret_cast<const char*>(indices), count, indices);
    } else {
      next = add_up_any<Difference>(differences + first * sizeof(Difference), count, indices);
    }
    most = std::max(most, next);
  }
  out.resize(entries);
  block.extent = static_cast<Index>(most);
  return most <= static_cast<std::uint64_t>(limit) ? nullptr : "a feature beyond the highest one";
}

template <class Number>
const char* read_values(std::string_view column, std::vector<double>& out) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto value = static_cast<double>(load<Number>(column.data() + i * sizeof(Number)));
    bad += !(std::fabs(value) <= kMaxValue) || value == 0;
    out[i] = value;
  }
  return bad == 0 ? nullptr : "a value that is zero, not a number, or too large";
}

const char* read_values(ValueKind kind, std::string_view column, std::vector<double>& out) {
  switch (kind) {
    case ValueKind::kOnes:
      return nullptr;
    case ValueKind::kInt8:
      return read_values<std::int8_t>(column, out);
    case ValueKind::kInt16:
      return read_values<std::int16_t>(column, out);
    case ValueKind::kFloat:
      return read_values<float>(column, out);
    case ValueKind::kDouble:
      return read_values<double>(column, out);
  }
  return "values of an unknown kind";
}

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

}  // namespace

// ---- File ---------------------------------------------------------------------------------------

CacheFile::CacheFile(std::shared_ptr<const std::string_view> bytes, std::string name)
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
  const std::string_view bytes = *bytes_;
  if (!is_cache(bytes)) {
    throw Error(
        ErrorKind::kInput,
        name_ + (bytes.starts_with(kModelMagic)
                     ? ": is a model, not data"
                     : ": is not a cache of Soba's; one is written by 'soba convert'"));
  }
  if (bytes.size() < sizeof(CacheHeader)) fail(bytes.size(), "the cache is truncated");
  const auto header = load<CacheHeader>(bytes.data());
  if (header.version != kCacheVersion) {
    fail(offsetof(CacheHeader, version),
         fmt::format("the cache has format version {}, and this program reads version {}",
                     header.version, kCacheVersion));
  }
  if (header.sum != cache_sum(bytes.substr(0, offsetof(CacheHeader, sum)), 0)) {
    fail(0, "the cache is corrupt: the checksum of its header does not match");
  }
  if ((header.flags & ~(kCacheNamed | kCacheZeroBased)) != 0) {
    fail(offsetof(CacheHeader, flags), "the cache is corrupt: its header has unknown flags");
  }
  flags_ = header.flags;
}

void CacheFile::read_footer() {
  const std::string_view bytes = *bytes_;
  constexpr std::size_t kLeast = sizeof(CacheCounts) + sizeof(std::uint64_t) + sizeof(CacheTrailer);
  if (bytes.size() < sizeof(CacheHeader) + kLeast || !bytes.ends_with(kCacheEnd)) {
    fail(bytes.size(), "the cache is truncated: its end is not there");
  }
  const std::uint64_t trailer = bytes.size() - sizeof(CacheTrailer);
  footer_ = load<std::uint64_t>(bytes.data() + trailer);
  if (footer_ < sizeof(CacheHeader) || footer_ > bytes.size() - kLeast) {
    fail(trailer, "the cache is corrupt: its footer is not where its end says");
  }
  const std::uint64_t sum = trailer - sizeof(std::uint64_t);
  std::string_view footer = bytes.substr(footer_, sum - footer_);
  if (load<std::uint64_t>(bytes.data() + sum) != cache_sum(footer, footer_)) {
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
      fail(footer_, "the cache is corrupt: a column that there is not");
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
      !take_names(footer, counts_.columns, columns_) || !footer.empty()) {
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
  Block& out = block.examples;
  const std::uint64_t offset = places_[i].offset;
  const std::uint64_t end = i + 1 < places_.size() ? places_[i + 1].offset : footer_;
  const std::string_view bytes = bytes_->substr(offset, end - offset);
  const CacheBlockHeader header = block_header(i, bytes);
  const Columns columns(header, bytes);
  const char* wrong = with_width(header.count_width, [&](auto width) {
    return read_counts<decltype(width)>(columns.counts, header.entries, out.begin);
  });
  if (wrong == nullptr) {
    wrong = with_width(header.label_width, [&](auto width) {
      return read_labels<decltype(width)>(columns.labels, counts_.unlabelled == 0 ? 1 : 0,
                                          labels_.size(), out.label);
    });
  }
  if (wrong == nullptr) {
    wrong = with_width(header.difference_width, [&](auto width) {
      return read_indices<decltype(width)>(columns, extent(), block);
    });
  }
  if (wrong == nullptr) {
    const bool ones = header.values == ValueKind::kOnes;
    if (ones && !block.ones) out.value.clear();
    block.ones = ones;
    out.value.resize(header.entries, 1);
    wrong = read_values(header.values, columns.values, out.value);
  }
  if (wrong != nullptr) {
    out.clear();
    fail(offset, fmt::format("block {} of the cache is corrupt: {}", i + 1, wrong));
  }
}

// ---- Rows ---------------------------------------------------------------------------------------

bool same_features(const CacheFile& file, const Schema& schema) {
  if (!file.named() || !schema.named_features) return file.named() == schema.named_features;
  const std::vector<std::string>& here = file.features().names();
  const std::vector<std::string>& known = schema.features.names();
  const auto common = static_cast<std::ptrdiff_t>(std::min(here.size(), known.size()));
  return std::equal(here.begin(), here.begin() + common, known.begin());
}

void add_features(const CacheFile& file, Index extent, Schema& schema) {
  if (!file.named()) return;
  for (Index j = schema.features.size(); j < extent; ++j) {
    schema.features.add(file.features().name(j));
  }
}

CacheReader::CacheReader(const CacheFile& file, Schema& schema, bool need_labels)
    : file_(file),
      schema_(schema),
      need_labels_(need_labels),
      same_features_(same_features(file, schema)) {
  if (!same_features_) feature_.assign(file.features().names().size(), -1);
}

RowStatus CacheReader::next(Row& row, RowError& error) {
  const Block& block = block_.examples;
  if (in_block_ >= block.size()) {
    if (next_block_ == file_.blocks()) return RowStatus::kEnd;
    file_.read(next_block_, block_);
    ++next_block_;
    in_block_ = 0;
  }
  const std::size_t i = in_block_++;
  const Features x = block.features(i);
  row.line = ++number_;
  row.index.assign(x.index.begin(), x.index.end());
  row.value.assign(x.value.begin(), x.value.end());
  row.has_label = block.label[i] != kNoLabel;
  if (row.has_label) {
    row.label = file_.labels().name(block.label[i]);
  } else if (need_labels_) {
    error = {number_, 1, "expected a label, but the example has none"};
    return RowStatus::kBad;
  }
  if (same_features_) {
    add_features(file_, x.extent(), schema_);
    return RowStatus::kRow;
  }
  return rename(row, error) ? RowStatus::kRow : RowStatus::kBad;
}

bool CacheReader::rename(Row& row, RowError& error) {
  for (Index& j : row.index) {
    Index& feature = feature_[static_cast<std::size_t>(j)];
    if (feature < 0) {
      const std::string& name = file_.features().name(j);
      const std::optional<Index> known = add_feature(schema_, name);
      if (!known) {
        error = {number_, 1, no_feature(schema_, name)};
        return false;
      }
      feature = *known;
    }
    j = feature;
  }
  if (sorter_.sort(row)) {
    error = {number_, 1, "two features of the example are the same feature of the model"};
    return false;
  }
  return true;
}

}  // namespace soba
