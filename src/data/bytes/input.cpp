#include "data/bytes/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "data/ahead.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;

class DescriptorBytes : public ByteSource {
 public:
  DescriptorBytes(int descriptor, std::string name, bool owned)
      : descriptor_(descriptor), name_(std::move(name)), owned_(owned) {}
  DescriptorBytes(const DescriptorBytes&) = delete;
  DescriptorBytes& operator=(const DescriptorBytes&) = delete;
  ~DescriptorBytes() override {
    if (owned_) ::close(descriptor_);
  }

  std::size_t read(char* out, std::size_t capacity) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, out, capacity);
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      throw Error(ErrorKind::kInput, name_ + ": cannot read: " + std::strerror(errno));
    }
  }

 private:
  int descriptor_;
  std::string name_;
  bool owned_;
};

// A part of a file, wherever others read in it.
class PartBytes : public ByteSource {
 public:
  PartBytes(int descriptor, std::string name, std::uint64_t begin, std::uint64_t end)
      : descriptor_(descriptor), name_(std::move(name)), at_(begin), end_(end) {}
  PartBytes(const PartBytes&) = delete;
  PartBytes& operator=(const PartBytes&) = delete;
  ~PartBytes() override { ::close(descriptor_); }

  std::size_t read(char* out, std::size_t capacity) override {
    capacity = std::min<std::uint64_t>(capacity, end_ - at_);
    for (;;) {
      const ssize_t count = ::pread(descriptor_, out, capacity, static_cast<off_t>(at_));
      if (count >= 0) {
        at_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
      }
      if (errno == EINTR) continue;
      throw Error(ErrorKind::kInput, name_ + ": cannot read: " + std::strerror(errno));
    }
  }

 private:
  int descriptor_;
  std::string name_;
  std::uint64_t at_, end_;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : left_(bytes) {}

