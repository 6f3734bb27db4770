#include "data/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/bytes/text.h"
#include "data/formats/cache/cache.h"
#include "data/formats/cache/stream.h"
#include "data/preparation.h"
#include "data/scan.h"
#include "data/schema.h"
#include "data/source_options.h"
#include "data/stream.h"
#include "soba/error.h"

namespace soba {

Source::Impl::Impl(Origin origin, const SourceOptions& options, Schema schema)
    : origin_(std::move(origin)),
      options_(options),
      schema_(std::move(schema)),
      fresh_(schema_.labels.size() == 0 && schema_.features.size() == 0 &&
             schema_.columns.empty() && schema_.span.empty()) {
  read_labels_file(options_);
  check_source_options(options_);
  adopt_settings();
  adopt_labels();
  const bool scan_labels =
      options_.need_labels && (schema_.labels.size() == 0 || options_.add_labels);
  const bool scan_ranges = fresh_ && schema_.scale != Scale::kNone;
  make_readable_twice(scan_labels, scan_ranges);
  scan_first(scan_labels, scan_ranges);
  first_shape_ = shape();
}

void Source::Impl::adopt_settings() {
  if (origin_.format() != Format::kCsv && (options_.no_header || options_.separator != "auto")) {
    throw Error(ErrorKind::kUsage, options_.no_header ? "no-header" : "separator",
                name() + ": is not CSV");
  }
  const CacheFile* const cache = origin_.cache();
  const bool named = origin_.format() == Format::kCsv || origin_.format() == Format::kJsonl ||
                     (cache != nullptr && cache->named());
  // A cache of indices knows where they start.
  const bool numbered = cache != nullptr && !named;
  if (fresh_) {
    schema_.named_features = named;
    schema_.zero_based = numbered ? cache->zero_based() : options_.zero_based;
    if (options_.zero_based && !schema_.zero_based) {
      throw Error(ErrorKind::kUsage, "zero-based",
                  fmt::format("the indices of {} start at 1; leave the option out", name()));
    }
    schema_.scale = scale_of(options_.scale);
    schema_.normalize = normalize_of(options_.normalize);
    schema_.bias = options_.bias;
    adopt_columns(named, cache);
    return;
  }
  if (schema_.named_features && !named) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: features are indices here, but the model was taught with named "
                            "features; expected CSV or JSON Lines, or a cache made of them",
                            name()));
  }
  if (numbered && cache->zero_based() != schema_.zero_based) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the indices start at {} here, but at {} in the model", name(),
                            cache->zero_based() ? 0 : 1, schema_.zero_based ? 0 : 1));
  }
  options_ = agreeing_options(options_, schema_);
}

void Source::Impl::adopt_columns(bool named, const CacheFile* cache) {
  const auto refuse = [&](const char* option, bool given, const char* why) {
    if (given) throw Error(ErrorKind::kUsage, option, fmt::format("{}: {}", name(), why));
  };
  if (cache != nullptr) {
    const Schema& rules = cache->rules();
    const SourceOptions usual;
    const char* const why =
        "a cache keeps text and columns as they are; give the option to "
        "'soba convert' when it is made";
    // One that says what the cache does is none. Words for a missing value may come later, for
    // those who decide with the model.
    const auto differs = [](const std::vector<std::string>& given,
                            const std::vector<std::string>& kept) {
      return !given.empty() && given != kept;
    };
    refuse("encoding", options_.encoding != "utf8", why);
    const auto unknown = [](const std::vector<std::string>& given,
                            const std::vector<std::string>& kept) {
      return !std::all_of(given.begin(), given.end(),
                          [&](const std::string& name) { return is_among(kept, name); });
    };
    refuse("categorical", differs(options_.categorical, rules.categorical), why);
    refuse("only", differs(options_.only, rules.only), why);
    refuse("ignore", unknown(options_.ignore, rules.ignore), why);
    refuse("dates", unknown(options_.dates, rules.dates), why);
    refuse("text", unknown(options_.text, rules.text), why);
    refuse("missing", !rules.missing.empty() && differs(options_.missing, rules.missing), why);
    refuse("vocabulary",
           options_.vocabulary != usual.vocabulary && options_.vocabulary != rules.vocabulary, why);
    refuse("bigrams", options_.bigrams && !rules.bigrams, why);
    refuse("text-weight", options_.text_weight == "tfidf" && !rules.tfidf, why);
    refuse("hash-bits",
           options_.hash_bits != usual.hash_bits && options_.hash_bits != rules.hash_bits, why);
  }
  if (!named) {
    const char* const why = "features are indices here, and have no columns";
    refuse("categorical", !options_.categorical.empty(), why);
    refuse("ignore", !options_.ignore.empty(), why);
    refuse("only", !options_.only.empty(), why);
    refuse("dates", !options_.dates.empty(), why);
    refuse("text", !options_.text.empty(), why);
    refuse("missing", !options_.missing.empty(), why);
    return;
  }
  take_column_options(options_, schema_);
  if (cache == nullptr) return;
  copy_column_rules(cache->rules(), schema_);
  if (schema_.missing.empty()) schema_.missing = options_.missing;
}

