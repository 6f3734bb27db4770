#include "data/formats/cache/stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/testing.h"

namespace soba {
namespace {

using testing::copy;
using testing::error_of;
using testing::Example;
using testing::examples_of;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::schema_with;
using testing::temporary_path;
using testing::write_file;

// The cache of all that a text file gives, as 'soba convert' makes it.
std::string cache_file(const std::string& path, const SourceOptions& options = {}) {
  Source source(path, options, {});
  std::string out = temporary_path(".soba");
  copy(source, out, "cache");
  return out;
}

// The cache of one example, or of none.
std::string cache_of(const Block& all, const Schema& schema) {
  std::string out = temporary_path(".soba");
  const auto writer = open_writer(out, "cache", schema, 0);
  if (all.size() > 0) writer->write(all.features(0), all.label[0]);
  writer->finish();
  return out;
}

struct Played {
  std::vector<std::string> labels;
  Shape first, last;
  std::optional<std::int64_t> rounds;
  std::vector<Example> examples;
  std::vector<std::string> features, columns;
  std::vector<double> low, span;
  friend bool operator==(const Played&, const Played&) = default;
};

Played played(const std::string& path, const SourceOptions& options, const Schema& schema = {}) {
  Source source(path, options, schema);
  Played out;
  out.labels = source.schema().labels.names();
  out.first = source.shape();
  out.rounds = source.rounds();
  out.examples = examples_of(source);
  out.last = source.shape();
  out.features = source.schema().features.names();
  out.columns = source.schema().columns;
  out.low = source.schema().low;
  out.span = source.schema().span;
  return out;
}

std::string libsvm_text(int lines = 4200) {
  std::string text;
  for (int i = 1; i <= lines; ++i) {
    text += fmt::format("l{} 1:-0.1{} 3:{}e-30 {}:9.8765\n", i * i % 11, i, i, 4 + i % 300);
  }
  return text;
}

std::string csv_text() {
  std::string text = "size,kind,when,label\n";
  for (int i = 1; i < 500; ++i) {
    text += fmt::format("{},{},{},{}\n", i % 7 * 0.5, i % 5 == 0 ? "" : fmt::format("k{}", i / 20),
                        i % 3, i % 4 == 0 ? "yes" : "no");
  }
  return text;
}

std::string jsonl_text() {
  std::string text;
  for (int i = 1; i < 500; ++i) {
    text += fmt::format(R"({{"label":{},"x":{{"w{}":{},"from":"c{}","b":0.5}}}})"
                        "\n",
                        i % 3, i / 50, i, i % 9);
  }
  return text;
}

class CacheAsData : public ::testing::TestWithParam<const char*> {
 protected:
  std::string text() const {
    const std::string_view format = GetParam();
    return format == "libsvm" ? libsvm_text() : format == "csv" ? csv_text() : jsonl_text();
  }
};
INSTANTIATE_TEST_SUITE_P(All, CacheAsData, ::testing::Values("libsvm", "csv", "jsonl"));

TEST_P(CacheAsData, IsPlayedAsTheTextIs) {
  const std::string path = write_file(std::string(".") + GetParam(), text());
  const std::string cache = cache_file(path);
  std::vector<SourceOptions> all(9);
  all[1].bias = true;
  all[2].scale = "minmax";
  all[3].scale = "maxabs";
  all[3].normalize = "l2";
  all[3].bias = true;
  all[4].shuffle = 3;
  all[4].limit = 100;
  all[5].limit = 4150;
  all[5].passes = 3;
  all[6].limit = 1;
  all[6].passes = 2;
  all[7].need_size = true;
  all[8].shuffle = 1;
  all[8].passes = 2;
  all[8].scale = "minmax";
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(played(cache, all[i]), played(path, all[i])) << "options " << i;
  }
}

TEST_P(CacheAsData, GivenLabelsNeedNoScanAndMayLeaveExamplesOut) {
  const std::string path = write_file(std::string(".") + GetParam(), text());
  const std::string cache = cache_file(path);
  SourceOptions options;
  options.labels = {"yes", "l3", "2", "no", "l1", "0", "l0", "l4", "1", "l5", "l9"};
  Played expected = played(path, options), found = played(cache, options);
  EXPECT_EQ(found.rounds, static_cast<std::int64_t>(expected.examples.size()));
  found.rounds = expected.rounds;
  EXPECT_EQ(found, expected);

  options.labels = {"l1", "0", "no", "l4"};
  EXPECT_THAT(error_of([&] { played(cache, options); }), HasSubstr("is not in the label set"));
  options.skip_bad = true;
  options.need_size = true;
  EXPECT_EQ(played(cache, options), played(path, options));
  Source source(cache, options, {});
  EXPECT_GT(source.skipped(), 0);
  EXPECT_THAT(source.first_skipped(), HasSubstr(".soba:"));
}

TEST_P(CacheAsData, AModelWithTheSameFeaturesGoesOn) {
  const std::string path = write_file(std::string(".") + GetParam(), text());
  const std::string cache = cache_file(path);
  SourceOptions some;
  some.limit = 100;
  Source text_source(path, some, {}), cache_source(cache, some, {});
  EXPECT_EQ(examples_of(cache_source), examples_of(text_source));
  SourceOptions rest;
  rest.passes = 2;
  const Schema schema = text_source.schema();
  EXPECT_EQ(played(cache, rest, schema).examples, played(path, rest, schema).examples);
  EXPECT_EQ(played(cache, rest, schema).features, played(path, rest, schema).features);
}

TEST(CacheAsDataNames, FeaturesOfAModelAreFoundByTheirNames) {
  const std::string cache = cache_file(write_file(".csv", "a,b,kind,label\n1,2,x,u\n3,4,y,v\n"));
  Schema schema = schema_with({"v", "u"});
  schema.named_features = true;
  for (const char* name : {"kind=y", "c", "b"}) schema.features.add(name);
  Source source(cache, {}, schema);
  EXPECT_EQ(examples_of(source),
            (std::vector<Example>{{"u", {{"a", 1}, {"b", 2}, {"kind=x", 1}}},
                                  {"v", {{"a", 3}, {"b", 4}, {"kind=y", 1}}}}));
  EXPECT_EQ(source.schema().features.names(),
            (std::vector<std::string>{"kind=y", "c", "b", "a", "kind=x"}));
}

TEST(CacheAsDataNames, NamesThatAreIndicesFitAModelOfIndices) {
  const std::string cache = cache_file(write_file(".jsonl",
                                                  "{\"label\":\"u\",\"x\":{\"7\":1,\"2\":3}}\n"
                                                  "{\"label\":\"v\",\"x\":{\"01\":1,\"1\":3}}\n"
                                                  "{\"label\":\"v\",\"x\":{\"word\":1}}\n"));
  SourceOptions options;
  options.skip_bad = true;
  Source source(cache, options, schema_with({"v", "u"}));
  EXPECT_EQ(examples_of(source), (std::vector<Example>{{"u", {{"2", 3}, {"7", 1}}}}));
  EXPECT_EQ(source.skipped(), 2);
  EXPECT_THAT(source.first_skipped(), HasSubstr(":2:1: two features of the example"));
}

TEST(CacheAsDataNames, AModelOfNamesRefusesIndices) {
  const std::string cache = cache_file(write_file(".libsvm", "a 1:1\nb 2:1\n"));
  Schema schema = schema_with({"a", "b"});
  schema.named_features = true;
  schema.features.add("x");
  EXPECT_THAT(error_of([&] { Source(cache, {}, schema); }), HasSubstr("or a cache made of them"));
}

TEST(CacheAsDataNames, PreparedExamplesKeepTheirNamesAndNoColumns) {
  SourceOptions options;
  options.bias = true;
  const std::string csv = write_file(".csv", "a,kind,label\n1,x,u\n3,y,v\n");
  const std::string cache = cache_file(csv, options);
  EXPECT_EQ(played(cache, {}).examples, played(csv, options).examples);
  EXPECT_EQ(played(cache, {}).features,
            (std::vector<std::string>{"bias", "a", "kind=x", "kind=y"}));
  EXPECT_TRUE(played(cache, {}).columns.empty());
  options.bias = true;
  EXPECT_THAT(error_of([&] { cache_file(write_file(".csv", "bias,label\n1,u\n3,v\n"), options); }),
              HasSubstr("two features are called \"bias\""));
}

TEST(CacheAsDataNames, WhereIndicesStartIsKept) {
  SourceOptions zero;
  zero.zero_based = true;
  const std::string text = write_file(".libsvm", "a 0:1 5:2\nb 3:1\n");
  const std::string cache = cache_file(text, zero);
  EXPECT_EQ(played(cache, {}), played(text, zero));
  EXPECT_EQ(played(cache, zero), played(text, zero));
  EXPECT_THAT(error_of([&] {
                Source(cache, {}, schema_with({"a", "b"}));
              }),
              HasSubstr("the indices start at 0 here, but at 1 in the model"));
  const std::string one = cache_file(write_file(".libsvm", "a 1:1\nb 3:1\n"));
  EXPECT_THAT(error_of([&] { Source(one, zero, {}); }, ErrorKind::kUsage),
              HasSubstr("start at 1; leave the option out"));
}

TEST(CacheAsDataLabels, TheSetAndItsOrderAreThoseOfTheWriter) {
  SourceOptions options;
  options.labels = {"c", "b", "a"};
  const std::string text = write_file(".libsvm", "a 1:1\nb 3:1\n");
  EXPECT_EQ(played(cache_file(text, options), {}).labels, options.labels);
  EXPECT_EQ(played(cache_file(write_file(".libsvm", "10 1:1\n9 3:1\n")), {}).labels,
            (std::vector<std::string>{"9", "10"}));
}

TEST(CacheAsDataLabels, ExamplesWithoutLabelAreBadOnlyWhereLabelsAreNeeded) {
  SourceOptions options;
  options.need_labels = false;
  options.labels = {"a", "b"};
  const std::string text = write_file(".libsvm", "a 1:1\n2:1\nb 3:1\n");
  const std::string cache = cache_file(text, options);
  EXPECT_EQ(played(cache, options).examples, played(text, options).examples);
  EXPECT_THAT(error_of([&] { played(cache, {}); }), HasSubstr(":2:1: expected a label"));
  SourceOptions skip;
  skip.skip_bad = true;
  EXPECT_EQ(played(cache, skip).examples.size(), 2U);
}

TEST(CacheAsDataLabels, OneLabelOrNoExampleIsNothingToLearnFrom) {
  const Schema schema = schema_with({"a"});
  EXPECT_THAT(error_of([&] { Source(cache_of({}, schema), {}, {}); }),
              HasSubstr("has no examples"));
  Block block;
  block.append({}, 0);
  EXPECT_THAT(error_of([&] { Source(cache_of(block, schema), {}, {}); }),
              HasSubstr("expected at least two different labels"));
}

TEST(CacheAsDataBytes, ItIsRecognisedUnderAnyNameAndWhenCompressed) {
  const std::string text = write_file(".libsvm", libsvm_text());
  Source source(text, {}, {});
  const std::vector<Example> expected = examples_of(source);
  for (const char* ending : {"", ".csv", ".soba.gz", ".soba.xz", ".zst"}) {
    const std::string path = temporary_path(ending);
    copy(source, path, "cache");
    SourceOptions twice;
    twice.passes = 2;
    const Played found = played(path, twice);
    EXPECT_EQ(found.examples.size(), 2 * expected.size()) << ending;
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.examples.begin())) << ending;
  }
  EXPECT_THAT(error_of([&] { Source(write_file(".soba", "1 1:1\n"), {}, {}); }),
              HasSubstr("is not a cache"));
  EXPECT_THAT(error_of([&] { Source(write_file(".soba", ""), {}, {}); }), HasSubstr(".soba:"));
  SourceOptions cache_format;
  cache_format.format = "cache";
  EXPECT_THAT(error_of([&] { Source(text, cache_format, {}); }), HasSubstr("is not a cache"));
}

