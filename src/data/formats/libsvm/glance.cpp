#include "data/formats/libsvm/glance.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/team.h"
#include "data/bytes/line_ends.h"
#include "data/bytes/lines.h"
#include "data/bytes/text.h"
#include "data/formats/libsvm/libsvm.h"
#include "data/rows.h"
#include "data/schema.h"

namespace soba {

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
    while (end < line.size() && is_label_character(line[end])) ++end;
    if (end == 0 || (end < line.size() && line[end] != ' ')) return false;
    const Index extent = last_extent(line, end, schema_);
    if (extent == kUnclear) return false;
    ++found.examples;
    found.extent = std::max(found.extent, extent);
    const std::string_view label = line.substr(0, end);
    if (memory_.find(found.labels, label) == kNoLabel) add_label(found.labels, label);
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
    for (const std::string& label : piece->labels.names()) add_label(all_->labels, label);
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
    } catch (...) {  // the full reading meets it again
      found.add(std::nullopt);
    }
  });
  return found.take();
}

}  // namespace soba