void Source::Impl::adopt_labels() {
  if (schema_.labels.size() > 0) return;
  for (const std::string& label : label_set(options_)) schema_.labels.add(label);
  if (schema_.labels.size() > 0 || synthetic() == nullptr) return;
  for (Label label = 0; label < Synthetic::kClasses; ++label) {
    schema_.labels.add(synthetic_label(label));
  }
}

void Source::Impl::make_readable_twice(bool scan_labels, bool scan_ranges) {
  const bool repeated = options_.passes > 1 && !options_.shuffle;
  const bool words = fresh_ && schema_.tfidf;
  const bool must = scan_labels || scan_ranges || options_.need_size || repeated || words;
  const bool has_columns = fresh_ && schema_.named_features;
  if (origin_.rereadable() || !(must || has_columns) || origin_.buffer(kBufferedBytes)) return;
  if (!must) {
    findings_.push_back(fmt::format(
        "{} is larger than {} MiB and can be read only once: {}", name(), kBufferedBytes >> 20,
        origin_.format() == Format::kCsv
            ? "the first value of a column says whether it holds numbers, and options which hold "
              "ids, dates or free text"
            : "options say which keys hold ids, dates or free text"));
    return;
  }
  const char* why = "the number of examples must be known";
  if (repeated) why = "several passes are wanted";
  if (words) why = "tfidf must see all words";
  if (scan_ranges) why = "scaling must see all values";
  if (scan_labels) why = "the label set must be known";
  throw Error(
      ErrorKind::kInput,
      fmt::format("{}: {} before round 1, but the input can be read only once and is larger than "
                  "{} MiB; {}write it to a file",
                  name(), why, kBufferedBytes >> 20,
                  scan_labels ? "give option 'labels' or 'classes', or " : ""));
}

void Source::Impl::scan_first(bool scan_labels, bool scan_ranges) {
  if (synthetic() != nullptr) {
    examples_ = synthetic()->options().n;
    note(Synthetic::kFeatures);
    if (!scan_ranges) return;
  }
  bool scan_size = options_.need_size;
  if (const CacheFile* const cache = origin_.cache()) {
    adopt_cache(*cache, scan_labels, scan_ranges);
    scan_labels = scan_labels && cache->labels().size() == 0;
    scan_size = scan_size && !examples_;
  }
  if (fresh_ && origin_.rereadable()) {
    if (origin_.format() == Format::kCsv) discover_columns(scan_labels);
    if (origin_.format() == Format::kJsonl && discover_keys(scan_labels, scan_ranges, scan_size)) {
      return;
    }
  }
  const bool scan_words =
      fresh_ && schema_.tfidf && !schema_.text.empty() && origin_.cache() == nullptr;
  if (!scan_labels && !scan_ranges && !scan_size && !scan_words) {
    if (examples_ == 0) fail_empty();
    return;
  }
  if (scan_labels && !scan_ranges && !options_.need_size && glance()) return;
  GoodRows all = rows(Origin::Use::kRead, scan_labels ? nullptr : &schema_.labels);
  keep(scan(all, scan_ranges || scan_words), scan_labels, scan_ranges);
}

void Source::Impl::keep(const Scan& found, bool labels, bool ranges) {
  examples_ = found.examples;
  if (found.examples == 0) fail_empty();
  note(found.extent);
  if (labels) learn_labels(in_natural_order(found.labels.names()));
  if (ranges) found.ranges.fill(schema_, found.examples);
  if (fresh_ && schema_.tfidf && !schema_.text.empty()) {
    found.ranges.fill_idf(schema_, found.examples);
  }
}

