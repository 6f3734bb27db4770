#include "data/formats/cache/cache.h"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <random>
#include <tuple>

#include "data/formats/writer.h"
#include "data/testing.h"

namespace soba {
namespace {

using testing::error_of;
using testing::Example;
using testing::examples_of;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::schema_with;
using testing::temporary_path;
using testing::write_file;

// ---- Helpers ------------------------------------------------------------------------------------

class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string& bytes) : bytes_(bytes) {}
  void write(std::string_view bytes) override { bytes_ += bytes; }
  void finish() override {}

 private:
  std::string& bytes_;
};

std::string cache_of(const Block& all, const Schema& schema) {
  std::string bytes;
  const auto writer = make_cache_writer(std::make_unique<StringSink>(bytes), schema);
  for (std::size_t i = 0; i < all.size(); ++i) writer->write(all.features(i), all.label[i]);
  writer->finish();
  return bytes;
}

CacheFile open_bytes(const std::string& bytes) {
  return CacheFile(Input::memory(bytes, "test").whole(bytes.size()), "test");
}

// All examples, as the blocks of the file give them.
Block read_blocks(const std::string& bytes) {
  const CacheFile file = open_bytes(bytes);
  Block all;
  CacheBlock block;
  for (std::size_t i = 0; i < file.blocks(); ++i) {
    file.read(i, block);
    EXPECT_EQ(block.examples.index.size(), block.examples.begin.back());
    EXPECT_EQ(block.examples.value.size(), block.examples.begin.back());
    for (std::size_t j = 0; j < block.examples.size(); ++j) {
      all.append(block.examples.features(j), block.examples.label[j]);
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(all.size()), file.examples());
  return all;
}

void expect_same(const Block& found, const Block& expected) {
  EXPECT_EQ(found.begin, expected.begin);
  EXPECT_EQ(found.index, expected.index);
  EXPECT_EQ(found.label, expected.label);
  ASSERT_EQ(found.value.size(), expected.value.size());
  for (std::size_t i = 0; i < found.value.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found.value[i]),
              std::bit_cast<std::uint64_t>(expected.value[i]));
  }
}

// Examples whose features are up to `gap` apart, and whose values are what `value` draws.
Block random_block(int examples, int entries, int gap, const std::function<double()>& value,
                   std::mt19937& random) {
  Block block;
  for (int i = 0; i < examples; ++i) {
    std::vector<Index> index;
    std::vector<double> values;
    Index j = -1;
    for (auto left = static_cast<int>(random() % static_cast<unsigned>(entries + 1)); left > 0;
         --left) {
      j += 1 + static_cast<Index>(random() % static_cast<unsigned>(gap));
      if (j >= kMaxFeatures) break;
      index.push_back(j);
      values.push_back(value());
    }
    block.append({index, values}, static_cast<Label>(random() % 4) - 1);
  }
  return block;
}

// ---- Round trips --------------------------------------------------------------------------------

class CacheRoundTrip : public ::testing::TestWithParam<std::tuple<int, int>> {};
INSTANTIATE_TEST_SUITE_P(All, CacheRoundTrip,
                         ::testing::Combine(::testing::Values(0, 1, 2, 3, 4),
                                            ::testing::Values(1, 9, 254, 400, 70'000, 200'000)));

TEST_P(CacheRoundTrip, KeepsEveryBit) {
  const auto [kind, gap] = GetParam();
  std::mt19937 random(static_cast<unsigned>(kind * 1000 + gap));
  const std::function<double()> draws[] = {
      [] { return 1.0; },
      [&] { return static_cast<double>(random() % 127) - 128; },
      [&] { return static_cast<double>(random() % 32767) - 32768; },
      [&] { return static_cast<double>(static_cast<float>(random()) / 3e8F + 1e-6F); },
      [&] { return (static_cast<double>(random()) + 0.1) * 1e-300; },
  };
  for (const int entries : {0, 1, 3, 8, 60, 700}) {
    const int examples = entries == 1 ? 5000 : 300;
    const Block block =
        random_block(examples, entries, gap, draws[static_cast<std::size_t>(kind)], random);
    expect_same(read_blocks(cache_of(block, schema_with({"a", "b", "c"}))), block);
  }
}

TEST(Cache, BlocksOfDifferentKindsFollowEachOther) {
  std::mt19937 random(7);
  Block all;
  for (const double value : {1.0, 1.0, -3.0, 1.0, 0.1, 1.0}) {
    const Block part = random_block(
        1000, 200, 3, [&] { return value; }, random);
    for (std::size_t i = 0; i < part.size(); ++i) all.append(part.features(i), part.label[i]);
  }
  expect_same(read_blocks(cache_of(all, schema_with({"a", "b", "c"}))), all);
}

