#include "data/bytes/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "data/bytes/text.h"

namespace soba {

namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;

}  // namespace

std::optional<std::size_t> RowSorter::sort(Row& row) {
  if (std::adjacent_find(row.index.begin(), row.index.end(), std::greater_equal<>()) ==
      row.index.end()) {
    return std::nullopt;
  }
  const std::size_t size = row.index.size();
  order_.resize(size);
  for (std::size_t i = 0; i < size; ++i) order_[i] = {row.index[i], static_cast<std::uint32_t>(i)};
  std::sort(order_.begin(), order_.end());
  value_.assign(row.value.begin(), row.value.end());
  std::optional<std::size_t> repeated;
  for (std::size_t i = 0; i < size; ++i) {
    row.index[i] = order_[i].first;
    row.value[i] = value_[order_[i].second];
    if (i > 0 && row.index[i] == row.index[i - 1]) {
      repeated = std::min<std::size_t>(repeated.value_or(size), order_[i].second);
    }
  }
  return repeated;
}

LineReader::LineReader(std::unique_ptr<ByteSource> bytes, std::size_t max_line)
    : bytes_(std::move(bytes)), max_line_(max_line), buffer_(kChunk + kPadding) {}

bool LineReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + kPadding >= buffer_.size()) buffer_.resize((buffer_.size() - kPadding) * 2 + kPadding);
  const std::size_t count = bytes_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  end_ += count;
  const void* const last = ::memrchr(buffer_.data(), '\n', end_);
  whole_ = last == nullptr
               ? 0
               : static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.data()) + 1;
  return count > 0;
}

RowStatus LineReader::next(std::string_view& line, RowError& error) {
  std::size_t searched = 0;
  for (;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    const void* const found = std::memchr(from, '\n', end_ - begin_ - searched);
    if (found != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - from) + searched;
      return finish(size, 1, line, error);
    }
    searched = end_ - begin_;
    if (searched > max_line_) {
      ++number_;
      error = {number_, 1, fmt::format("the line is longer than {} bytes", max_line_)};
      drop_line();
      return RowStatus::kBad;
    }
    if (!refill()) {
      if (searched == 0) return RowStatus::kEnd;
      return finish(searched, 0, line, error);
    }
  }
}

RowStatus LineReader::finish(std::size_t size, std::size_t end_size, std::string_view& line,
                             RowError& error) {
  line = {buffer_.data() + begin_, size};
  begin_ += size + end_size;
  ++number_;
  carriage_return_ = !line.empty() && line.back() == '\r';
  if (carriage_return_) line.remove_suffix(1);
  if (number_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (size > max_line_) {
    error = {number_, 1, fmt::format("the line is longer than {} bytes", max_line_)};
    return RowStatus::kBad;
  }
  const std::size_t nul = line.find('\0');
  if (nul != std::string_view::npos) {
    error = {number_, static_cast<std::int64_t>(nul) + 1,
             "expected text, found a NUL byte; the file is binary, or is not UTF-8"};
    return RowStatus::kBad;
  }
  return RowStatus::kRow;
}

void LineReader::drop_line() {
  for (;;) {
    const void* const found = std::memchr(buffer_.data() + begin_, '\n', end_ - begin_);
    if (found != nullptr) {
      begin_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
      return;
    }
    begin_ = end_;
    if (!refill()) return;
  }
}

}  // namespace soba