// The kinds of CSV columns must be known before features have numbers, so that is a scan of its
// own.
void Source::Impl::discover_columns(bool& scan_labels) {
  GoodRows all = rows(Origin::Use::kDiscover, scan_labels ? nullptr : &schema_.labels);
  const Scan found = scan(all, false);
  note_findings();
  // Rows that turn out bad by their cells are left out, and have no say in what the labels are.
  if (options_.skip_bad && notes_.strays > 0) return;
  examples_ = found.examples;
  if (scan_labels) learn_labels(in_natural_order(found.labels.names()));
  scan_labels = false;
}

// Names come with their values, so a scan that finds nothing but numbers and categories is the only
// one. True where that was so, and it was needed.
bool Source::Impl::discover_keys(bool scan_labels, bool scan_ranges, bool scan_size) {
  GoodRows all = rows(Origin::Use::kDiscover, scan_labels ? nullptr : &schema_.labels);
  const Scan found = scan(all, scan_ranges);
  for (const FoundColumn& key : notes_.found) {
    auto& names = key.guess == Guess::kId     ? schema_.ignore
                  : key.guess == Guess::kDate ? schema_.dates
                                              : schema_.text;
    names.push_back(key.name);
  }
  note_findings();
  const bool plain = notes_.found.empty() && !(schema_.tfidf && !schema_.text.empty());
  if (plain && (scan_labels || scan_ranges || scan_size)) {
    keep(found, scan_labels, scan_ranges);
    return true;
  }
  schema_.features.truncate(0);
  return false;
}

void Source::Impl::note_findings() {
  for (const FoundColumn& column : notes_.found) {
    findings_.push_back(fmt::format("{} '{}' has {}",
                                    origin_.format() == Format::kCsv ? "column" : "key",
                                    column.name, column.text()));
  }
}

bool Source::Impl::glance() {
  // A line that is left out has no say in what the labels are, and only reading it tells whether it
  // is.
  if (options_.skip_bad) return false;
  const std::optional<Scan> found = origin_.glance(schema_);
  if (!found || (found->labels.size() < 2 && schema_.labels.size() == 0)) return false;
  const std::vector<std::string>& labels = found->labels.names();
  if (!std::all_of(labels.begin(), labels.end(), is_utf8)) return false;
  examples_ = found->examples;
  note(found->extent);
  learn_labels(in_natural_order(found->labels.names()));
  return true;
}

// Takes from the cache what a first scan of the text that it was made of would find, and not more,
// so that both are played alike.
void Source::Impl::adopt_cache(const CacheFile& cache, bool scan_labels, bool scan_ranges) {
  if (cache.examples() == 0) fail_empty();
  if (std::max(cache.extent(), cache.features().size()) > raw_feature_limit(schema_)) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: has more than {} features", name(), raw_feature_limit(schema_)));
  }
  if (scan_labels && cache.labels().size() > 0) learn_labels(cache.labels().names());
  if (!fresh_) check_columns(cache);
  const bool scan_all = scan_ranges || options_.need_size;
  if (!cache.named()) {
    if (scan_all || scan_labels) note(cache.extent());
  } else {
    Index known = 0;
    if (fresh_) {
      schema_.columns = cache.columns().names();
      schema_.text_columns = cache.text_columns();
      if (scan_labels || !schema_.columns.empty()) known = cache.first_features();
    }
    if (scan_all && same_features(cache, schema_)) known = cache.features().size();
    add_features(cache, known, schema_);
  }
  if (keeps_all(cache)) examples_ = cache.examples();
}

// As the header of a CSV file is checked: a model that was taught with columns takes no others.
void Source::Impl::check_columns(const CacheFile& cache) const {
  const Schema& rules = cache.rules();
  const auto same = [](std::vector<std::string> a, std::vector<std::string> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  if (!same(rules.dates, schema_.dates) || !same(rules.text, schema_.text) ||
      (!rules.text.empty() &&
       (rules.hash_bits != schema_.hash_bits || rules.bigrams != schema_.bigrams ||
        rules.tfidf != schema_.tfidf || rules.idf != schema_.idf))) {
    throw Error(ErrorKind::kInput,
                name() +
                    ": dates or free text were read otherwise than the model reads them; play "
                    "the file that the cache was made from");
  }
  if (schema_.columns.empty()) return;
  for (const std::string& feature : cache.features().names()) {
    if (is_of_columns(schema_, feature)) continue;
    throw Error(ErrorKind::kInput,
                fmt::format("{}: {}", name(),
                            unknown_name(feature, schema_.columns, "of a column of the model")));
  }
}

bool Source::Impl::keeps_all(const CacheFile& cache) const {
  const auto is_known = [&](const std::string& label) { return !!schema_.labels.find(label); };
  const std::vector<std::string>& labels = cache.labels().names();
  return same_features(cache, schema_) &&
         (!options_.need_labels ||
          (cache.unlabelled() == 0 && std::all_of(labels.begin(), labels.end(), is_known)));
}

void Source::Impl::note_cached(Index extent) {
  note(extent);
  add_features(*origin_.cache(), extent, schema_);
}

void Source::Impl::learn_labels(const std::vector<std::string>& labels) {
  if (labels.empty()) fail_empty();
  if (labels.size() < 2 && schema_.labels.size() == 0) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: expected at least two different labels, but all are {}{}; name "
                            "the label set with option 'labels' or 'classes' if others may come",
                            name(), shown(labels[0]), left_out()));
  }
  for (const std::string& label : labels) schema_.labels.add(label);
}