TEST(Cache, ExamplesMayBeLongAndFarApart) {
  Block block;
  for (const int step : {1, 3, 100, 255, 256}) {
    std::vector<Index> index;
    for (std::int64_t j = 0; j < kMaxFeatures - 1 && index.size() < 150'000; j += step) {
      index.push_back(static_cast<Index>(j));
    }
    index.push_back(kMaxFeatures - 1);
    block.append({index, std::vector<double>(index.size(), 1.0)}, 0);
  }
  const std::string bytes = cache_of(block, schema_with({"a", "b"}));
  EXPECT_EQ(open_bytes(bytes).extent(), kMaxFeatures);
  expect_same(read_blocks(bytes), block);
}

TEST(Cache, ManyLabelsTakeMoreBytesEach) {
  for (const int count : {254, 255, 256, 65'535, 65'536}) {
    Schema schema;
    Block block;
    const std::vector<Index> index = {3};
    const std::vector<double> value = {2};
    for (Label label = 0; label < count; ++label) {
      schema.labels.add(std::to_string(label));
      block.append({index, value}, label);
    }
    const std::string bytes = cache_of(block, schema);
    EXPECT_EQ(open_bytes(bytes).labels().names(), schema.labels.names());
    expect_same(read_blocks(bytes), block);
  }
}

TEST(Cache, ZerosAndDenseExamplesBecomeSparse) {
  std::string bytes;
  const Schema schema = schema_with({"a", "b"});
  const auto writer = make_cache_writer(std::make_unique<StringSink>(bytes), schema);
  const std::vector<double> dense = {0.0, 2.5, -0.0, 4};
  writer->write({{}, dense}, 1);
  writer->finish();
  const Block block = read_blocks(bytes);
  EXPECT_EQ(block.index, (std::vector<Index>{1, 3}));
  EXPECT_EQ(block.value, (std::vector<double>{2.5, 4}));
  EXPECT_EQ(block.label, (std::vector<Label>{1}));
}

TEST(Cache, AByteAnEntryWhereValuesAreOnesAndFeaturesAreNear) {
  std::mt19937 random(1);
  const Block block = random_block(
      2000, 94, 8, [] { return 1.0; }, random);
  EXPECT_LT(cache_of(block, schema_with({"a", "b", "c"})).size(),
            block.index.size() + 2 * block.size() + 500);
}

// ---- Damage -------------------------------------------------------------------------------------

std::string small_cache() {
  std::mt19937 random(3);
  const Block block = random_block(
      40, 5, 300, [&] { return 0.1 + static_cast<double>(random() % 3); }, random);
  return cache_of(block, schema_with({"a", "b", "c"}));
}

TEST(CacheDamage, EveryChangedByteIsNoticed) {
  const std::string good = small_cache();
  read_blocks(good);
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int change : {1, 0x80, 0xFF}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      EXPECT_THROW(read_blocks(bad), Error) << "byte " << i;
    }
  }
}

TEST(CacheDamage, EveryTruncationIsNoticed) {
  const std::string good = small_cache();
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(read_blocks(good.substr(0, size)), Error) << size << " bytes";
  }
  EXPECT_THROW(read_blocks(good + '\0'), Error);
  EXPECT_THROW(read_blocks(good + good), Error);
}

TEST(CacheDamage, BlocksThatChangedPlacesAreNoticed) {
  Block all;
  std::vector<Index> index = {1};
  for (int i = 0; i < 8192; ++i) all.append({index, std::vector<double>{1}}, i < 4096 ? 0 : 1);
  std::string bytes = cache_of(all, schema_with({"a", "b"}));
  ASSERT_EQ(open_bytes(bytes).blocks(), 2U);
  constexpr std::size_t kSize = 24 + 3 * 4096;
  std::swap_ranges(bytes.begin() + 24, bytes.begin() + 24 + kSize, bytes.begin() + 24 + kSize);
  EXPECT_THAT(error_of([&] { read_blocks(bytes); }),
              HasSubstr("test: byte 24: block 1 of the cache is corrupt: its checksum"));
}

TEST(CacheDamage, MessagesSayTheFileThePlaceAndTheReason) {
  const std::string good = small_cache();
  const auto message = [](const std::string& bytes) {
    return error_of([&] { read_blocks(bytes); });
  };
  EXPECT_THAT(message("1 1:1\n"), HasSubstr("test: is not a cache"));
  EXPECT_THAT(message("SOBAMDL\n1234"), HasSubstr("test: is a model, not data"));
  EXPECT_THAT(message(good.substr(0, 100)), HasSubstr("test: byte 100: the cache is truncated"));
  std::string newer = good;
  newer[8] = 3;
  EXPECT_THAT(message(newer), HasSubstr("format version 3, and this program reads versions 1 to 2; "
                                        "make the cache anew"));
}

