#include "data/bytes/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "data/bytes/sink.h"
#include "data/testing.h"

namespace soba {
namespace {

using testing::error_of;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::temporary_path;
using testing::write_file;

std::string all_of(ByteSource& source) { return read_up_to(source, std::size_t{1} << 30); }
std::string read_path(const std::string& path) { return all_of(*Input::open_path(path).open()); }

std::string long_text() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

std::string compressed(const std::string& ending, std::string_view text) {
  const std::string path = temporary_path(ending);
  const std::unique_ptr<ByteSink> sink = open_sink(path);
  sink->write(text);
  sink->finish();
  return file_bytes(path);
}

class Compressed : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, Compressed, ::testing::Values(".gz", ".xz", ".zst"),
                         [](const auto& format) { return std::string(format.param + 1); });

TEST_P(Compressed, IsKnownByItsMagicBytesAndNotByItsName) {
  const std::string text = long_text();
  const std::string bytes = compressed(GetParam(), text);
  EXPECT_LT(bytes.size(), text.size());
  EXPECT_EQ(read_path(write_file(".txt", bytes)), text);
}

TEST_P(Compressed, MembersInARowAreOneInput) {
  const std::string bytes = compressed(GetParam(), "one\n") + compressed(GetParam(), "") +
                            compressed(GetParam(), long_text());
  EXPECT_EQ(read_path(write_file(".bin", bytes)), "one\n" + long_text());
}

TEST_P(Compressed, TruncatedInputIsAnErrorThatNamesTheFile) {
  const std::string bytes = compressed(GetParam(), long_text());
  for (const std::size_t size : {std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    const std::string path = write_file(".bin", bytes.substr(0, size));
    const std::string message = error_of([&] { read_path(path); });
    EXPECT_THAT(message, HasSubstr(path));
    EXPECT_THAT(message, HasSubstr("truncated"));
  }
}

TEST_P(Compressed, CorruptInputIsAnErrorThatNamesTheFile) {
  std::string bytes = compressed(GetParam(), long_text());
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 64; ++i) bytes[i] ^= '\x5a';
  const std::string path = write_file(".bin", bytes);
  EXPECT_THAT(error_of([&] { read_path(path); }), HasSubstr(path));
}

TEST_P(Compressed, BytesBehindTheLastMemberAreAnError) {
  const std::string path = write_file(".bin", compressed(GetParam(), "one\n") + "garbage garbage");
  EXPECT_THAT(error_of([&] { read_path(path); }), HasSubstr("corrupt"));
}

TEST_P(Compressed, SmallReadsGiveTheSameBytes) {
  const std::string bytes = compressed(GetParam(), long_text());
  const auto source = decompressed(memory_bytes(bytes), "test");
  std::string text;
  char chunk[7];
  while (const std::size_t count = source->read(chunk, sizeof chunk)) text.append(chunk, count);
  EXPECT_EQ(text, long_text());
}

TEST(Input, ReadsARegularFileTwice) {
  Input input = Input::open_path(write_file(".txt", "abc"));
  EXPECT_TRUE(input.rereadable());
  EXPECT_EQ(input.head(), "abc");
  EXPECT_EQ(all_of(*input.open()), "abc");
  EXPECT_EQ(all_of(*input.open()), "abc");
}

// All that whole() has.
std::string bytes_of(const RandomBytes& bytes) {
  std::vector<char> buffer;
  return std::string(bytes.read(0, bytes.size(), buffer));
}

TEST_P(Compressed, WholeIsDecompressedUpToALimit) {
  const std::string path = write_file(".bin", compressed(GetParam(), long_text()));
  EXPECT_EQ(bytes_of(*Input::open_path(path).whole(long_text().size())), long_text());
  EXPECT_EQ(Input::open_path(path).whole(long_text().size() - 1), nullptr);
}

TEST(Input, WholeOfAPlainFileStaysInItWhateverItsSize) {
  const std::string path = write_file(".txt", long_text());
  const auto bytes = Input::open_path(path).whole(0);
  EXPECT_EQ(bytes_of(*bytes), long_text());
  std::vector<char> buffer;
  EXPECT_EQ(bytes->read(7, 5, buffer), long_text().substr(7, 5));
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_EQ(bytes_of(*bytes), long_text());  // a file that is replaced stays as it was
  EXPECT_EQ(bytes_of(*Input::open_path(write_file(".txt", "")).whole(0)), "");
  EXPECT_EQ(bytes_of(*Input::memory("hello", "test").whole(5)), "hello");
}

TEST(Input, AFileThatIsCutShortIsAnError) {
  const std::string path = write_file(".txt", long_text());
  const auto bytes = Input::open_path(path).whole(0);
  ASSERT_EQ(::truncate(path.c_str(), 10), 0);
  std::vector<char> buffer;
  EXPECT_EQ(bytes->read(0, 10, buffer), long_text().substr(0, 10));
  EXPECT_THAT(error_of([&] { bytes->read(5, 10, buffer); }),
              HasSubstr(path + ": was cut short while it was read"));
}

TEST(Input, Latin1BecomesUtf8) {
  const std::string text = "caf\xE9 \x80\xFF";
  EXPECT_EQ(all_of(*latin1_bytes(memory_bytes(text))), "café \xC2\x80ÿ");
  EXPECT_EQ(all_of(*latin1_bytes(std::make_unique<testing::Trickle>(text))), "café \xC2\x80ÿ");
}

TEST(Input, NamesThePathAndTheReasonWhenItCannotBeOpened) {
  const std::string path = temporary_path(".none");
  const std::string message = error_of([&] { Input::open_path(path); });
  EXPECT_THAT(message, HasSubstr(path));
  EXPECT_THAT(message, HasSubstr("No such file"));
  EXPECT_THAT(error_of([&] { Input::open_path(::testing::TempDir()); }), HasSubstr("directory"));
  if (::geteuid() != 0) {
    const std::string closed = write_file(".txt", "abc");
    ::chmod(closed.c_str(), 0);
    EXPECT_THAT(error_of([&] { Input::open_path(closed); }), HasSubstr("Permission denied"));
  }
}

struct Pipe {
  int ends[2];
  Pipe() { EXPECT_EQ(::pipe(ends), 0); }
  void fill(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(ends[1], bytes.data(), bytes.size());
      if (count <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    ::close(ends[1]);
  }
};

TEST(Input, PeeksIntoAPipeWithoutLosingBytes) {
  Pipe pipe;
  pipe.fill("hello");
  Input input = Input::descriptor(pipe.ends[0], "<stdin>", true);
  EXPECT_FALSE(input.rereadable());
  EXPECT_EQ(input.head(), "hello");
  EXPECT_EQ(all_of(*input.open()), "hello");
}

TEST(Input, BuffersASmallPipe) {
  Pipe pipe;
  pipe.fill("hello");
  Input input = Input::descriptor(pipe.ends[0], "<stdin>", true);
  EXPECT_EQ(input.head(), "hello");
  EXPECT_TRUE(input.buffer(5));
  EXPECT_EQ(all_of(*input.open()), "hello");
  EXPECT_EQ(all_of(*input.open()), "hello");
}

TEST(Input, DoesNotBufferALargePipe) {
  Pipe pipe;
  pipe.fill("hello!");
  Input input = Input::descriptor(pipe.ends[0], "<stdin>", true);
  EXPECT_FALSE(input.buffer(5));
}

TEST(Input, DecompressesAPipe) {
  Pipe pipe;
  pipe.fill(compressed(".gz", "hello"));
  Input input = Input::descriptor(pipe.ends[0], "<stdin>", true);
  EXPECT_EQ(input.head(), "hello");
}

TEST(Input, AFailingReadIsAnError) {
  const int folder = ::open("/tmp", O_RDONLY);
  EXPECT_THAT(error_of([&] { Input::descriptor(folder, "<stdin>", true); }),
              HasSubstr("<stdin>: cannot read"));
}

}  // namespace
}  // namespace soba
