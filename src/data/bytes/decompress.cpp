// gzip, xz and zstd behind ByteSource.
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "data/bytes/input.h"
#include "soba/error.h"

namespace soba {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::uint64_t kXzMemory = std::uint64_t{1} << 30;
constexpr std::string_view kGzipMagic = "\x1f\x8b"sv;
constexpr std::string_view kXzMagic =
    "\xfd"
    "7zXZ\0"sv;
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd"sv;
constexpr std::size_t kLongestMagic = 6;

// What the three formats share: a buffer of compressed bytes, and the ways to fail.
class Decompressor : public ByteSource {
 protected:
  Decompressor(std::unique_ptr<ByteSource> raw, std::string name, const char* format)
      : raw_(std::move(raw)), name_(std::move(name)), format_(format), buffer_(kChunk) {}

  // More compressed bytes; empty at the end.
  std::string_view refill() { return {buffer_.data(), raw_->read(buffer_.data(), buffer_.size())}; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, name_ + ": " + what + " (" + format_ + ")");
  }
  [[noreturn]] void fail_truncated() const {
    fail("the compressed data end too early; the file is truncated");
  }
  [[noreturn]] void fail_corrupt(const char* detail) const {
    fail(std::string("the compressed data are corrupt") +
         (detail == nullptr ? "" : std::string(": ") + detail));
  }

 private:
  std::unique_ptr<ByteSource> raw_;
  std::string name_;
  const char* format_;
  std::vector<char> buffer_;
};

class Gzip : public Decompressor {
 public:
  Gzip(std::unique_ptr<ByteSource> raw, const std::string& name)
      : Decompressor(std::move(raw), name, "gzip") {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) fail("out of memory");
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { inflateEnd(&stream_); }

  std::size_t read(char* out, std::size_t capacity) override {
    capacity = std::min(capacity, kChunk);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity) {
      if (stream_.avail_in == 0) {
        const std::string_view more = refill();
        if (more.empty() && member_open_) fail_truncated();
        if (more.empty()) return 0;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(more.data()));
        stream_.avail_in = static_cast<uInt>(more.size());
      }
      if (!member_open_) inflateReset(&stream_);
      member_open_ = true;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) member_open_ = false;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) fail_corrupt(stream_.msg);
    }
    return capacity - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool member_open_ = false;
};

class Xz : public Decompressor {
 public:
  Xz(std::unique_ptr<ByteSource> raw, const std::string& name)
      : Decompressor(std::move(raw), name, "xz") {
    if (lzma_stream_decoder(&stream_, kXzMemory, LZMA_CONCATENATED) != LZMA_OK) {
      fail("out of memory");
    }
  }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;
  ~Xz() override { lzma_end(&stream_); }

  std::size_t read(char* out, std::size_t capacity) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = capacity;
    while (!done_ && stream_.avail_out == capacity) {
      if (stream_.avail_in == 0 && action_ == LZMA_RUN) {
        const std::string_view more = refill();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(more.data());
        stream_.avail_in = more.size();
        if (more.empty()) action_ = LZMA_FINISH;
      }
      check(lzma_code(&stream_, action_));
    }
    return capacity - stream_.avail_out;
  }

 private:
  void check(lzma_ret code) {
    if (code == LZMA_STREAM_END) {
      done_ = true;
    } else if (code == LZMA_BUF_ERROR) {
      fail_truncated();
    } else if (code == LZMA_MEMLIMIT_ERROR || code == LZMA_MEM_ERROR) {
      fail("decompressing needs more than 1 GiB of memory");
    } else if (code != LZMA_OK) {
      fail_corrupt(nullptr);
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_action action_ = LZMA_RUN;
  bool done_ = false;
};

class Zstd : public Decompressor {
 public:
  Zstd(std::unique_ptr<ByteSource> raw, const std::string& name)
      : Decompressor(std::move(raw), name, "zstd"), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) fail("out of memory");
  }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* out, std::size_t capacity) override {
    ZSTD_outBuffer to{out, capacity, 0};
    while (to.pos == 0) {
      // After a full output buffer the decoder may hold more without new input, so it is asked
      // first.
      if (from_.pos == from_.size && !output_held_) {
        const std::string_view more = refill();
        if (more.empty() && frame_open_) fail_truncated();
        if (more.empty()) return 0;
        from_ = {more.data(), more.size(), 0};
      }
      const std::size_t code = ZSTD_decompressStream(stream_, &to, &from_);
      if (ZSTD_isError(code)) fail_corrupt(ZSTD_getErrorName(code));
      frame_open_ = code != 0;
      output_held_ = frame_open_ && to.pos == to.size;
    }
    return to.pos;
  }

 private:
  ZSTD_DStream* stream_;
  ZSTD_inBuffer from_{nullptr, 0, 0};
  bool frame_open_ = false;
  bool output_held_ = false;
};

}  // namespace

bool is_compressed(std::string_view head) {
  return head.starts_with(kGzipMagic) || head.starts_with(kXzMagic) || head.starts_with(kZstdMagic);
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw, const std::string& name) {
  std::string magic = read_up_to(*raw, kLongestMagic);
  const bool gzip = magic.starts_with(kGzipMagic);
  const bool xz = magic.starts_with(kXzMagic);
  const bool zstd = magic.starts_with(kZstdMagic);
  raw = prefixed_bytes(std::move(magic), std::move(raw));
  if (gzip) return std::make_unique<Gzip>(std::move(raw), name);
  if (xz) return std::make_unique<Xz>(std::move(raw), name);
  if (zstd) return std::make_unique<Zstd>(std::move(raw), name);
  return raw;
}

}  // namespace soba
