#include "data/libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/team.h"
#include "data/entries.h"
#include "data/line_ends.h"
#include "data/schema.h"
#include "data/short_entries.h"
#include "data/text.h"

namespace soba {

namespace {

std::string_view token_at(const char* p, const char* end) {
  const char* stop = p;
  while (stop != end && !is_blank(*stop)) ++stop;
  return {p, static_cast<std::size_t>(stop - p)};
}

const char* skip_blanks(const char* p, const char* end) {
  while (p != end && is_blank(*p)) ++p;
  return p;
}

// Whether a character is of a label such as nearly all are: no comment, no blank, no feature.
bool is_plain(char c) { return static_cast<unsigned char>(c) > ' ' && c != ':' && c != '#'; }

// Where the next line starts, if this one ends at p, or after a single blank at p; else null.
const char* after_line_end(const char* p) {
  if (*p == ' ') ++p;
  if (*p == '\r') ++p;
  return *p == '\n' ? p + 1 : nullptr;
}

}  // namespace

LibsvmReader::LibsvmReader(std::unique_ptr<ByteSource> bytes, const Schema& schema,
                           bool need_labels)
    : lines_(std::move(bytes)), schema_(schema), need_labels_(need_labels) {}

RowStatus LibsvmReader::next(Row& row, RowError& error) {
  if (const std::string_view text = lines_.ahead(); !text.empty()) {
    const char* const end = parse_plain(text.data(), row);
    if (end != nullptr) {
      lines_.take(static_cast<std::size_t>(end - text.data()));
      row.line = lines_.number();
      return RowStatus::kRow;
    }
  }
  std::string_view line;
  for (;;) {
    const RowStatus status = lines_.next(line, error);
    if (status != RowStatus::kRow) return status;
    line_begin_ = line.data();
    line = line.substr(0, line.find('#'));
    const char* const end = line.data() + line.size();
    if (skip_blanks(line.data(), end) == end) continue;
    return parse(line, row, error) ? RowStatus::kRow : RowStatus::kBad;
  }
}

const char* LibsvmReader::parse_plain(const char* text, Row& row) {
  static_assert(kShortReach <= LineReader::kPadding);
  const char* p = text;
  while (is_plain(*p)) ++p;
  if (p == text || *p == ':') return nullptr;
  row.has_label = true;
  row.label = {text, static_cast<std::size_t>(p - text)};
  label_column_ = 1;
  const std::int32_t base = schema_.zero_based ? 0 : 1;
  IndexScanner indices;
  Entries entries;
  entries.last = base - 1;
  bool short_ones = true;  // seem to follow
  for (;;) {
    if (entries.count + kShortRoom > entries.room) [[unlikely]]
      entries.make_room(row);
    if (short_ones && may_be_short(p)) p = take_short_entries(p, base, entries);
    if (*p != ' ') break;
    std::int32_t number = 0;
    const char* const colon = indices.scan(p + 1, number);
    if (colon == nullptr) break;
    if (number <= entries.last) return nullptr;
    entries.last = number;
    entries.index[entries.count] = number - base;
    p = scan_plain_number(colon + 1, entries.value[entries.count]);
    if (p == nullptr) return nullptr;
    entries.count += entries.value[entries.count] != 0;
    short_ones = p - colon == 2;
  }
  p = after_line_end(p);
  if (p == nullptr || static_cast<std::size_t>(p - text) > lines_.max_line()) return nullptr;
  row.index.resize(entries.count);
  row.value.resize(entries.count);
  return p;
}

bool LibsvmReader::parse(std::string_view line, Row& row, RowError& error) {
  row.clear();
  row.line = lines_.number();
  const char* const end = line.data() + line.size();
  const char* p = parse_label(skip_blanks(line.data(), end), end, row, error);
  if (p == nullptr) return false;

  const std::int64_t base = schema_.zero_based ? 0 : 1;
  const std::int64_t limit = raw_feature_limit(schema_);
  std::int64_t last = -1;
  bool ascending = true;
  for (p = skip_blanks(p, end); p != end; p = skip_blanks(p, end)) {
    const char* const start = p;
    std::int64_t index = 0;
    while (p != end && is_digit(*p) && index <= limit) index = index * 10 + (*p++ - '0');
    const std::int64_t feature = index - base;
    if (p == start || feature < 0 || feature >= limit || p == end || *p != ':') {
      return fail_index(start, end, error);
    }
    double value = 0;
    const char* const stop = scan_number(++p, end, value);
    if (stop == nullptr || (stop != end && !is_blank(*stop))) {
      return fail(p, end, "expected a number after ':'", error);
    }
    p = stop;
    if (feature == last) {
      return fail(start, end, fmt::format("index {} appears twice", index), error);
    }
    ascending = ascending && feature > last;
    last = feature;
    row.index.push_back(static_cast<Index>(feature));
    row.value.push_back(value);
  }
  if (!ascending) {
    if (const auto place = sorter_.sort(row)) return fail_repeated(line, row, *place, error);
  }
  // Only now, so that a repeated index is found even where its value is zero.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.index.size(); ++i) {
    row.index[kept] = row.index[i];
    row.value[kept] = row.value[i];
    kept += row.value[i] != 0;
  }
  row.index.resize(kept);
  row.value.resize(kept);
  return true;
}

