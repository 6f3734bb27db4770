#include "log/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/atomic_file.h"
#include "core/magic.h"
#include "soba/error.h"

namespace soba {

static_assert(std::endian::native == std::endian::little, "logs are little-endian");

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kIdSize = 32;
constexpr std::size_t kLargest = std::size_t{1} << 30;  // of a record

// The first bytes of the file.
struct Head {
  char magic[8];
  std::uint32_t version;
  std::uint32_t chain;
  char id[kIdSize];  // zeros behind it
  std::uint64_t first;
  std::uint32_t unused;
  std::uint32_t checksum;  // of all the above
  char owner[64];          // the writer's process, as text; for messages only
};
static_assert(sizeof(Head) == 128);

// In front of each record; the next one begins at a multiple of 8.
struct Frame {
  std::uint32_t size;      // of the record
  std::uint32_t checksum;  // of the head, the rest of the frame and the record
  std::uint64_t number;
  std::uint64_t durable;  // the file was on the disk up to here before the record was written
};
static_assert(sizeof(Frame) == 24);

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

std::uint32_t checksum(std::uint32_t seed, const void* bytes, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(seed, static_cast<const Bytef*>(bytes), size));
}

std::uint32_t frame_checksum(std::string_view id, const Frame& frame, std::string_view record) {
  std::uint32_t sum = checksum(0, id.data(), id.size());
  sum = checksum(sum, &frame.size, sizeof(frame.size));
  sum = checksum(sum, &frame.number, sizeof(frame.number) + sizeof(frame.durable));
  return checksum(sum, record.data(), record.size());
}

// Of the records alone, however they were framed and committed.
std::uint32_t next_chain(std::uint32_t chain, std::string_view record) {
  return checksum(chain, record.data(), record.size());
}

bool all_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
}

Head make_head(const LogHead& head) {
  Head bytes{};
  std::copy_n(kLogMagic.data(), sizeof(bytes.magic), bytes.magic);
  bytes.version = kVersion;
  bytes.chain = head.chain;
  std::copy_n(head.id.data(), std::min(head.id.size(), kIdSize), bytes.id);
  bytes.first = head.first;
  bytes.checksum = checksum(0, &bytes, offsetof(Head, checksum));
  fmt::format_to_n(bytes.owner, sizeof(bytes.owner) - 1, "{}", ::getpid());
  return bytes;
}

}  // namespace

LogReader::LogReader(std::string_view bytes, std::string name)
    : bytes_(bytes), name_(std::move(name)), place_(sizeof(Head)), number_(0), chain_(0) {
  Head head{};
  std::memcpy(&head, bytes.data(), std::min(bytes.size(), sizeof(head)));
  const bool whole =
      bytes.size() >= sizeof(head) && std::string_view(head.magic, sizeof(head.magic)) == kLogMagic;
  const bool valid = whole && head.checksum == checksum(0, &head, offsetof(Head, checksum));
  if (valid && head.version == kVersion) {
    head_ = {std::string(head.id, strnlen(head.id, kIdSize)), head.first, head.chain};
    number_ = head.first;
    chain_ = head.chain;
    return;
  }
  if (valid || (whole && head.version > kVersion)) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the journal has format version {}, and this program reads version "
                            "{}",
                            name_, head.version, kVersion));
  }
  // A head that was cut off while it was written: nothing was committed behind it.
  const std::size_t begun = std::min(bytes.size(), kLogMagic.size());
  const bool ours = bytes.substr(0, begun) == kLogMagic.substr(0, begun) ||
                    all_zero(bytes.substr(0, std::min(bytes.size(), sizeof(head))));
  const bool nothing = bytes.size() <= sizeof(head) || all_zero(bytes.substr(sizeof(head)));
  if (!ours) throw Error(ErrorKind::kInput, name_ + ": is not a journal of Soba");
  if (!nothing) throw Error(ErrorKind::kInput, name_ + ": is damaged at byte 0");
  place_ = bytes.size();
}

