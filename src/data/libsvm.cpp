#include "data/libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <future>

#include "data/digits.h"
#include "data/schema.h"
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

// An index of 1 to 7 digits with its colon. In ascending order most indices are as long as the one
// before: a guess that the processor can run ahead on, where a computed length would make each
// index wait for the one before it.
class IndexScanner {
 public:
  // Returns the place of the colon, or null.
  const char* scan(const char* p, std::int32_t& index) {
    const std::uint64_t word = load_word(p);
    const std::uint64_t strangers = marked_strangers(word);
    if ((strangers & looked_at_) != expected_) [[unlikely]] {
      const auto digits = static_cast<unsigned>(std::countr_zero(strangers)) / 8;
      if (digits == 0 || digits > 7) return nullptr;
      digits_ = digits;
      expected_ = std::uint64_t{0x80} << (8 * digits);
      looked_at_ = expected_ | (expected_ - 1);
    }
    index = static_cast<std::int32_t>(digits_ <= 4 ? few_digits_value(word, digits_)
                                                   : digits_value(word, digits_));
    return p[digits_] == ':' ? p + digits_ : nullptr;
  }

 private:
  unsigned digits_ = 1;
  std::uint64_t expected_ = 0x8000, looked_at_ = 0xFFFF;
};

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
  const char* p = text;
  while (is_plain(*p)) ++p;
  if (p == text || *p == ':') return nullptr;
  row.has_label = true;
  row.label = {text, static_cast<std::size_t>(p - text)};
  label_column_ = 1;
  // An index of seven digits is never too large, so that only their order is looked at.
  static_assert(kMaxFeatures - 1 > 9'999'999);
  const std::int32_t base = schema_.zero_based ? 0 : 1;
  std::int32_t last = base - 1;
  IndexScanner scanner;
  std::size_t count = 0;
  std::size_t room = std::min(row.index.capacity(), row.value.capacity());
  row.index.resize(room);
  row.value.resize(room);
  // Not through the vectors: the compiler would look up their places again after each store.
  Index* index = row.index.data();
  double* values = row.value.data();
  for (;;) {
    if (count == room) [[unlikely]] {
      room = std::max<std::size_t>(64, 2 * room);
      row.index.resize(room);
      row.value.resize(room);
      index = row.index.data();
      values = row.value.data();
    }
    std::int32_t number = 0;
    const char* const colon = *p == ' ' ? scanner.scan(p + 1, number) : nullptr;
    if (colon == nullptr) break;
    if (number <= last) return nullptr;
    last = number;
    index[count] = number - base;
    if (colon[1] >= '1' && colon[1] <= '9' && static_cast<unsigned char>(colon[2]) <= ' ') {
      values[count++] = colon[1] - '0';
      p = colon + 2;
      continue;
    }
    p = scan_plain_number(colon + 1, values[count]);
    if (p == nullptr) return nullptr;
    count += values[count] != 0;
  }
  p = after_line_end(p);
  if (p == nullptr || static_cast<std::size_t>(p - text) > lines_.max_line()) return nullptr;
  row.index.resize(count);
  row.value.resize(count);
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

// One more than the last feature of the line whose label ends at `label_end`; 0 without features.
std::optional<Index> last_extent(std::string_view line, std::size_t label_end,
                                 const Schema& schema) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) {
    const bool label_only = line.find_first_not_of(' ', label_end) == std::string_view::npos;
    return label_only ? std::optional<Index>(0) : std::nullopt;
  }
  // A zero is no feature. Written with an exponent it passes here, and counts: no harm done.
  if (line.find_first_of("123456789", colon) == std::string_view::npos) return std::nullopt;
  std::size_t begin = colon;
  while (is_digit(line[begin - 1])) --begin;  // a plain label is before it
  std::int64_t index = 0;
  const char* const end = line.data() + colon;
  const auto [stop, code] = std::from_chars(line.data() + begin, end, index);
  const std::int64_t extent = index + (schema.zero_based ? 1 : 0);
  // Where indices are in any order, the first of a line is sooner or later above the last.
  std::int64_t first = 0;
  std::from_chars(line.data() + label_end + 1, end, first);
  if (line[begin - 1] != ' ' || stop != end || code != std::errc() || extent < 1 ||
      extent > raw_feature_limit(schema) || first > index) {
    return std::nullopt;
  }
  return static_cast<Index>(extent);
}

}  // namespace

std::optional<Scan> glance_libsvm(std::unique_ptr<ByteSource> bytes, const Schema& schema) {
  LineReader lines(std::move(bytes));
  Scan found;
  LabelMemory memory;
  RowError error;
  for (;;) {
    std::string_view line = lines.ahead();
    if (line.empty()) {
      const RowStatus status = lines.next(line, error);
      if (status == RowStatus::kEnd) return found;
      if (status == RowStatus::kBad) return std::nullopt;
    } else {
      line = line.substr(0, line.find('\n'));
      lines.take(line.size() + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
    }
    if (line.find('#') != std::string_view::npos) return std::nullopt;
    std::size_t end = 0;
    while (end < line.size() && is_plain(line[end])) ++end;
    if (end == 0 || (end < line.size() && line[end] != ' ')) return std::nullopt;
    const std::optional<Index> extent = last_extent(line, end, schema);
    if (!extent) return std::nullopt;
    ++found.examples;
    found.extent = std::max(found.extent, *extent);
    const std::string_view label = line.substr(0, end);
    if (!memory.find(found.labels, label)) found.labels.add(label);
    if (found.labels.size() > kMaxClasses) return std::nullopt;
  }
}

namespace {

// Where the first line behind the middle of a file starts; 0 where it is not worth it.
std::uint64_t middle_line(const Input& input, std::uint64_t size) {
  constexpr std::uint64_t kLarge = std::uint64_t{4} << 20, kNear = std::uint64_t{64} << 10;
  if (size < kLarge) return 0;
  const std::string text = read_up_to(*input.open_part(size / 2, size / 2 + kNear), kNear);
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? 0 : size / 2 + end + 1;
}

}  // namespace

std::optional<Scan> glance_libsvm(Input& input, const Schema& schema) {
  const std::optional<std::uint64_t> size = input.plain_size();
  const std::uint64_t middle = size ? middle_line(input, *size) : 0;
  if (middle == 0) return glance_libsvm(input.open(), schema);
  // Where no thread is to be had, the second half waits for the first.
  std::future<std::optional<Scan>> second = std::async(
      std::launch::async, [&] { return glance_libsvm(input.open_part(middle, *size), schema); });
  std::optional<Scan> all = glance_libsvm(input.open_part(0, middle), schema);
  const std::optional<Scan> rest = second.get();
  if (!all || !rest) return std::nullopt;
  all->examples += rest->examples;
  all->extent = std::max(all->extent, rest->extent);
  for (const std::string& label : rest->labels.names()) all->labels.add(label);
  return all;
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
    return fail(at, end, "expected an index from 1 on (use --zero-based if indices start at 0)",
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