// ---- Words for columns --------------------------------------------------------------------------

constexpr std::string_view kWordy =
    "label,zip,id,age\n"
    "a,1,x,3\n"
    "b,2,y,?\n";

SourceOptions wordy() {
  SourceOptions options;
  options.categorical = {"zip"};
  options.ignore = {"id"};
  options.missing = {"?", "none"};
  return options;
}

// A cache of kWordy, read as `options` say.
std::string wordy_cache(const SourceOptions& options) {
  Source text(write_file(".csv", kWordy), options, Schema{});
  std::string path = temporary_path(".soba");
  testing::copy(text, path, "cache");
  return path;
}

TEST(Cache, KeepsTheWordsOfTheOptionsAboutColumns) {
  const std::string path = wordy_cache(wordy());
  EXPECT_EQ(file_bytes(path)[8], 2);  // the version
  Source cache(path, {}, Schema{});
  EXPECT_EQ(cache.schema().categorical, wordy().categorical);
  EXPECT_EQ(cache.schema().ignore, wordy().ignore);
  EXPECT_EQ(cache.schema().missing, wordy().missing);
  // A copy has them, too.
  const std::string copied = temporary_path(".soba");
  testing::copy(cache, copied, "cache");
  EXPECT_EQ(file_bytes(copied), file_bytes(path));
  // Given again they are no contradiction, others are.
  EXPECT_EQ(examples_of(Source(path, wordy(), Schema{})), examples_of(cache));
  SourceOptions other = wordy();
  other.missing = {"?"};
  EXPECT_THAT(error_of([&] { Source(path, other, Schema{}); }, ErrorKind::kUsage),
              HasSubstr("missing: "));
}

TEST(Cache, WithoutSuchWordsHasVersion1AndTakesThoseForMissingValuesLater) {
  const std::string path = wordy_cache({});
  EXPECT_EQ(file_bytes(path)[8], 1);
  SourceOptions later;
  later.missing = {"?"};
  EXPECT_EQ(Source(path, later, Schema{}).schema().missing, later.missing);
  EXPECT_THAT(error_of([&] { Source(path, wordy(), Schema{}); }, ErrorKind::kUsage),
              HasSubstr("categorical: "));
}

TEST(CacheDamage, WordsThatAreNotThereAreNoticed) {
  const std::string good = file_bytes(wordy_cache(wordy()));
  // "none" is the last word, behind its length. What follows are three empty lists, how values are
  // read, sum and trailer.
  const std::size_t word = good.size() - 24 - sizeof(CacheValues) - 3 * 4 - 4;
  ASSERT_EQ(good.substr(word, 4), "none");
  std::uint64_t footer = 0;
  std::memcpy(&footer, good.data() + good.size() - 16, sizeof footer);
  for (const char length : {'\3', '\5', '\xFF'}) {
    std::string bytes = good;
    bytes[word - 4] = length;
    const std::uint64_t sum =
        cache_sum(std::string_view(bytes).substr(footer, bytes.size() - 24 - footer), footer);
    std::memcpy(bytes.data() + bytes.size() - 24, &sum, sizeof sum);
    EXPECT_THAT(error_of([&] { open_bytes(bytes); }), HasSubstr("names in its footer"));
  }
}

// As the header of a CSV file would be.
TEST(Cache, AModelTaughtWithCsvTakesNoOtherColumns) {
  const std::string path = wordy_cache(wordy());
  Schema schema = Source(path, {}, Schema{}).schema();
  schema.features = {};
  schema.features.add("age");  // new texts are still to come
  EXPECT_EQ(examples_of(Source(path, {}, schema)).size(), 2U);
  schema.columns = {"zip", "ages"};
  schema.features = {};
  schema.features.add("ages");
  EXPECT_THAT(error_of([&] { Source(path, {}, schema); }),
              HasSubstr("\"age\" is not of a column of the model; did you mean \"ages\"?"));
}