std::optional<LogRecord> LogReader::record_at(std::size_t place) const {
  Frame frame{};
  if (place > bytes_.size() || bytes_.size() - place < sizeof(frame)) return std::nullopt;
  std::memcpy(&frame, bytes_.data() + place, sizeof(frame));
  if (frame.size == 0 || frame.size > bytes_.size() - place - sizeof(frame)) return std::nullopt;
  const std::string_view record = bytes_.substr(place + sizeof(frame), frame.size);
  if (frame.checksum != frame_checksum(head_.id, frame, record)) return std::nullopt;
  return LogRecord{frame.number, place, record, next_chain(chain_, record)};
}

std::optional<LogRecord> LogReader::next() {
  if (place_ >= bytes_.size()) return std::nullopt;
  const std::optional<LogRecord> record = record_at(place_);
  if (!record) {
    check_end();
    bytes_ = bytes_.substr(0, place_);
    return std::nullopt;
  }
  if (record->number != number_) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: is damaged at byte {}: record {} stands where {} should", name_,
                            place_, record->number, number_));
  }
  ++number_;
  chain_ = record->chain;
  place_ += sizeof(Frame) + padded(record->bytes.size());
  return record;
}

// Throws where a record says that the disk had more than the bytes before place_.
void LogReader::check_end() const {
  for (std::size_t place = place_; place + sizeof(Frame) <= bytes_.size(); place += 8) {
    Frame frame{};
    std::memcpy(&frame, bytes_.data() + place, sizeof(frame));
    if (frame.size == 0 || frame.number <= number_ || frame.durable <= place_) continue;
    if (const auto later = record_at(place)) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: is damaged at byte {}: record {} is there, and record {}, which "
                              "was on the disk before it, is not",
                              name_, place_, later->number, number_));
    }
  }
}

Log::Log(std::string path, const std::string& like) : path_(std::move(path)) {
  lock(like);
  Head head{};
  const ssize_t held = ::pread(descriptor_, &head, sizeof(head), 0);
  const bool ours = held == sizeof(head) && head.version == kVersion &&
                    head.checksum == checksum(0, &head, offsetof(Head, checksum));
  lock_only_ = held == 0;
  if (lock_only_ || ours) sign(lock_only_);  // what is not ours stays as it is
}

// Who has the file, for messages to others; where it fails, they do without.
void Log::sign(bool empty) {
  const Head own = make_head({});
  const std::size_t skip = empty ? 0 : offsetof(Head, owner);
  [[maybe_unused]] const ssize_t count =
      ::pwrite(descriptor_, reinterpret_cast<const char*>(&own) + skip, sizeof(own) - skip,
               static_cast<off_t>(skip));
}

void Log::lock(const std::string& like) {
  struct stat model {};
  const bool exists = ::stat(like.c_str(), &model) == 0;
  for (;;) {
    constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    descriptor_ = ::open(path_.c_str(), kFlags);
    if (descriptor_ < 0 && errno == ENOENT) {
      descriptor_ = ::open(path_.c_str(), kFlags | O_CREAT | O_EXCL, exists ? 0600 : 0666);
      if (descriptor_ < 0 && errno == EEXIST) continue;
      if (descriptor_ >= 0 && exists) {
        take_ownership(descriptor_, model.st_uid, model.st_gid, (model.st_mode & 0777) | 0600);
      }
    }
    if (descriptor_ < 0) fail("cannot open", errno);
    struct stat held {};
    struct stat named {};
    if (::fstat(descriptor_, &held) != 0 || !S_ISREG(held.st_mode)) {
      ::close(std::exchange(descriptor_, -1));
      throw Error(ErrorKind::kResource, path_ + ": is not a regular file");
    }
    // Some network file systems have no locks; there it is the user who starts one at a time.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      Head head{};
      const ssize_t count = ::pread(descriptor_, &head, sizeof(head), 0);
      ::close(std::exchange(descriptor_, -1));
      const std::string owner(head.owner, strnlen(head.owner, sizeof(head.owner)));
      const bool known = count == sizeof(head) && !owner.empty();
      throw Error(ErrorKind::kResource,
                  fmt::format("{}: {} is using it; one process at a time may change a model", path_,
                              known ? "process " + owner : "another process"));
    }
    // Whoever held the lock may have deleted the file: then the name stands for another one, or
    // none.
    if (::stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
        held.st_ino == named.st_ino) {
      return;
    }
    ::close(std::exchange(descriptor_, -1));
  }
}

