#include "data/bytes/sink.h"

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "core/atomic_file.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

class FileSink : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : file_(path) {}
  void write(std::string_view bytes) override { file_.write(bytes); }
  void finish() override { file_.commit(); }

 private:
  AtomicFile file_;
};

class DescriptorSink : public ByteSink {
 public:
  DescriptorSink(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        throw Error(ErrorKind::kResource, name_ + ": write failed: " + std::strerror(errno));
      }
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void finish() override {}

 private:
  int descriptor_;
  std::string name_;
};

// What the three compressors share: where the compressed bytes go.
class Compressor : public ByteSink {
 protected:
  explicit Compressor(std::unique_ptr<ByteSink> to) : to_(std::move(to)), buffer_(kChunk) {}

  [[noreturn]] static void fail() { throw Error(ErrorKind::kResource, "compression failed"); }

  std::unique_ptr<ByteSink> to_;
  std::vector<char> buffer_;
};

class GzipSink : public Compressor {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> to) : Compressor(std::move(to)) {
    constexpr int kGzip = 16, kMemory = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      fail();
    }
  }
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;
  ~GzipSink() override { deflateEnd(&stream_); }

  void write(std::string_view bytes) override {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kChunk))) {
      run(bytes.substr(0, kChunk), Z_NO_FLUSH);
    }
  }
  void finish() override {
    run({}, Z_FINISH);
    to_->finish();
  }

 private:
  void run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      if (deflate(&stream_, flush) == Z_STREAM_ERROR) fail();
      to_->write({buffer_.data(), buffer_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
};

class XzSink : public Compressor {
 public:
  explicit XzSink(std::unique_ptr<ByteSink> to) : Compressor(std::move(to)) {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) fail();
  }
  XzSink(const XzSink&) = delete;
  XzSink& operator=(const XzSink&) = delete;
  ~XzSink() override { lzma_end(&stream_); }

  void write(std::string_view bytes) override { run(bytes, LZMA_RUN); }
  void finish() override {
    run({}, LZMA_FINISH);
    to_->finish();
  }

 private:
  void run(std::string_view bytes, lzma_action action) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    do {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer_.data());
      stream_.avail_out = buffer_.size();
      const lzma_ret code = lzma_code(&stream_, action);
      if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) fail();
      to_->write({buffer_.data(), buffer_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0 || stream_.avail_in > 0);
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdSink : public Compressor {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> to)
      : Compressor(std::move(to)), stream_(ZSTD_createCStream()) {
    // Without a checksum, damage may go unnoticed.
    if (stream_ == nullptr ||
        ZSTD_isError(ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1))) {
      fail();
    }
  }
  ZstdSink(const ZstdSink&) = delete;
  ZstdSink& operator=(const ZstdSink&) = delete;
  ~ZstdSink() override { ZSTD_freeCStream(stream_); }

  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void finish() override {
    run({}, ZSTD_e_end);
    to_->finish();
  }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer from{bytes.data(), bytes.size(), 0};
    for (;;) {
      ZSTD_outBuffer to{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(stream_, &to, &from, directive);
      if (ZSTD_isError(left)) fail();
      to_->write({buffer_.data(), to.pos});
      if (directive == ZSTD_e_end ? left == 0 : from.pos == from.size) return;
    }
  }

  ZSTD_CStream* stream_;
};

}  // namespace

std::unique_ptr<ByteSink> descriptor_sink(int descriptor, std::string name) {
  return std::make_unique<DescriptorSink>(descriptor, std::move(name));
}

std::unique_ptr<ByteSink> open_sink(const std::string& path) {
  if (path == "-") return descriptor_sink(STDOUT_FILENO, "<stdout>");
  auto file = std::make_unique<FileSink>(path);
  if (path.ends_with(".gz")) return std::make_unique<GzipSink>(std::move(file));
  if (path.ends_with(".xz")) return std::make_unique<XzSink>(std::move(file));
  if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(std::move(file));
  return file;
}

}  // namespace soba