TEST(CacheAsDataBytes, DamageEndsTheReadingEvenWhereBadRowsAreSkipped) {
  const std::string path = cache_file(write_file(".libsvm", libsvm_text(12'000)));
  std::string bytes = file_bytes(path);
  bytes[bytes.size() / 2] ^= 1;
  SourceOptions options;
  options.skip_bad = true;
  Source source(write_file(".soba", bytes), options, {});
  const auto stream = source.open();
  EXPECT_NE(stream->next(), nullptr);  // what is before the damage
  EXPECT_THAT(error_of([&] {
                while (stream->next() != nullptr) {
                }
              }),
              HasSubstr("block 2 of the cache is corrupt: its checksum does not match"));
  EXPECT_THROW(stream->next(), Error);  // and what is behind it does not come
}

// Blocks of ones leave values of blocks before them in no memory that is used again: more of them
// than are read ahead, before and behind the others.
TEST(CacheAsDataBlocks, OnesAreOnesBehindOtherValues) {
  std::string text;
  for (int block = 0; block < 36; ++block) {
    for (int i = 0; i < 4096; ++i) {
      text += std::to_string(i % 2) + (block / 3 == 5 ? " 1:2.5 3:7\n" : " 1:1 3:1\n");
    }
  }
  const std::string path = write_file(".libsvm", text);
  const std::string cache = cache_file(path);
  for (const Reading reading : {Reading::kInTurn, Reading::kAhead}) {
    std::vector<double> values[2];
    for (const std::string& data : {path, cache}) {
      Source source(data, {}, {});
      const auto stream = source.open(reading);
      while (const Block* block = stream->next()) {
        auto& all = values[data == cache];
        all.insert(all.end(), block->value.begin(), block->value.end());
      }
    }
    EXPECT_EQ(values[0], values[1]);
  }
}

}  // namespace
}  // namespace soba