const char* LibsvmReader::parse_label(const char* p, const char* end, Row& row, RowError& error) {
  const std::string_view token = token_at(p, end);
  if (token.find(':') != std::string_view::npos) {
    if (!need_labels_) return p;
    fail(p, end, "expected a label before the first feature", error);
    return nullptr;
  }
  row.has_label = true;
  row.label = token;
  label_column_ = p - line_begin_ + 1;
  return p + token.size();
}

namespace {

// The number at `place`, or one too large for an index; 0 where there is none.
std::int64_t index_at(std::string_view line, std::size_t place) {
  std::int64_t index = 0;
  for (; is_digit(line[place]) && index <= kMaxFeatures; ++place) {
    index = index * 10 + (line[place] - '0');
  }
  return index;
}

constexpr Index kUnclear = -1;

// One more than the last feature of the line whose label ends at `label_end`; 0 without features,
// kUnclear where the line is not plain enough to tell.
Index last_extent(std::string_view line, std::size_t label_end, const Schema& schema) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) {
    const bool label_only = line.find_first_not_of(' ', label_end) == std::string_view::npos;
    return label_only ? 0 : kUnclear;
  }
  // A zero is no feature. Written with an exponent it passes here, and counts: no harm done.
  const auto counts = [](char c) { return c >= '1' && c <= '9'; };
  if (std::none_of(line.begin() + static_cast<std::ptrdiff_t>(colon), line.end(), counts)) {
    return kUnclear;
  }
  std::size_t begin = colon;
  while (is_digit(line[begin - 1])) --begin;  // a plain label is before it
  const std::int64_t index = index_at(line, begin);
  const std::int64_t extent = index + (schema.zero_based ? 1 : 0);
  // Where indices are in any order, the first of a line is sooner or later above the last.
  if (begin == colon || line[begin - 1] != ' ' || extent < 1 ||
      extent > raw_feature_limit(schema) || index_at(line, label_end + 1) > index) {
    return kUnclear;
  }
  return static_cast<Index>(extent);
}

// What the lines that were glanced at have told.
class Glance {
 public:
  explicit Glance(const Schema& schema) : schema_(schema) {}

  // False where a line, without its end, tells nothing. Requires: no comment in it.
  bool see(std::string_view line) {
    std::size_t end = 0;
    while (end < line.size() && is_plain(line[end])) ++end;
    if (end == 0 || (end < line.size() && line[end] != ' ')) return false;
    const Index extent = last_extent(line, end, schema_);
    if (extent == kUnclear) return false;
    ++found.examples;
    found.extent = std::max(found.extent, extent);
    const std::string_view label = line.substr(0, end);
    if (memory_.find(found.labels, label) == kNoLabel) found.labels.add(label);
    return found.labels.size() <= kMaxClasses;
  }

  // The same for the lines that are here already, which are taken.
  bool see_ahead(LineReader& lines) {
    const std::string_view text = lines.ahead();
    std::size_t begin = 0;
    for (std::size_t from = 0; from < text.size(); from += LineEnds::kWindow) {
      find_line_ends(text.substr(from, LineEnds::kWindow), ends_);
      if (ends_.has_comment) return false;
      for (std::size_t i = 0; i < ends_.count; ++i) {
        const std::size_t end = from + ends_.place[i];
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!see(line)) return false;
        lines.take(end + 1 - begin);
        begin = end + 1;
      }
    }
    return true;
  }

  Scan found;

 private:
  const Schema& schema_;
  LabelMemory memory_;
  LineEnds ends_;
};

}  // namespace

