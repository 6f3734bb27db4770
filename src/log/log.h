// An append-only file of records that survive: what commit() has returned for is on the disk.
//
// A file is a head and then records, one after the other, each with its number and a checksum;
// behind the last come zeros, written ahead, so that a commit changes bytes of the file but seldom
// its length (docs/formats.md). A file has one writer, which holds a lock on it; anybody may read.
//
// What a reader makes of bytes that are no record: each record says how much of the file was on the
// disk before it was written. Where a later record says that these bytes were, the file is damaged,
// and the reader says where. Otherwise they are a commit that was cut off, of which nobody was
// told: the log ends there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace soba {

// What the head of a log says.
struct LogHead {
  std::string id;           // whose log it is, at most 32 bytes; empty: nobody's, it is only locked
  std::uint64_t first = 1;  // the number of its first record
  std::uint32_t chain = 0;  // the checksum of all records before that one
};

struct LogRecord {
  std::uint64_t number;
  std::uint64_t place;  // in the file, from 0
  std::string_view bytes;
  std::uint32_t chain;  // the checksum of all records up to this one
};

// The records of a log that was read into memory.
class LogReader {
 public:
  // Throws Error{kInput} where `bytes`, which must outlive this, are not a log, or one of a later
  // version. `name` is what messages call it.
  LogReader(std::string_view bytes, std::string name);

  const LogHead& head() const { return head_; }
  // Nothing at the end. Throws Error{kInput} where the file is damaged.
  std::optional<LogRecord> next();
  // Where the next record begins, or would.
  std::size_t place() const { return place_; }

 private:
  std::optional<LogRecord> record_at(std::size_t place) const;
  void check_end() const;

  std::string_view bytes_;
  std::string name_;
  LogHead head_;
  std::size_t place_;  // of the next record
  std::uint64_t number_;
  std::uint32_t chain_;
};

// The writer of a log. After an error that left the file in doubt every call throws.
//
// Threads: one at a time.
class Log {
 public:
  // Opens or makes the file, as private as the file `like` if there is one, and locks it. Throws
  // Error{kResource} where that fails or another process has it, which the message names. Leaves in
  // it what it holds.
  Log(std::string path, const std::string& like);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  // Unlocks. What was appended since the last commit is lost; a file that is only a lock is
  // removed.
  ~Log();

  const std::string& path() const { return path_; }
  // What the file held when it was opened.
  std::string read() const;
  // Gives the zeros behind `end` back to the disk.
  void trim(std::uint64_t end);
  // Empties the file, which then is only a lock again.
  void clear();
  // Begins anew: the file holds this head and no record.
  void restart(const LogHead& head);

  // In memory, until commit(). Where it throws, nothing was appended.
  void append(std::string_view record);
  // Writes what was appended; with `sync` it is on the disk when this returns, else in the hands of
  // the operating system.
  void commit(bool sync);
  // Bytes of the records since restart().
  std::uint64_t size() const;
  // The number of the record appended last, and the checksum of all up to it.
  std::uint64_t number() const { return number_; }
  std::uint32_t chain() const { return chain_; }
  // Deletes the file, and unlocks. Nothing but the destructor may follow.
  void remove();

 private:
  [[noreturn]] void fail(const char* what, int code);
  void lock(const std::string& like);
  void sign(bool empty);
  void write(std::string_view bytes, std::uint64_t place);
  void make_ready(std::uint64_t end);

  std::string path_;
  int descriptor_ = -1;
  bool broken_ = true;      // until restart()
  bool lock_only_ = false;  // there is nothing in it
  std::string waiting_;
  LogHead head_;
  std::uint64_t written_ = 0;  // the end of what is in the file
  std::uint64_t durable_ = 0;  // and of what was synced
  std::uint64_t ready_ = 0;    // the file has zeros up to here
  std::uint64_t number_ = 0;
  std::uint32_t chain_ = 0;
};

}  // namespace soba
