#include "trace.h"

#include <iterator>

#include "text.h"

namespace soba::cli {

namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

}  // namespace

void LineFile::flush() {
  file_.write({buffer_.data(), buffer_.size()});
  buffer_.clear();
}

void LineFile::flush_if_large() {
  if (buffer_.size() >= kBufferBytes) flush();
}

void LineFile::finish() {
  flush();
  file_.commit();
}

TraceFile::TraceFile(const std::string& path) : LineFile(path) {
  fmt::format_to(std::back_inserter(buffer_),
                 "round,label,greedy,played,probability,gamma,correct,updated,margin_sum\n");
}

void TraceFile::set_labels(const NameMap& labels) {
  labels_.clear();
  for (const std::string& name : labels.names()) labels_.push_back(csv_field(name));
}

void TraceFile::write(const Played& row) {
  const auto text = [&](Label label) -> const std::string& {
    return labels_[static_cast<std::size_t>(label)];
  };
  const auto out = std::back_inserter(buffer_);
  fmt::format_to(out, "{},{},{},{},{:.17g},{:.17g},{:d},{:d},", row.round, text(row.label),
                 text(row.greedy), text(row.played), row.probability, row.gamma, row.correct,
                 row.updated);
  if (row.margin_sum) fmt::format_to(out, "{:.17g}", *row.margin_sum);
  buffer_.push_back('\n');
  flush_if_large();
}

CurveFile::CurveFile(const std::string& path) : LineFile(path) {
  fmt::format_to(std::back_inserter(buffer_), "round,error,greedy_error,updates\n");
}

void CurveFile::write(const Tally& so_far) {
  if (so_far.rounds == last_) return;
  last_ = so_far.rounds;
  const double rounds = static_cast<double>(so_far.rounds);
  fmt::format_to(std::back_inserter(buffer_), "{},{:.17g},{:.17g},{}\n", so_far.rounds,
                 static_cast<double>(so_far.mistakes) / rounds,
                 static_cast<double>(so_far.greedy_mistakes) / rounds, so_far.updates);
  flush_if_large();
}

}  // namespace soba::cli
