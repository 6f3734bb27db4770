// The binary cache: examples in columns, a block at a time, for data that is played more than once.
// docs/formats.md describes the bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes/lines.h"
#include "data/bytes/sink.h"
#include "data/formats/cache/format.h"
#include "data/value_features.h"
#include "soba/data.h"

namespace soba {

// Whether a file that starts like this is a cache.
inline bool is_cache(std::string_view head) { return head.starts_with(kCacheMagic); }

// Where blocks are read into, one after the other.
struct CacheBlock {
  Block examples;    // with labels as numbers of CacheFile::labels()
  Index extent = 0;  // one more than the highest feature
  // Every value that `examples` holds is 1, and need not be written again where it stays so.
  bool ones = false;
  std::vector<char> bytes;  // as the file has them
};

// A cache of any version that this program reads, its footer found right. All calls throw
// Error{kInput} that names the file, the place and the reason where the bytes are wrong.
class CacheFile {
 public:
  CacheFile(std::shared_ptr<const RandomBytes> bytes, std::string name);

  std::int64_t examples() const { return static_cast<std::int64_t>(counts_.examples); }
  std::int64_t unlabelled() const { return static_cast<std::int64_t>(counts_.unlabelled); }
  // One more than the highest feature in any example.
  Index extent() const { return static_cast<Index>(counts_.extent); }
  bool named() const { return (flags_ & kCacheNamed) != 0; }
  bool zero_based() const { return (flags_ & kCacheZeroBased) != 0; }
  const NameMap& labels() const { return labels_; }
  const NameMap& features() const { return features_; }  // empty unless named()
  // Of the CSV file that the examples came from, as in Schema; else empty.
  const NameMap& columns() const { return columns_; }
  const std::vector<std::int32_t>& text_columns() const { return text_columns_; }
  // A schema with nothing but what it says of columns and their values, when the cache was made.
  const Schema& rules() const { return rules_; }
  // How many features the text that became the cache has before its first example is read, when
  // it was looked through for labels alone.
  Index first_features() const;

  std::size_t blocks() const { return places_.size(); }
  // Block i into `out`, in the place of what it holds.
  // Any number of threads may call it.
  void read(std::size_t i, CacheBlock& out) const;

 private:
  [[noreturn]] void fail(std::uint64_t offset, const std::string& reason) const;
  void read_header();
  void read_footer();
  void read_places(std::string_view bytes);
  CacheBlockHeader block_header(std::size_t i, std::string_view block) const;

  std::shared_ptr<const RandomBytes> bytes_;
  std::string name_;
  std::uint32_t version_ = 0, flags_ = 0;
  std::uint64_t footer_ = 0;
  CacheCounts counts_{};
  std::vector<CachePlace> places_;
  NameMap labels_, features_, columns_;
  std::vector<std::int32_t> text_columns_;
  Schema rules_;
};

// Whether the features of the file have the same numbers in the schema, as far as both know them.
bool same_features(const CacheFile& file, const Schema& schema);
// Features of the file below `extent` become features of the schema.
// Requires: same_features(file, schema).
void add_features(const CacheFile& file, Index extent, Schema& schema);

class CacheReader : public RowReader {
 public:
  // A row is bad where it has no label and need_labels, or where its features do not fit the
  // schema; its line is the number of the example.
  // Requires: `file` and `schema` outlive the reader.
  CacheReader(const CacheFile& file, Schema& schema, bool need_labels);

  RowStatus next(Row& row, RowError& error) override;
  std::int64_t label_column() const override { return 1; }

 private:
  // The row's features from the file's numbers to the schema's.
  bool rename(Row& row, RowError& error);

  const CacheFile& file_;
  Schema& schema_;
  bool need_labels_;
  bool same_features_;                   // the file's numbers are the schema's
  std::optional<ValueFeatures> values_;  // then
  std::vector<Index> feature_;  // otherwise the schema's number of each, or -1 until it is met
  RowSorter sorter_;
  std::size_t next_block_ = 0;
  CacheBlock block_;
  std::size_t in_block_ = 0;
  std::int64_t number_ = 0;
};

// Requires: `schema` outlives the writer.
std::unique_ptr<Writer> make_cache_writer(std::unique_ptr<ByteSink> sink, const Schema& schema);

}  // namespace soba