  std::size_t read(char* out, std::size_t capacity) override {
    const std::size_t count = left_.copy(out, capacity);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

class AheadBytes : public ByteSource {
 public:
  explicit AheadBytes(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), ahead_([this](std::string& chunk) { return fill(chunk); }) {}

  std::size_t read(char* out, std::size_t capacity) override {
    if (left_.empty()) {
      const std::string* const chunk = ahead_.next();
      if (chunk == nullptr) return 0;
      left_ = *chunk;
    }
    const std::size_t count = left_.copy(out, capacity);
    left_.remove_prefix(count);
    return count;
  }

 private:
  bool fill(std::string& chunk) {
    constexpr std::size_t kChunk = std::size_t{256} << 10;
    chunk.resize(kChunk);
    chunk.resize(source_->read(chunk.data(), kChunk));
    return !chunk.empty();
  }

  std::unique_ptr<ByteSource> source_;
  std::string_view left_;
  Ahead<std::string> ahead_;
};

class PrefixedBytes : public ByteSource {
 public:
  PrefixedBytes(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  std::size_t read(char* out, std::size_t capacity) override {
    if (used_ == prefix_.size()) return rest_->read(out, capacity);
    const std::size_t count = prefix_.copy(out, capacity, used_);
    used_ += count;
    return count;
  }

 private:
  std::string prefix_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

int open_descriptor(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(ErrorKind::kInput, path + ": cannot open: " + std::strerror(errno));
  }
  return descriptor;
}

// A file as it was when it was opened, should another one take its name.
class FileBytes : public RandomBytes {
 public:
  FileBytes(int descriptor, std::uint64_t size, std::string name)
      : descriptor_(descriptor), size_(size), name_(std::move(name)) {}
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override { ::close(descriptor_); }

  std::uint64_t size() const override { return size_; }
  std::string_view read(std::uint64_t offset, std::size_t count,
                        std::vector<char>& buffer) const override {
    if (buffer.size() < count + kPadding) buffer.resize(count + kPadding);
    for (std::size_t done = 0; done < count;) {
      const ssize_t got = ::pread(descriptor_, buffer.data() + done, count - done,
                                  static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error(ErrorKind::kInput, name_ + ": cannot read: " + std::strerror(errno));
      if (got == 0) throw Error(ErrorKind::kInput, name_ + ": was cut short while it was read");
      done += static_cast<std::size_t>(got);
    }
    return {buffer.data(), count};
  }

 private:
  int descriptor_;
  std::uint64_t size_;
  std::string name_;
};

class HeldBytes : public RandomBytes {
 public:
  // Requires: kPadding bytes behind the first `size`.
  HeldBytes(std::shared_ptr<const std::string> bytes, std::size_t size)
      : bytes_(std::move(bytes)), size_(size) {}
  std::uint64_t size() const override { return size_; }
  std::string_view read(std::uint64_t offset, std::size_t count,
                        std::vector<char>& /*buffer*/) const override {
    return std::string_view(*bytes_).substr(offset, count);
  }

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t size_;
};

class Latin1Bytes : public ByteSource {
 public:
  explicit Latin1Bytes(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  std::size_t read(char* out, std::size_t capacity) override {
    if (left_.empty()) {
      char chunk[kHead / 2];
      const std::size_t count = source_->read(chunk, sizeof chunk);
      text_.clear();
      for (const char c : std::string_view(chunk, count)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) text_ += static_cast<char>(0xC0 | byte >> 6);
        text_ += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3F));
      }
      left_ = text_;
    }
    const std::size_t count = left_.copy(out, capacity);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string text_;
  std::string_view left_;
};

}  // namespace

std::unique_ptr<ByteSource> descriptor_bytes(int descriptor, std::string name, bool owned) {
  return std::make_unique<DescriptorBytes>(descriptor, std::move(name), owned);
}

std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes) {
  return std::make_unique<MemoryBytes>(bytes);
}

std::unique_ptr<ByteSource> ahead_bytes(std::unique_ptr<ByteSource> source) {
  return std::make_unique<AheadBytes>(std::move(source));
}

std::unique_ptr<ByteSource> latin1_bytes(std::unique_ptr<ByteSource> source) {
  return std::make_unique<Latin1Bytes>(std::move(source));
}

std::unique_ptr<ByteSource> prefixed_bytes(std::string prefix, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<PrefixedBytes>(std::move(prefix), std::move(rest));
}

std::string read_up_to(ByteSource& source, std::size_t most) {
  std::string bytes;
  while (bytes.size() < most) {
    const std::size_t size = bytes.size();
    bytes.resize(std::min(most, std::max(size * 2, size + kHead)));
    const std::size_t count = source.read(bytes.data() + size, bytes.size() - size);
    bytes.resize(size + count);
    if (count == 0) break;
  }
  return bytes;
}

Input Input::open_path(const std::string& path) {
  if (path == "-") return descriptor(STDIN_FILENO, "<stdin>", false);
  const int file = open_descriptor(path);
  std::unique_ptr<ByteSource> bytes = descriptor_bytes(file, path, true);
  struct stat status {};
  if (::fstat(file, &status) != 0) {
    throw Error(ErrorKind::kInput, path + ": cannot open: " + std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::kInput, path + ": is a directory; expected a data file");
  }
  Input input;
  input.name_ = path;
  if (S_ISREG(status.st_mode)) {
    input.path_ = path;
    input.rereadable_ = true;
  } else {
    input.once_ = decompressed(std::move(bytes), path);
  }
  return input;
}

Input Input::descriptor(int descriptor, std::string name, bool owned) {
  Input input;
  input.name_ = std::move(name);
  input.once_ = decompressed(descriptor_bytes(descriptor, input.name_, owned), input.name_);
  return input;
}

Input Input::memory(std::string bytes, std::string name) {
  Input input;
  input.name_ = std::move(name);
  input.rereadable_ = true;
  input.all_ = std::make_shared<const std::string>(std::move(bytes));
  return input;
}

std::string Input::head() {
  if (rereadable_) return read_up_to(*open(), kHead);
  std::string bytes = read_up_to(*once_, kHead);
  once_ = prefixed_bytes(bytes, std::move(once_));
  return bytes;
}

bool Input::buffer(std::size_t most) {
  if (rereadable_) return true;
  std::string bytes = read_up_to(*once_, most + 1);
  if (bytes.size() > most) {
    once_ = prefixed_bytes(std::move(bytes), std::move(once_));
    return false;
  }
  once_.reset();
  // What was decompressed once is not looked at for magic bytes again: see open().
  all_ = std::make_shared<const std::string>(std::move(bytes));
  rereadable_ = true;
  return true;
}

std::shared_ptr<const RandomBytes> Input::whole(std::size_t most) {
  if (const auto size = plain_size()) {
    return std::make_shared<FileBytes>(open_descriptor(path_), *size, path_);
  }
  std::string bytes = all_ ? *all_ : read_up_to(*open(), most + 1);
  const std::size_t size = bytes.size();
  if (size > most) return nullptr;
  bytes.resize(size + RandomBytes::kPadding);
  return std::make_shared<HeldBytes>(std::make_shared<const std::string>(std::move(bytes)), size);
}

std::optional<std::uint64_t> Input::plain_size() const {
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (is_compressed(read_up_to(*open_part(0, std::min<std::uint64_t>(size, 16)), 16))) {
    return std::nullopt;
  }
  return size;
}

std::unique_ptr<ByteSource> Input::open_part(std::uint64_t begin, std::uint64_t end) const {
  return std::make_unique<PartBytes>(open_descriptor(path_), path_, begin, end);
}

std::unique_ptr<ByteSource> Input::open() {
  if (all_) return memory_bytes(*all_);
  if (!path_.empty()) {
    auto bytes = decompressed(descriptor_bytes(open_descriptor(path_), path_, true), path_);
    // Not from a pipe: nobody could stop a thread that waits for bytes that may never come.
    return plain_size() ? std::move(bytes) : ahead_bytes(std::move(bytes));
  }
  return std::move(once_);
}

}  // namespace soba