Log::~Log() {
  if (descriptor_ < 0) return;
  if (lock_only_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void Log::fail(const char* what, int code) {
  broken_ = true;
  throw Error(ErrorKind::kResource, fmt::format("{}: {}: {}", path_, what, std::strerror(code)));
}

std::string Log::read() const {
  std::string bytes;
  std::string piece(1 << 16, '\0');
  for (;;) {
    const ssize_t count =
        ::pread(descriptor_, piece.data(), piece.size(), static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error(ErrorKind::kInput,
                  fmt::format("{}: cannot read: {}", path_, std::strerror(errno)));
    }
    if (count == 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
  }
}

void Log::write(std::string_view bytes, std::uint64_t place) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
}

// Zeros up to `end` and some way beyond, so that few commits change the length of the file.
void Log::make_ready(std::uint64_t end) {
  constexpr std::uint64_t kLeast = 1 << 18;
  constexpr std::uint64_t kMost = 1 << 22;
  if (end <= ready_) return;
  const std::uint64_t ahead = std::clamp(ready_, kLeast, kMost);
  const std::string zeros(end + ahead - ready_, '\0');
  write(zeros, ready_);
  ready_ = end + ahead;
}

void Log::trim(std::uint64_t end) {
  if (::ftruncate(descriptor_, static_cast<off_t>(end)) != 0) fail("cannot write", errno);
}

void Log::clear() {
  broken_ = true;
  trim(0);
  sign(true);
  lock_only_ = true;
}

void Log::restart(const LogHead& head) {
  broken_ = true;
  lock_only_ = false;
  if (::ftruncate(descriptor_, 0) != 0) fail("cannot write", errno);
  const Head bytes = make_head(head);
  waiting_.clear();
  ready_ = 0;
  write({reinterpret_cast<const char*>(&bytes), sizeof(bytes)}, 0);
  written_ = ready_ = sizeof(bytes);
  make_ready(written_ + 1);
  if (::fdatasync(descriptor_) != 0) fail("cannot sync", errno);
  durable_ = written_;
  head_ = head;
  number_ = head.first - 1;
  chain_ = head.chain;
  broken_ = false;
}

void Log::append(std::string_view record) {
  if (record.empty() || record.size() > kLargest) {
    throw Error(ErrorKind::kInput, fmt::format("{}: a record has 1 to {} bytes, not {}", path_,
                                               kLargest, record.size()));
  }
  Frame frame{static_cast<std::uint32_t>(record.size()), 0, number_ + 1, durable_};
  frame.checksum = frame_checksum(head_.id, frame, record);
  const std::size_t needed = waiting_.size() + sizeof(frame) + padded(record.size());
  if (needed > waiting_.capacity()) waiting_.reserve(std::max(needed, 2 * waiting_.capacity()));
  waiting_.append(reinterpret_cast<const char*>(&frame), sizeof(frame));
  waiting_.append(record);
  waiting_.append(padded(record.size()) - record.size(), '\0');
  ++number_;
  chain_ = next_chain(chain_, record);
}

void Log::commit(bool sync) {
  if (waiting_.empty() && (!sync || durable_ == written_)) return;
  if (broken_) throw Error(ErrorKind::kResource, path_ + ": an earlier write failed");
  make_ready(written_ + waiting_.size());
  write(waiting_, written_);
  written_ += waiting_.size();
  waiting_.clear();
  if (!sync) return;
  if (::fdatasync(descriptor_) != 0) fail("cannot sync", errno);
  durable_ = written_;
}

std::uint64_t Log::size() const { return written_ + waiting_.size() - sizeof(Head); }

void Log::remove() {
  broken_ = true;
  ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace soba
