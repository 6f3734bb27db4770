// Bytes from a file, a pipe or memory, decompressed where they are gzip, xz or zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace soba {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills at most `capacity` bytes and returns how many; 0 at the end. Requires: capacity > 0.
  // Throws Error{kInput} that names the input.
  virtual std::size_t read(char* out, std::size_t capacity) = 0;
};

// The bytes of an open descriptor, which the source closes in the end if it owns it.
std::unique_ptr<ByteSource> descriptor_bytes(int descriptor, std::string name, bool owned);
// Requires: `bytes` outlive the source.
std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes);
// The same bytes, which a thread of its own reads ahead.
std::unique_ptr<ByteSource> ahead_bytes(std::unique_ptr<ByteSource> source);
// `prefix`, then the rest.
std::unique_ptr<ByteSource> prefixed_bytes(std::string prefix, std::unique_ptr<ByteSource> rest);

// Latin-1 text as UTF-8.
std::unique_ptr<ByteSource> latin1_bytes(std::unique_ptr<ByteSource> source);

// The same bytes, or what they decompress to. The magic bytes decide, not the file's name; several
// compressed members in a row are one input. A truncated or corrupt member is Error{kInput}.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw, const std::string& name);

// Whether a file that starts like this is one that decompressed() decompresses.
bool is_compressed(std::string_view head);

// Reads until `most` bytes are there or the end is.
std::string read_up_to(ByteSource& source, std::size_t most);

// Bytes in any order. Any number of threads may read them.
class RandomBytes {
 public:
  // So many bytes behind those that read() returns can be read (not: used).
  static constexpr std::size_t kPadding = 64;

  virtual ~RandomBytes() = default;
  virtual std::uint64_t size() const = 0;
  // The bytes from `offset` on; in `buffer` where they must be fetched, and valid as long as that.
  // Throws Error{kInput} that names the input where they are not there any more. Requires:
  // offset + count <= size().
  virtual std::string_view read(std::uint64_t offset, std::size_t count,
                                std::vector<char>& buffer) const = 0;
};

// One DATA argument that is not a generator.
class Input {
 public:
  // A path, or "-" for standard input. Throws Error{kInput} where it cannot be read.
  static Input open_path(const std::string& path);
  static Input descriptor(int descriptor, std::string name, bool owned);
  static Input memory(std::string bytes, std::string name);

  // What messages call it.
  const std::string& name() const { return name_; }
  // Whether open() may be called again.
  bool rereadable() const { return rereadable_; }
  // Up to the first 64 KiB, decompressed; open() still starts at the first byte.
  std::string head();
  // Ensures: rereadable(), by keeping the bytes in memory; false where they are more than `most`:
  // then open() still starts at the first byte, once.
  bool buffer(std::size_t most);
  // All decompressed bytes, to be read in any order: those of a plain regular file from it, others
  // from memory, and null where more than `most` would have to be held there. Requires:
  // rereadable(), or the first call.
  std::shared_ptr<const RandomBytes> whole(std::size_t most);
  // The size of a regular file that is not compressed; nothing for any other input.
  std::optional<std::uint64_t> plain_size() const;
  // Its bytes from `begin` to before `end`. Requires: plain_size().
  std::unique_ptr<ByteSource> open_part(std::uint64_t begin, std::uint64_t end) const;
  // Decompressed bytes from the start; those of a compressed file by a thread of their own.
  // Requires: rereadable(), or the first call. What it returns
  // must not outlive the Input.
  std::unique_ptr<ByteSource> open();

 private:
  std::string name_;
  bool rereadable_ = false;
  std::string path_;  // of a regular file, or empty
  std::shared_ptr<const std::string>
      all_;                           // in memory; shared so that a moved Input keeps its place
  std::unique_ptr<ByteSource> once_;  // decompressed, for a single reading
};

}  // namespace soba