GoodRows Source::Impl::rows(Origin::Use use, const NameMap* labels) {
  bad_ = {};
  return GoodRows(origin_.open(schema_, options_, fresh_, use, notes_), name(), labels,
                  options_.need_labels, options_.skip_bad ? &bad_ : nullptr);
}

GoodRows Source::Impl::open_rows() { return rows(Origin::Use::kRead, &schema_.labels); }

void Source::Impl::fail_empty() const {
  throw Error(ErrorKind::kInput, name() + ": has no examples" + left_out());
}

std::string Source::Impl::left_out() const {
  if (bad_.count == 0) return "";
  return fmt::format(" ({} left out, the first: {})", counted(bad_.count, "bad line"), bad_.first);
}

Shape Source::Impl::shape() const {
  Index features = std::max(extent_, static_cast<Index>(schema_.span.size()));
  if (schema_.named_features) features = std::max(features, schema_.features.size());
  return {schema_.labels.size(), features + (schema_.bias ? 1 : 0)};
}

std::optional<std::int64_t> Source::Impl::rounds() const {
  if (!examples_) return std::nullopt;
  const std::int64_t each = options_.limit > 0 ? std::min(options_.limit, *examples_) : *examples_;
  std::int64_t rounds = 0;
  if (__builtin_mul_overflow(each, options_.passes, &rounds)) return std::nullopt;
  return rounds;
}

const Block& Source::Impl::all_examples() {
  if (!all_) all_ = std::make_unique<Block>(read_all());
  return *all_;
}

Block Source::Impl::read_all() {
  Block all;
  GoodRows every = open_rows();
  Preparation preparation(schema_);
  Row row;
  Label label = kNoLabel;
  while (every.next(row, label)) {
    note(row.features().extent());
    preparation.append(row.features(), label, all, every.without_zeros());
  }
  if (all.size() == 0) fail_empty();
  examples_ = static_cast<std::int64_t>(all.size());
  return all;
}

std::unique_ptr<Stream> Source::Impl::open(Reading reading) {
  std::unique_ptr<BlockStream> stream = open_blocks();
  // Not from a pipe: nobody could stop a thread that waits for bytes that may never come.
  if (reading == Reading::kAhead && origin_.rereadable()) return read_ahead(std::move(stream));
  return stream;
}

std::unique_ptr<BlockStream> Source::Impl::open_blocks() {
  if (options_.shuffle) return open_shuffled(*this);
  const CacheFile* const cache = origin_.cache();
  return cache != nullptr && keeps_all(*cache) ? open_cache(*this, *cache) : open_sequential(*this);
}

Source::Source(const std::string& data, const SourceOptions& options, Schema schema)
    : impl_(std::make_unique<Impl>(Origin(data, options), options, std::move(schema))) {}
Source::~Source() = default;
Source::Source(Source&&) noexcept = default;

const Schema& Source::schema() const { return impl_->schema(); }
Shape Source::shape() const { return impl_->shape(); }
std::optional<std::int64_t> Source::rounds() const { return impl_->rounds(); }
std::int64_t Source::skipped() const { return impl_->bad_rows().count; }
std::string Source::first_skipped() const { return impl_->bad_rows().first; }
std::string Source::description() const { return impl_->description(); }
const SourceOptions& Source::options() const { return impl_->options(); }
const std::vector<std::string>& Source::findings() const { return impl_->findings(); }
bool Source::fresh() const { return impl_->fresh(); }
std::unique_ptr<Stream> Source::open(Reading reading) { return impl_->open(reading); }

}  // namespace soba
