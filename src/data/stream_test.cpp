#include "data/stream.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "data/testing.h"

namespace soba {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::write_file;

// Rows that bring new names from the first block to the last.
std::string json_lines(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("{{\"label\":\"{}\",\"x\":{{\"n{}\":{},\"colour\":\"c{}\"}}}}\n", i % 3,
                        i / 500, i + 1, i / 700);
  }
  return text;
}

// A bad line whose names are in the schema all the same.
const std::string kBad = "{\"label\":\"0\",\"x\":{\"lost\":1,\"z\":null,\"list\":[1]}}\n";

std::string csv_lines(int rows, bool late_column) {
  std::string text = "label,size,colour,late\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("{},{},c{},{}\n", i % 3, 1 + i * 7 % rows, i / 700,
                        late_column && i < rows / 2 ? "" : "word");
  }
  return text;
}

std::string libsvm_lines(int rows) {
  std::string text;
  for (int i = 0; i < rows; ++i) text += fmt::format("{} {}:{}\n", i % 3, 1 + i / 100, i + 1);
  return text;
}

void expect_same_names(const Schema& found, const Schema& expected) {
  EXPECT_EQ(found.features.names(), expected.features.names());
  EXPECT_EQ(found.columns, expected.columns);
  EXPECT_EQ(found.text_columns, expected.text_columns);
}

// Plays the source and keeps a schema of its own; returns what the source knew before the end.
Schema follow(Source& source, Reading reading) {
  const std::unique_ptr<Stream> stream = source.open(reading);
  Schema schema = stream->schema();
  const Schema before = schema;
  while (const Block* block = stream->next()) {
    schema.extend(*block);
    const Index bias = schema.bias ? 1 : 0;
    for (const Index j : block->index) {
      if (schema.named_features) {
        EXPECT_LT(j, bias + schema.features.size());
      } else {
        EXPECT_THAT(block->found, IsEmpty());
      }
    }
    expect_same_names(stream->schema(), before);
  }
  expect_same_names(schema, source.schema());
  EXPECT_EQ(schema.labels.names(), source.schema().labels.names());
  return before;
}

class FoundNames : public ::testing::TestWithParam<Reading> {};

TEST_P(FoundNames, GiveTheSchemaOfTheSource) {
  const std::string jsonl = write_file(".jsonl", json_lines(9000));
  const std::string cache = testing::temporary_path(".soba");
  {
    Source source(jsonl, {}, {});
    testing::copy(source, cache, "cache");
  }
  const std::string libsvm = write_file(".libsvm", libsvm_lines(9000));
  for (const std::string& data : {jsonl, cache, libsvm, write_file(".csv", csv_lines(9000, true)),
                                  std::string("synsep:n=9000,seed=3")}) {
    for (const bool shuffled : {false, true}) {
      for (const bool prepared : {false, true}) {
        SCOPED_TRACE(fmt::format("{} {} {}", data, shuffled, prepared));
        SourceOptions options;
        options.passes = 2;
        options.limit = 8000;
        options.labels = {"0", "1", "2"};
        if (data.starts_with("synsep")) options.labels.clear();
        if (shuffled) options.shuffle = 5;
        options.bias = prepared;
        options.normalize = prepared ? "l2" : "none";
        Source source(data, options, {});
        follow(source, GetParam());
        follow(source, GetParam());  // everything is known now
      }
    }
  }
}

TEST_P(FoundNames, ComeFromBadLinesToo) {
  // 8192 entries of 2 features fill a block: bad lines at its end, and at the end of all.
  for (const int rows : {10, 8191, 8192, 8193, 16384}) {
    SourceOptions options;
    options.skip_bad = true;
    options.labels = {"0", "1", "2"};
    for (const std::int64_t passes : {1, 2}) {
      options.passes = passes;
      Source source(write_file(".jsonl", json_lines(rows) + kBad), options, {});
      follow(source, GetParam());
      EXPECT_TRUE(source.schema().features.find("lost"));
      EXPECT_EQ(source.skipped(), 1);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stream, FoundNames, ::testing::Values(Reading::kInTurn, Reading::kAhead));

// The names of a block are those of its own examples, not of the next ones.
TEST(Stream, ABlockBringsItsOwnNames) {
  SourceOptions options;
  options.labels = {"0", "1", "2"};
  for (const bool skip_bad : {false, true}) {
    options.skip_bad = skip_bad;
    Source source(write_file(".jsonl", json_lines(20000)), options, {});
    const std::unique_ptr<Stream> stream = source.open();
    Index known = 0, extent = 0;
    while (const Block* block = stream->next()) {
      known += static_cast<Index>(block->found.size());
      for (std::size_t i = 0; i < block->size(); ++i) {
        extent = std::max(extent, block->features(i).extent());
      }
      EXPECT_EQ(known, extent);
    }
  }
}

// The columns of a CSV file that is read only once are known from its header on, their kinds later.
TEST(Stream, KnowsTheColumnsOfAShortPipeBeforehand) {
  const testing::PipePath pipe(csv_lines(9000, true));
  SourceOptions options;
  options.labels = {"0", "1", "2"};
  options.format = "csv";
  Source source(pipe.path(), options, {});
  const Schema before = follow(source, Reading::kAhead);
  EXPECT_THAT(before.columns, ElementsAre("size", "colour", "late"));
  EXPECT_THAT(before.text_columns, ElementsAre(1, 2));
  EXPECT_THAT(source.schema().text_columns, ElementsAre(1, 2));
}

TEST(Stream, OfExamplesInMemoryKnowsEverything) {
  SourceOptions options;
  options.labels = {"0", "1", "2"};
  const Examples examples(write_file(".jsonl", json_lines(9000)), options);
  const std::unique_ptr<Stream> stream = examples.open({.shuffle = 3, .passes = 2});
  EXPECT_EQ(&stream->schema(), &examples.schema());
  EXPECT_GT(examples.schema().features.size(), 0);
  while (const Block* block = stream->next()) EXPECT_THAT(block->found, IsEmpty());
}

}  // namespace
}  // namespace soba
