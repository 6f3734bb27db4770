// The careful way to read a line: it takes everything that the format allows, and says what is
// wrong with the rest.
#include <fmt/format.h>

#include "data/bytes/text.h"
#include "data/formats/libsvm/libsvm.h"
#include "data/schema.h"

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

}  // namespace

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
      if (!is_beyond_limit(token_at(p, end))) {
        return fail(p, end, "expected a number after ':'", error);
      }
      return fail(p, end,
                  fmt::format("expected a number from -{0:g} to {0:g} after ':'", kMaxValue),
                  error);
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
    return fail(at, end,
                "expected an index from 1 on (option 'zero-based' reads indices from 0 on)", error);
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
