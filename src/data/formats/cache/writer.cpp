#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "data/bytes/text.h"
#include "data/formats/cache/cache.h"
#include "soba/error.h"

namespace soba {

namespace {

// A block is full with so many examples, or entries, whatever comes first.
constexpr std::size_t kBlockExamples = 4096;
constexpr std::size_t kBlockEntries = std::size_t{1} << 16;

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// All numbers in the low `width` bytes of each.
void put_column(std::string& bytes, const std::vector<std::uint32_t>& numbers, std::size_t width) {
  for (const std::uint32_t number : numbers) {
    bytes.append(reinterpret_cast<const char*>(&number), width);
  }
}

std::uint8_t width_for(const std::vector<std::uint32_t>& numbers) {
  const std::uint32_t most =
      numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  return most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : 4;
}

// The width that makes differences and escapes smallest.
std::uint8_t difference_width(const std::vector<std::uint32_t>& differences) {
  std::size_t beyond_one = 0, beyond_two = 0;
  for (const std::uint32_t difference : differences) {
    beyond_one += difference > 0xFF;
    beyond_two += difference > 0xFFFF;
  }
  const std::size_t one = differences.size() + 8 * beyond_one;
  const std::size_t two = 2 * differences.size() + 8 * beyond_two;
  const std::size_t four = 4 * differences.size();
  return one <= two && one <= four ? 1 : two <= four ? 2 : 4;
}

template <class T>
bool fits(double value) {
  return value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
         value <= static_cast<double>(std::numeric_limits<T>::max()) &&
         static_cast<double>(static_cast<T>(value)) == value;
}

template <class T>
bool all_fit(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), fits<T>);
}

template <class T>
void put_values(std::string& bytes, const std::vector<double>& values) {
  for (const double value : values) put(bytes, static_cast<T>(value));
}

// The narrowest kind that keeps every bit.
ValueKind kind_for(const std::vector<double>& values) {
  if (std::all_of(values.begin(), values.end(), [](double v) { return v == 1; })) {
    return ValueKind::kOnes;
  }
  if (all_fit<std::int8_t>(values)) return ValueKind::kInt8;
  if (all_fit<std::int16_t>(values)) return ValueKind::kInt16;
  return all_fit<float>(values) ? ValueKind::kFloat : ValueKind::kDouble;
}

void put_names(std::string& bytes, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    put(bytes, static_cast<std::uint32_t>(name.size()));
    bytes += name;
  }
}

class CacheWriter : public Writer {
 public:
  CacheWriter(std::unique_ptr<ByteSink> sink, const Schema& schema)
      : sink_(std::move(sink)), schema_(schema) {
    CacheHeader header{};
    kCacheMagic.copy(header.magic, sizeof header.magic);
    header.version = keeps_rules() ? kCacheVersion : 1;
    header.flags = (schema.named_features ? kCacheNamed : 0) |
                   (!schema.named_features && schema.zero_based ? kCacheZeroBased : 0);
    const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
    header.sum = cache_sum(bytes.substr(0, offsetof(CacheHeader, sum)), 0);
    write(bytes);
  }