std::optional<Scan> glance_libsvm(std::unique_ptr<ByteSource> bytes, const Schema& schema) {
  LineReader lines(std::move(bytes));
  Glance glance(schema);
  for (;;) {
    if (!glance.see_ahead(lines)) return std::nullopt;
    RowError error;
    std::string_view line;
    const RowStatus status = lines.next(line, error);
    if (status == RowStatus::kEnd) return std::move(glance.found);
    if (status == RowStatus::kBad || line.find('#') != std::string_view::npos ||
        !glance.see(line)) {
      return std::nullopt;
    }
  }
}

namespace {

// Where the pieces of a file begin, each of whole lines, and where the last of them ends.
std::vector<std::uint64_t> piece_bounds(const Input& input, std::uint64_t size) {
  constexpr std::uint64_t kNear = std::uint64_t{64} << 10;
  std::vector<std::uint64_t> bounds = {0};
  for (std::uint64_t at = kGlancePiece; at < size; at += kGlancePiece) {
    const std::string text = read_up_to(*input.open_part(at, at + kNear), kNear);
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) continue;
    // A piece that starts with a mark would lose it.
    const std::string_view next = std::string_view(text).substr(end + 1);
    if (next.size() < kByteOrderMark.size() || next.starts_with(kByteOrderMark)) continue;
    bounds.push_back(at + end + 1);
  }
  bounds.push_back(size);
  return bounds;
}

// What the pieces have told together; of two threads.
class PiecesFound {
 public:
  bool in_vain() const {
    const std::lock_guard lock(mutex_);
    return !all_;
  }

  // A piece that tells nothing makes all of it tell nothing.
  void add(const std::optional<Scan>& piece) {
    const std::lock_guard lock(mutex_);
    if (!all_ || !piece) {
      all_.reset();
      return;
    }
    all_->examples += piece->examples;
    all_->extent = std::max(all_->extent, piece->extent);
    for (const std::string& label : piece->labels.names()) all_->labels.add(label);
    if (all_->labels.size() > kMaxClasses) all_.reset();
  }

  // Requires: no other thread is left.
  std::optional<Scan> take() { return std::move(all_); }

 private:
  mutable std::mutex mutex_;
  std::optional<Scan> all_{std::in_place};
};

}  // namespace

std::optional<Scan> glance_libsvm(Input& input, const Schema& schema) {
  const std::optional<std::uint64_t> size = input.plain_size();
  if (!size || *size <= kGlancePiece) return glance_libsvm(input.open(), schema);
  const std::vector<std::uint64_t> bounds = piece_bounds(input, *size);
  PiecesFound found;
  for_each(Team::of_two().get(), bounds.size() - 1, [&](std::size_t i) {
    if (found.in_vain()) return;
    try {
      found.add(glance_libsvm(input.open_part(bounds[i], bounds[i + 1]), schema));
    } catch (...) {  // whoever reads all meets it again
      found.add(std::nullopt);
    }
  });
  return found.take();
}

bool LibsvmReader::fail(const char* at, const char* end, std::string_view expected,
                        RowError& error) const {
  const std::string_view found = token_at(at, end);
  error = {lines_.number(), at - line_begin_ + 1,
           fmt::format("{}, found {}", expected, found.empty() ? "nothing" : shown(found))};
  return false;
}

bool LibsvmReader::fail_index(const char* at, const char* end, RowError& error) const {
  const std::string_view token = token_at(at, end);
  const std::size_t digits = token.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || token[digits] != ':') {
    return fail(at, end, "expected index:value", error);
  }
  if (token.substr(0, digits).find_first_not_of('0') == std::string_view::npos) {
    return fail(at, end, "expected an index from 1 on (option 'zero-based' reads indices from 0 on)",
                error);
  }
  return fail(at, end,
              fmt::format("expected an index up to {}",
                          raw_feature_limit(schema_) - (schema_.zero_based ? 1 : 0)),
              error);
}

bool LibsvmReader::fail_repeated(std::string_view line, const Row& row, std::size_t place,
                                 RowError& error) const {
  const char* const end = line.data() + line.size();
  const char* p = skip_blanks(line.data(), end);
  if (row.has_label) p = skip_blanks(p + token_at(p, end).size(), end);
  for (; place > 0; --place) p = skip_blanks(p + token_at(p, end).size(), end);
  const std::string_view token = token_at(p, end);
  return fail(p, end, fmt::format("index {} appears twice", token.substr(0, token.find(':'))),
              error);
}

}  // namespace soba
