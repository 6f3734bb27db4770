#include "data/formats/cache/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/formats/cache/differences.h"

namespace soba {

namespace {

// Calls decode with a value of the unsigned type of that width. Requires: width is 1, 2 or 4.
template <class Decode>
auto with_width(std::uint8_t width, Decode&& decode) {
  if (width == 1) return decode(std::uint8_t{});
  if (width == 2) return decode(std::uint16_t{});
  return decode(std::uint32_t{});
}

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

// The functions below return what is wrong with a column, or null.

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
  return good ? nullptr : "a label out of range";
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
  // Behind the last differences there is a footer.
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
  const std::uint64_t most =
      escapes > 0 ? add_up(reinterpret_cast<const char*>(out.data()), 4, begin, out.data())
                  : add_up(differences, sizeof(Difference), begin, out.data());
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

}  // namespace

const char* decode_block(const CacheBlockHeader& header, std::string_view bytes,
                         const CacheLimits& limits, CacheBlock& block) {
  Block& out = block.examples;
  const Columns columns(header, bytes);
  const char* wrong = with_width(header.count_width, [&](auto width) {
    return read_counts<decltype(width)>(columns.counts, header.entries, out.begin);
  });
  if (wrong != nullptr) return wrong;
  wrong = with_width(header.label_width, [&](auto width) {
    return read_labels<decltype(width)>(columns.labels, limits.unlabelled ? 0 : 1, limits.labels,
                                        out.label);
  });
  if (wrong != nullptr) return wrong;
  wrong = with_width(header.difference_width, [&](auto width) {
    return read_indices<decltype(width)>(columns, limits.extent, block);
  });
  if (wrong != nullptr) return wrong;
  const bool ones = header.values == ValueKind::kOnes;
  if (ones && !block.ones) out.value.clear();
  block.ones = ones;
  out.value.resize(header.entries, 1);
  return read_values(header.values, columns.values, out.value);
}

}  // namespace soba
