#include "soba/lab/trace.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "core/atomic_file.h"
#include "data/bytes/input.h"
#include "lab/trace_writer.h"
#include "soba/error.h"
#include "soba/lab/text.h"

namespace soba::lab {

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;
constexpr std::string_view kTraceHeader =
    "round,label,greedy,played,probability,gamma,correct,updated,margin_sum";
constexpr std::string_view kCurveHeader = "round,error,greedy_error,updates";

// The fields of a CSV file that Soba wrote itself, one after the other, and where they stand.
class CsvFile {
 public:
  CsvFile(const std::string& path, std::string_view header) : path_(path) {
    Input input = Input::open_path(path);
    text_ = read_up_to(*input.open(), std::numeric_limits<std::size_t>::max());
    rest_ = text_;
    if (!rest_.starts_with(header) ||
        (rest_.size() > header.size() && rest_[header.size()] != '\n')) {
      fail(fmt::format("expected the header '{}'", header));
    }
    rest_.remove_prefix(std::min(rest_.size(), header.size() + 1));
    line_ = 2;
  }

  bool more() const { return !rest_.empty(); }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", path_, line_, column_, what));
  }

  // The next field of the row; the last one ends the line.
  std::string text(bool last = false) {
    std::string out;
    std::size_t end = 0;
    if (rest_.starts_with('"')) {
      for (end = 1;; ++end) {
        if (end >= rest_.size()) fail("a quotation mark is not closed");
        if (rest_[end] == '"') {
          if (end + 1 >= rest_.size() || rest_[end + 1] != '"') break;
          ++end;
        }
        line_ += rest_[end] == '\n';
        out += rest_[end];
      }
      ++end;
    } else {
      end = std::min(rest_.find_first_of(",\n"), rest_.size());
      out = rest_.substr(0, end);
    }
    const bool at_end = end == rest_.size() || rest_[end] == '\n';
    if (at_end != last || (end < rest_.size() && rest_[end] != '\n' && rest_[end] != ',')) {
      fail(last ? "expected the end of the row" : "expected more fields in the row");
    }
    rest_.remove_prefix(std::min(rest_.size(), end + 1));
    column_ += static_cast<std::int64_t>(end) + 1;
    if (last) {
      ++line_;
      column_ = 1;
    }
    return out;
  }

  template <class Number>
  Number number(Number min, Number max, bool last = false) {
    const std::int64_t line = line_, column = column_;
    const std::string field = text(last);
    Number value{};
    const char* const end = field.data() + field.size();
    const auto [stop, failed] = std::from_chars(field.data(), end, value);
    if (failed != std::errc() || stop != end || !(value >= min && value <= max)) {
      line_ = line;
      column_ = column;
      fail(fmt::format("expected a number from {} to {}, found '{}'", min, max, field));
    }
    return value;
  }
  bool flag() { return number<int>(0, 1) == 1; }
  // The last field of a row, which may be empty.
  std::optional<double> optional_number() {
    if (rest_.empty() || rest_.front() == '\n') {
      text(/*last=*/true);
      return std::nullopt;
    }
    constexpr double kLargest = std::numeric_limits<double>::max();
    return number<double>(-kLargest, kLargest, /*last=*/true);
  }

 private:
  std::string path_, text_;
  std::string_view rest_;
  std::int64_t line_ = 1, column_ = 1;
};

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

struct TraceWriter::Impl {
  explicit Impl(const std::string& path) : file(path) {}
  void flush() {
    file.write({buffer.data(), buffer.size()});
    buffer.clear();
  }

  AtomicFile file;
  fmt::memory_buffer buffer;
  std::vector<std::string> labels;  // as CSV fields
};

TraceWriter::TraceWriter(const std::string& path, const NameMap& labels) : impl_(new Impl(path)) {
  for (const std::string& name : labels.names()) impl_->labels.push_back(csv_field(name));
  fmt::format_to(std::back_inserter(impl_->buffer), "{}\n", kTraceHeader);
}
TraceWriter::~TraceWriter() = default;

void TraceWriter::write(const Played& row) {
  const auto text = [&](Label label) -> const std::string& {
    return impl_->labels[static_cast<std::size_t>(label)];
  };
  const auto out = std::back_inserter(impl_->buffer);
  fmt::format_to(out, "{},{},{},{},{:.17g},{:.17g},{:d},{:d},", row.round, text(row.label),
                 text(row.greedy), text(row.played), row.probability, row.gamma, row.correct,
                 row.updated);
  if (row.margin_sum) fmt::format_to(out, "{:.17g}", *row.margin_sum);
  impl_->buffer.push_back('\n');
  if (impl_->buffer.size() >= kBufferBytes) impl_->flush();
}

void TraceWriter::finish() {
  impl_->flush();
  impl_->file.commit();
}

Trace read_trace(const std::string& path) {
  CsvFile file(path, kTraceHeader);
  Trace out;
  while (file.more()) {
    Played row{};
    row.round = file.number<std::int64_t>(1, kMost);
    row.label = out.labels.add(file.text());
    row.greedy = out.labels.add(file.text());
    row.played = out.labels.add(file.text());
    row.probability = file.number<double>(0, 1);
    row.gamma = file.number<double>(0, 1);
    row.correct = file.flag();
    row.updated = file.flag();
    row.margin_sum = file.optional_number();
    out.rounds.push_back(row);
  }
  return out;
}

void write_curve(const std::string& path, const std::vector<Tally>& curve) {
  std::string text = std::string(kCurveHeader) + '\n';
  for (const Tally& at : curve) {
    text += fmt::format("{},{:.17g},{:.17g},{}\n", at.rounds, fraction(at.mistakes, at.rounds),
                        fraction(at.greedy_mistakes, at.rounds), at.updates);
  }
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::vector<Tally> read_curve(const std::string& path) {
  CsvFile file(path, kCurveHeader);
  std::vector<Tally> out;
  while (file.more()) {
    Tally at;
    at.rounds = at.answers = file.number<std::int64_t>(1, kMost);
    const auto rounds = static_cast<double>(at.rounds);
    at.mistakes = std::llround(file.number<double>(0, 1) * rounds);
    at.greedy_mistakes = std::llround(file.number<double>(0, 1) * rounds);
    at.updates = file.number<std::int64_t>(0, kMost, /*last=*/true);
    out.push_back(at);
  }
  return out;
}

}  // namespace soba::lab