  void write(const Features& x, Label label) override {
    const std::size_t before = differences_.size();
    Index last = -1;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x.value[i] == 0) continue;
      differences_.push_back(static_cast<std::uint32_t>(x.feature(i) - last));
      values_.push_back(x.value[i]);
      last = x.feature(i);
    }
    counts_.push_back(static_cast<std::uint32_t>(differences_.size() - before));
    labels_.push_back(static_cast<std::uint32_t>(label + 1));
    totals_.unlabelled += label == kNoLabel;
    totals_.extent = std::max(totals_.extent, static_cast<std::uint32_t>(last + 1));
    if (counts_.size() >= kBlockExamples || differences_.size() >= kBlockEntries) write_block();
  }

  void finish() override {
    if (!counts_.empty()) write_block();
    const std::uint64_t offset = written_;
    std::string bytes = footer();
    put(bytes, cache_sum(bytes, offset));
    CacheTrailer trailer{};
    trailer.footer = offset;
    kCacheEnd.copy(trailer.end, sizeof trailer.end);
    put(bytes, trailer);
    write(bytes);
    sink_->finish();
  }

 private:
  void write(std::string_view bytes) {
    sink_->write(bytes);
    written_ += bytes.size();
  }

  void write_block() {
    CacheBlockHeader header{};
    header.examples = static_cast<std::uint32_t>(counts_.size());
    header.entries = static_cast<std::uint32_t>(differences_.size());
    header.label_width = width_for(labels_);
    header.count_width = width_for(counts_);
    header.difference_width = difference_width(differences_);
    header.values = kind_for(values_);
    std::vector<std::uint32_t> places, escaped;
    take_escapes(header.difference_width, places, escaped);
    header.escapes = static_cast<std::uint32_t>(places.size());

    std::string bytes;
    put(bytes, header);
    put_values(bytes, header.values);
    put_column(bytes, places, 4);
    put_column(bytes, escaped, 4);
    put_column(bytes, counts_, header.count_width);
    put_column(bytes, labels_, header.label_width);
    put_column(bytes, differences_, header.difference_width);
    bytes.resize(cache_block_size(header));
    const std::uint64_t sum =
        cache_sum(std::string_view(bytes).substr(sizeof header.sum), written_);
    std::memcpy(bytes.data(), &sum, sizeof sum);

    places_.push_back({written_, header.examples, header.entries});
    totals_.examples += header.examples;
    totals_.entries += header.entries;
    write(bytes);
    counts_.clear();
    labels_.clear();
    differences_.clear();
    values_.clear();
  }

  // Differences that are too large for the width go elsewhere, and leave a 0.
  void take_escapes(std::size_t width, std::vector<std::uint32_t>& places,
                    std::vector<std::uint32_t>& escaped) {
    if (width == 4) return;
    const std::uint32_t most = width == 1 ? 0xFF : 0xFFFF;
    for (std::size_t i = 0; i < differences_.size(); ++i) {
      if (differences_[i] <= most) continue;
      places.push_back(static_cast<std::uint32_t>(i));
      escaped.push_back(std::exchange(differences_[i], 0));
    }
  }

  void put_values(std::string& bytes, ValueKind kind) const {
    switch (kind) {
      case ValueKind::kOnes:
        return;
      case ValueKind::kInt8:
        return soba::put_values<std::int8_t>(bytes, values_);
      case ValueKind::kInt16:
        return soba::put_values<std::int16_t>(bytes, values_);
      case ValueKind::kFloat:
        return soba::put_values<float>(bytes, values_);
      case ValueKind::kDouble:
        return soba::put_values<double>(bytes, values_);
    }
  }

  std::string footer() {
    const std::vector<std::string> features = feature_names();
    const std::vector<std::string> columns = raw() ? schema_.columns : std::vector<std::string>();
    const std::vector<std::int32_t> text_columns =
        raw() ? schema_.text_columns : std::vector<std::int32_t>();
    totals_.blocks = static_cast<std::uint32_t>(places_.size());
    totals_.labels = static_cast<std::uint32_t>(schema_.labels.size());
    totals_.features = static_cast<std::uint32_t>(features.size());
    totals_.columns = static_cast<std::uint32_t>(columns.size());
    totals_.text_columns = static_cast<std::uint32_t>(text_columns.size());
    std::string bytes;
    put(bytes, totals_);
    for (const CachePlace& place : places_) put(bytes, place);
    for (const std::int32_t column : text_columns) put(bytes, column);
    for (const auto* names : {&schema_.labels.names(), &features, &columns}) {
      put_names(bytes, *names);
    }
    if (keeps_rules()) put_rules(bytes);
    return bytes;
  }

  // Columns, and words for them, say how text becomes raw features; examples that were prepared are
  // raw no more.
  bool raw() const {
    return !schema_.bias && schema_.scale == Scale::kNone && schema_.normalize == Normalize::kNone;
  }
  bool keeps_rules() const {
    return raw() && schema_.named_features &&
           (schema_.vocabulary != kVocabulary || !schema_.categorical.empty() ||
            !schema_.ignore.empty() || !schema_.missing.empty() || !schema_.only.empty() ||
            !schema_.dates.empty() || !schema_.text.empty());
  }
  void put_rules(std::string& bytes) const {
    for (const auto* names : {&schema_.categorical, &schema_.ignore, &schema_.missing,
                              &schema_.only, &schema_.dates, &schema_.text}) {
      put(bytes, static_cast<std::uint32_t>(names->size()));
      put_names(bytes, *names);
    }
    const std::uint32_t flags = (schema_.bigrams ? 1U : 0U) | (schema_.tfidf ? 2U : 0U);
    put(bytes,
        CacheValues{schema_.vocabulary, schema_.documents,
                    static_cast<std::uint32_t>(schema_.hash_bits), flags, schema_.idf.size()});
    for (const double weight : schema_.idf) put(bytes, weight);
  }

  std::vector<std::string> feature_names() const {
    NameMap names;
    if (!schema_.named_features) return {};
    const Index features = schema_.features.size() + (schema_.bias ? 1 : 0);
    for (Index j = 0; j < features; ++j) {
      const std::string name = schema_.feature_name(j);
      if (names.add(name) != j) {
        throw Error(ErrorKind::kInput,
                    fmt::format("two features are called {}; rename one of them", shown(name)));
      }
    }
    return names.names();
  }

  std::unique_ptr<ByteSink> sink_;
  const Schema& schema_;
  std::uint64_t written_ = 0;
  CacheCounts totals_{};
  std::vector<CachePlace> places_;
  std::vector<std::uint32_t> labels_, counts_, differences_;  // of the block that is being filled
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Writer> make_cache_writer(std::unique_ptr<ByteSink> sink, const Schema& schema) {
  return std::make_unique<CacheWriter>(std::move(sink), schema);
}

}  // namespace soba
