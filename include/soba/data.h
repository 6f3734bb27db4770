// Data: from a file, standard input or a generator to blocks of examples.
//
//   Source source("covtype.libsvm.xz", options, Schema{});
//   std::unique_ptr<Stream> stream = source.open();
//   while (const Block* block = stream->next()) …
//
// Everything learnt from the data about how to read it (labels, feature names, scaling) is in the
// Schema, which the model file keeps, so that a later run or a decision sees the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soba/options.h"
#include "soba/state.h"
#include "soba/types.h"

namespace soba {

inline constexpr Label kNoLabel = -1;
inline constexpr std::int64_t kVocabulary = 65536, kHashBits = 18;  // defaults of SourceOptions

// A run of examples, stored one after the other. Threads: as a std::vector.
struct Block {
  std::vector<std::size_t> begin{0};  // example i owns the entries begin[i] … begin[i+1]−1
  std::vector<Index> index;           // strictly ascending within an example
  std::vector<double> value;
  std::vector<Label> label;  // kNoLabel where the data has none
  // What a stream learnt while it read the block, beyond Stream::schema() and the blocks before:
  // the names of new features in the order of their numbers (LIBSVM data has none), and the columns
  // of a CSV file that turned out to be text (only where the file cannot be read twice).
  // Schema::extend adds them.
  std::vector<std::string> found;
  std::vector<std::int32_t> found_text_columns;

  std::size_t size() const { return label.size(); }
  Features features(std::size_t i) const {
    const std::size_t count = begin[i + 1] - begin[i];
    return {{index.data() + begin[i], count}, {value.data() + begin[i], count}};
  }
  void append(const Features& x, Label y);  // Requires: x is sparse, or empty
  void clear();
};

// Names ↔ numbers 0, 1, 2, … in the order of addition. Threads: as a std::vector.
class NameMap {
 public:
  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  const std::string& name(std::int32_t id) const { return names_[static_cast<std::size_t>(id)]; }
  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::int32_t> find(std::string_view name) const;
  std::int32_t add(std::string_view name);  // the existing number if the name is known
  // Requires: `name` is not known, id < size().
  void rename(std::int32_t id, std::string_view name);
  void truncate(std::int32_t size);  // takes back the latest names. Requires: size <= size()

  void visit(std::string_view field, StateVisitor& visitor);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> ids_;
};

enum class Scale { kNone, kMaxAbs, kMinMax };
enum class Normalize { kNone, kL2 };

// How raw input becomes examples. Bias takes feature 0 and moves the others up by one.
struct Schema {
  NameMap labels;
  // Named features (CSV, JSON Lines): `columns` has the raw columns, `text_columns` which of them
  // are not numbers. A category is "column=value", a word of free text "column~word", a date
  // "column.day", "column.hour" and "column.weekday=…". LIBSVM data leaves `features` empty: its
  // feature j is index j+1 of the file (index j with `zero_based`).
  NameMap features;
  bool named_features = false;
  bool zero_based = false;
  std::vector<std::string> columns;
  std::vector<std::int32_t> text_columns;
  // As in SourceOptions, with what a first scan found: ids are in `ignore`.
  std::vector<std::string> categorical, ignore, only, dates, text, missing;
  std::int64_t vocabulary = kVocabulary, hash_bits = kHashBits;
  bool bigrams = false, tfidf = false;
  std::int64_t documents = 0;  // tfidf: the examples of the scan,
  std::vector<double> idf;     // and the weight of each raw feature; empty until the scan is done

  Scale scale = Scale::kNone;
  std::vector<double> low;   // for each raw feature, minmax: its minimum; maxabs: 0
  std::vector<double> span;  // what its distance from `low` is divided by; 0 = constant, becomes 0
  Normalize normalize = Normalize::kNone;
  bool bias = false;

  std::string feature_name(Index j) const;  // of an example: "bias", an index or a column
  // Adds what was found with the block. A caller that starts from Stream::schema() and does so with
  // every block always knows the names of the examples that it has, whoever reads ahead.
  void extend(const Block& block);
  void visit(StateVisitor& visitor);
  void save(StateVisitor& visitor) const;  // Requires: !visitor.loading()
};

// Examples in order, a block at a time. Not thread-safe, whether it reads ahead or not.
class Stream {
 public:
  virtual ~Stream() = default;
  // The next block, never empty, valid until the next call; null at the end.
  // Throws Error{kInput} at the first bad line (file:line:column, the text, what was expected).
  virtual const Block* next() = 0;
  virtual const Schema& schema() const = 0;  // known when it was opened; does not change
  // The classes, and the features known before the first example: what a new learner starts with.
  // The same for the same data, whether it is read from a Source or played from memory.
  virtual Shape shape() const = 0;
};

// The formats that data is read and written in: libsvm, csv, jsonl and cache.
std::span<const std::string_view> data_formats();
// The one that the name of a file says, .gz, .xz and .zst left aside; nothing where it says none.
std::optional<std::string_view> format_of_name(std::string_view path, bool writing);

// How DATA is read. All but the last four members are options that people give, by their names
// (source_option_specs).
struct SourceOptions {
  std::string format = "auto";     // auto, or one of data_formats()
  std::string label = "label";     // the column or key that holds the label
  bool no_header = false;          // CSV: the first line is an example, and columns are 1, 2, …
  std::string separator = "auto";  // CSV: auto, comma, tab, semicolon, pipe, space or a character
  std::string encoding = "utf8";   // of text: utf8 or latin1
  // Columns or keys, by name or number; and words for a missing value (see source_option_specs).
  std::vector<std::string> ignore, only, categorical, dates, text, missing;
  std::int64_t vocabulary = kVocabulary;  // features of a column of categories; the rest share one
  std::int64_t hash_bits = kHashBits;     // free text has at most 2^hash_bits features
  bool bigrams = false;                   // of free text: pairs of neighbouring words, too
  std::string text_weight = "tf";         // tf, or tfidf, which takes a first scan
  bool zero_based = false;                // LIBSVM indices start at 0
  std::vector<std::string> labels;        // the label set; or
  std::string labels_file;         // a file that says it, one label a line, read into `labels`; or
  std::int64_t classes = 0;        // labels 1 … N; 0 = as in `labels`
  std::string scale = "none";      // none, maxabs or minmax: see Scale
  std::string normalize = "none";  // none or l2
  bool bias = false;
  std::optional<std::uint64_t> shuffle;  // seed of the order of the examples (anew in every pass)
  std::int64_t limit = 0;                // examples at most, after the shuffle; 0 = all
  std::int64_t passes = 1;
  bool skip_bad = false;  // leave out bad lines, and count them

