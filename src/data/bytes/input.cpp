#include "data/bytes/input.h"

#include <fcntl.h>
#include <sys/mman.h>
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

// Null where the file is compressed, or not to be mapped.
std::shared_ptr<const std::string_view> map_file(const std::string& path) {
  const int file = open_descriptor(path);
  struct stat status {};
  void* start = MAP_FAILED;
  if (::fstat(file, &status) == 0 && status.st_size > 0) {
    start =
        ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (start == MAP_FAILED) return nullptr;
  std::shared_ptr<const std::string_view> bytes(
      new std::string_view(static_cast<const char*>(start),
                           static_cast<std::size_t>(status.st_size)),
      [start](const std::string_view* view) {
        ::munmap(start, view->size());
        delete view;
      });
  if (is_compressed(*bytes)) return nullptr;
  ::madvise(start, bytes->size(), MADV_SEQUENTIAL);  // only a hint
  return bytes;
}

// A view that keeps its bytes.
struct HeldBytes {
  explicit HeldBytes(std::shared_ptr<const std::string> all)
      : bytes(std::move(all)), view(*bytes) {}
  std::shared_ptr<const std::string> bytes;
  std::string_view view;
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
  once_.reset();
  if (bytes.size() > most) return false;
  // What was decompressed once is not looked at for magic bytes again: see open().
  all_ = std::make_shared<const std::string>(std::move(bytes));
  rereadable_ = true;
  return true;
}

std::shared_ptr<const std::string_view> Input::whole(std::size_t most) {
  if (!path_.empty()) {
    if (auto bytes = map_file(path_)) return bytes;
  }
  std::shared_ptr<const std::string> all = all_;
  if (all == nullptr) {
    std::string bytes = read_up_to(*open(), most + 1);
    if (bytes.size() > most) return nullptr;
    all = std::make_shared<const std::string>(std::move(bytes));
  }
  const auto held = std::make_shared<const HeldBytes>(std::move(all));
  return {held, &held->view};
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
