// What is behind a Source: the origin of the examples, what is known about them, and their streams.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/origin.h"
#include "data/rows.h"
#include "data/stream.h"
#include "soba/data.h"

namespace soba {

// Input that cannot be read again is kept in memory up to this size, decompressed.
inline constexpr std::size_t kBufferedBytes = std::size_t{64} << 20;

// A stream refers to it, and therefore it must stay in its place.
class Source::Impl {
 public:
  // See Source::Source.
  Impl(Origin origin, const SourceOptions& options, Schema schema);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const Schema& schema() const { return schema_; }
  const SourceOptions& options() const { return options_; }
  bool fresh() const { return fresh_; }
  const std::string& description() const { return origin_.description(); }
  const std::string& name() const { return origin_.name(); }
  const Synthetic* synthetic() const { return origin_.synthetic(); }
  const BadRows& bad_rows() const { return bad_; }
  ColumnNotes& notes() { return notes_; }
  const std::vector<std::string>& findings() const { return findings_; }
  Shape shape() const;
  // What shape() said before a stream was opened.
  Shape first_shape() const { return first_shape_; }
  std::optional<std::int64_t> rounds() const;

  std::unique_ptr<Stream> open(Reading reading = Reading::kInTurn);

  // For streams: all rows once more, from the first on.
  GoodRows open_rows();
  // For streams: a raw example with features below `extent` was met.
  void note(Index extent) { extent_ = std::max(extent_, extent); }
  // For streams of a cache: the same, for features of its numbers.
  void note_cached(Index extent);
  // For streams: a pass gave no example at all.
  [[noreturn]] void fail_empty() const;
  // The bad lines that were left out, in brackets; empty where there were none.
  std::string left_out() const;
  // For shuffled streams: all examples, read at the first call.
  const Block& all_examples();
  // The same for a caller who keeps them.
  Block read_all();

 private:
  void adopt_settings();
  void adopt_columns(bool named, const CacheFile* cache);
  void adopt_labels();
  void make_readable_twice(bool scan_labels, bool scan_ranges);
  void adopt_cache(const CacheFile& cache, bool scan_labels, bool scan_ranges);
  void check_columns(const CacheFile& cache) const;
  void learn_labels(const std::vector<std::string>& labels);
  void scan_first(bool scan_labels, bool scan_ranges);
  // What the columns or keys of a file hold. Columns: `scan_labels` becomes false where labels are
  // known then. Keys: true where nothing more need be read.
  void discover_columns(bool& scan_labels);
  bool discover_keys(bool scan_labels, bool scan_ranges, bool scan_size);
  void note_findings();
  // What a scan found of what it was made for.
  void keep(const Scan& found, bool labels, bool ranges);
  bool glance();  // the labels, the quick way; false where all must be read for them
  // Whether all examples of the cache are good ones, and their features those of the schema.
  bool keeps_all(const CacheFile& cache) const;
  std::unique_ptr<BlockStream> open_blocks();
  GoodRows rows(Origin::Use use, const NameMap* labels);

  Origin origin_;
  SourceOptions options_;
  Schema schema_;
  bool fresh_;  // no model: the data define the schema
  std::optional<std::int64_t> examples_;
  Index extent_ = 0;  // of the raw features met so far
  Shape first_shape_{};
  BadRows bad_;
  ColumnNotes notes_;
  std::vector<std::string> findings_;
  std::unique_ptr<Block> all_;
};

}  // namespace soba