// A cache whose parts can be made wrong without the checksums telling.
class Forgery {
 public:
  Forgery() {
    Block block;
    const std::vector<Index> near = {1, 4}, far = {0, 70'000};
    const std::vector<double> value = {0.1, 2};
    block.append({near, value}, 0);
    block.append({far, value}, kNoLabel);
    block.append({near, value}, 1);
    bytes_ = cache_of(block, schema_with({"a", "b"}));
    footer_ = load(bytes_.size() - 16);
  }

  // Offsets in the only block, see docs/formats.md.
  static constexpr std::size_t kBlock = 24, kValues = kBlock + 24,
                               kPlaces = kValues + 6 * sizeof(double), kEscapes = kPlaces + 4,
                               kCounts = kEscapes + 4, kLabels = kCounts + 3,
                               kDifferences = kLabels + 3;
  std::size_t footer() const { return footer_; }

  template <class T>
  Forgery& put(std::size_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
    return *this;
  }
  // What reading it says.
  std::string message() {
    const std::string_view bytes = bytes_;
    put(16, cache_sum(bytes.substr(0, 16), 0));
    put(kBlock, cache_sum(bytes.substr(kBlock + 8, footer_ - kBlock - 8), kBlock));
    put(bytes.size() - 24, cache_sum(bytes.substr(footer_, bytes.size() - 24 - footer_), footer_));
    return error_of([&] { read_blocks(bytes_); });
  }

 private:
  std::uint64_t load(std::size_t offset) const {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string bytes_;
  std::size_t footer_ = 0;
};

TEST(CacheDamage, ContentThatCannotBeIsRefusedWhateverTheChecksums) {
  const std::size_t footer = Forgery().footer();
  using F = Forgery;
  EXPECT_THAT(F().put<std::uint32_t>(12, 4).message(), HasSubstr("unknown flags"));
  EXPECT_THAT(F().put<std::uint8_t>(F::kCounts, 3).message(), HasSubstr("as many entries"));
  EXPECT_THAT(F().put<std::uint8_t>(F::kLabels, 3).message(), HasSubstr("a label out of range"));
  EXPECT_THAT(F().put<std::uint64_t>(footer + 16, 0).message(), HasSubstr("a label out of range"));
  // Labels of four bytes, in the room of the one escape: −1 would overflow.
  EXPECT_THAT(F().put<std::uint32_t>(F::kBlock + 16, 0)
                  .put<std::uint8_t>(F::kBlock + 20, 4)
                  .put<std::uint32_t>(F::kPlaces, 0x020202)
                  .put<std::uint32_t>(F::kPlaces + 3, 0x80000000)
                  .message(),
              HasSubstr("a label out of range"));
  EXPECT_THAT(F().put<std::uint8_t>(F::kDifferences, 0).message(), HasSubstr("do not ascend"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kPlaces, 2).message(), HasSubstr("do not ascend"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kPlaces, 6).message(), HasSubstr("do not ascend"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kEscapes, 0).message(), HasSubstr("do not ascend"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kEscapes, 70'001).message(),
              HasSubstr("beyond the highest"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kEscapes, ~0U).message(), HasSubstr("beyond the highest"));
  for (const double value : {0.0, -0.0, HUGE_VAL, std::nan(""), -1.1e50}) {
    EXPECT_THAT(F().put(F::kValues + 8, value).message(), HasSubstr("a value that is zero"));
  }
  EXPECT_THAT(F().put<std::uint32_t>(F::kBlock + 8, 2).message(), HasSubstr("other counts"));
  EXPECT_THAT(F().put<std::uint32_t>(F::kBlock + 16, 0).message(), HasSubstr("its size"));
  EXPECT_THAT(F().put<std::uint8_t>(F::kBlock + 20, 3).message(), HasSubstr("unknown kind"));
  EXPECT_THAT(F().put<std::uint8_t>(F::kBlock + 23, 5).message(), HasSubstr("unknown kind"));
  EXPECT_THAT(F().put<std::uint64_t>(footer, 4).message(), HasSubstr("its blocks are not what"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 24, 70'000).message(),
              HasSubstr("beyond the highest"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 28, ~0U).message(), HasSubstr("more blocks"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 32, 1).message(), HasSubstr("names in its footer"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 32, 3).message(), HasSubstr("names in its footer"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 32, ~0U).message(), HasSubstr("wrong numbers"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 36, 1).message(), HasSubstr("wrong numbers"));
  EXPECT_THAT(F().put<std::uint32_t>(footer + 44, 1).message(),
              HasSubstr("a column is out of range"));
  EXPECT_THAT(F().put<std::uint64_t>(footer + 48, 32).message(), HasSubstr("its blocks are not"));
  EXPECT_THAT(F().put<char>(footer + 48 + 16 + 4, 'b').message(), HasSubstr("names in its footer"));
}

TEST(Cache, AFileThatIsCutShortWhileItIsReadIsAnError) {
  Schema schema;
  for (const char* label : {"a", "b"}) schema.labels.add(label);
  Block all;
  const std::vector<Index> index = {0, 3};
  const std::vector<double> value = {0.5, 2};
  for (int i = 0; i < 10000; ++i) all.append({index, value}, i % 2);
  const std::string path = testing::write_file(".soba", cache_of(all, schema));
  Source source(path, {}, {});
  const std::unique_ptr<Stream> stream = source.open();
  ASSERT_NE(stream->next(), nullptr);
  std::filesystem::resize_file(path, 100);
  EXPECT_THAT(testing::error_of([&] {
                while (stream->next() != nullptr) {
                }
              }),
              ::testing::HasSubstr(path + ": was cut short while it was read"));
}

}  // namespace
}  // namespace soba
