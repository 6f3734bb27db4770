// The quick way to read a line: it knows only lines such as nearly all are, and explains nothing.
#include "data/formats/libsvm/libsvm.h"

#include <algorithm>
#include <utility>

#include "data/bytes/text.h"
#include "data/formats/libsvm/entries.h"
#include "data/formats/libsvm/short_entries.h"

namespace soba {

namespace {

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
    if (std::all_of(line.data(), end, is_blank)) continue;
    return parse(line, row, error) ? RowStatus::kRow : RowStatus::kBad;
  }
}

const char* LibsvmReader::parse_plain(const char* text, Row& row) {
  static_assert(kShortReach <= LineReader::kPadding);
  const char* p = text;
  while (is_label_character(*p)) ++p;
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

}  // namespace soba