  bool need_size = false;   // the number of examples and features must be known before round 1
  bool need_labels = true;  // the label set must be known before round 1, and every example has one
  bool add_labels = false;  // those that the schema lacks are added to it, by a first scan
  std::uint64_t data_seed = 1;  // for a generator whose text names no seed
};

// In the order in which they are shown; groups: reading, labels, preparation, order, bad lines.
std::vector<OptionSpec> source_option_specs();
// Throws Error{kUsage} on an unknown option, a value that is not accepted, or options that exclude
// each other, and Error{kInput} where labels_file cannot be read.
SourceOptions parse_source_options(const OptionValues& given);
// The options with their values; parse_source_options takes them back.
OptionValues source_option_values(const SourceOptions& options);
// The options for data that is played with a loaded model, whose schema says labels and
// preparation. Throws Error{kUsage} where a given option contradicts it, and as
// parse_source_options does.
SourceOptions source_options_for(const OptionValues& given, const Schema& schema);

// The schema of a model that is taught with named values. Throws Error{kUsage} on tfidf.
Schema schema_of(const SourceOptions& options);

// When a stream reads its next block: when asked for it, or ahead, on a thread of its own, while
// the caller works on the blocks before. The blocks are the same. A pipe is always read in turn.
enum class Reading { kInTurn, kAhead };

// One DATA argument, opened: a path, "-" for standard input, or a generator such as
// "synnonsep:n=1000000,seed=1,noise=0.05". Not thread-safe: see open().
class Source {
 public:
  // Reads as much as must be known before round 1: nothing where `schema` or the options already
  // say it, else a first scan. Throws Error{kUsage} on a bad specification, Error{kInput} on bad
  // data. `schema` is the one of a loaded model, or empty.
  Source(const std::string& data, const SourceOptions& options, Schema schema);
  ~Source();
  Source(Source&&) noexcept;

  const Schema& schema() const;  // grows while a stream is read, as features are discovered
  Shape shape() const;           // classes, and the features known so far (bias included)
  std::optional<std::int64_t> rounds() const;  // that open() will give, where known before reading
  std::int64_t skipped() const;       // bad lines left out so far (skip_bad), in the latest pass
  std::string first_skipped() const;  // the place and reason of the first of them; empty if none
  // The data argument with everything that a repetition needs, such as a generator's seed.
  std::string description() const;
  const SourceOptions& options() const;
  bool fresh() const;  // the data defines the schema: there was none
  // What the first scan took columns for and what becomes of them, a sentence each.
  const std::vector<std::string>& findings() const;

  // The examples: shuffled, limited and repeated as the options say. One stream at a time. With
  // kAhead the Source is that stream's until it is at its end, has thrown, or is gone.
  std::unique_ptr<Stream> open(Reading reading = Reading::kInTurn);

  class Impl;  // src/data/source.h

 private:
  friend struct Survey survey(Source& source);  // looks at cells, too
  std::unique_ptr<Impl> impl_;
};

// The order in which examples in memory are played.
struct Order {
  std::optional<std::uint64_t> shuffle;  // as in SourceOptions
  std::int64_t limit = 0;
  std::int64_t passes = 1;
};

// All examples of one DATA argument in memory: read once, unchanging since, so that any number of
// threads can play them at the same time, each in an order of its own.
class Examples {
 public:
  // Reads everything; shuffle, limit and passes of the options are left to open(). Throws as Source
  // does.
  Examples(const std::string& data, const SourceOptions& options);

  const Schema& schema() const { return schema_; }
  Shape shape() const { return shape_; }
  const std::string& description() const { return description_; }  // as Source::description
  std::int64_t size() const { return static_cast<std::int64_t>(all_.size()); }
  // Of the labels' names and of every example as it is played: other data, another number.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // What a Source with this order would give, as long as these examples live.
  std::unique_ptr<Stream> open(const Order& order) const;
  std::int64_t rounds(const Order& order) const;

 private:
  Schema schema_;
  Shape first_shape_, shape_;
  std::string description_;
  Block all_;
  std::uint64_t fingerprint_ = 0;
};

// Writes examples in one of data_formats(). Not thread-safe.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void write(const Features& x, Label label) = 0;
  virtual void finish() = 0;  // flushes; for a file, replaces the old one
};
// Path "-" is standard output; .gz, .xz and .zst compress. CSV needs the features known up front.
std::unique_ptr<Writer> open_writer(const std::string& path, const std::string& format,
                                    const Schema& schema, Index features);

struct Converted {
  std::int64_t examples = 0;
  std::int64_t values = 0;  // entries written
};
// Writes everything that source.open() gives, and finishes the writer. Requires: the writer was
// opened with source.schema().
Converted convert(Source& source, Writer& writer);

}  // namespace soba
