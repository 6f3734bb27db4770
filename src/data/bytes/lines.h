// Lines out of bytes, and rows out of lines: what every text format shares.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/bytes/input.h"
#include "soba/types.h"

namespace soba {

// std::allocator, but resize() leaves new elements unset: whoever writes them all anyway saves a
// pass over them.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  static_assert(std::is_trivial_v<T>);
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  void construct(T* /*place*/) noexcept {}
  template <class... Arguments>
  void construct(T* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

// What some programs write at the start of UTF-8 text; no part of it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What is wrong with a row, and where: line and column count from 1, the column in bytes.
struct RowError {
  std::int64_t line = 0;
  std::int64_t column = 1;
  std::string message;
};

enum class RowStatus { kRow, kBad, kEnd };

// One example as the file has it, before scaling.
struct Row {
  std::vector<Index, UnsetAllocator<Index>> index;  // strictly ascending
  std::vector<double, UnsetAllocator<double>> value;
  bool has_label = false;
  std::string_view label;  // valid until the next row is read
  std::int64_t line = 0;   // of the label, where there is one

  Features features() const { return {index, value}; }
  void clear() {
    index.clear();
    value.clear();
    has_label = false;
    label = {};
  }
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  // The next row into `row`, or what is wrong with it into `error`; after kBad reading can go on.
  virtual RowStatus next(Row& row, RowError& error) = 0;
  // Where the label of the latest row stands, for whoever does not like it.
  virtual std::int64_t label_column() const = 0;
  // Whether no row has a zero among its values.
  virtual bool without_zeros() const { return false; }
};

// Brings the features of a row, which were added in any order, into ascending order.
class RowSorter {
 public:
  // Returns the place (0 = the first added) of a feature that repeats an earlier one, if any.
  std::optional<std::size_t> sort(Row& row);

 private:
  std::vector<std::pair<Index, std::uint32_t>> order_;
  std::vector<double> value_;
};

class LineReader {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 20;
  // So many bytes behind a line can be read (not: used), as simdjson wants it.
  static constexpr std::size_t kPadding = 64;

  explicit LineReader(std::unique_ptr<ByteSource> bytes, std::size_t max_line = kMaxLine);

  // The next line without its end (\n or \r\n) and without a byte order mark; valid until the next
  // call. A line with a NUL byte, or longer than max_line, is bad.
  RowStatus next(std::string_view& line, RowError& error);
  // Lines that are here already, ends included, each unread and whole; kPadding bytes behind them
  // can be read, too. Nothing at the very start of the bytes, where a byte order mark may be; and
  // where it is empty otherwise, next() may still have more.
  std::string_view ahead() const {
    if (number_ == 0 || begin_ >= whole_) return {};
    return {buffer_.data() + begin_, whole_ - begin_};
  }
  // Leaves out the first `size` bytes of ahead(). Requires: they are one line with its end.
  void take(std::size_t size) {
    begin_ += size;
    ++number_;
  }
  std::int64_t number() const { return number_; }
  // The end that the latest line had, or would have had.
  std::string_view line_end() const { return carriage_return_ ? "\r\n" : "\n"; }
  std::size_t max_line() const { return max_line_; }

 private:
  bool refill();     // false at the end of the bytes
  void drop_line();  // goes to the end of a line that is too long
  RowStatus finish(std::size_t size, std::size_t end_size, std::string_view& line, RowError& error);

  std::unique_ptr<ByteSource> bytes_;
  std::size_t max_line_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what is read and not yet given out
  std::size_t whole_ = 0;            // behind the last line end before end_
  std::int64_t number_ = 0;
  bool carriage_return_ = false;
};

}  // namespace soba
