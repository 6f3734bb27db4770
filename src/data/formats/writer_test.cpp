#include "data/formats/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "data/testing.h"

namespace soba {
namespace {

using testing::copy;
using testing::error_of;
using testing::Example;
using testing::examples_of;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::temporary_path;
using testing::write_file;
using Examples = std::vector<Example>;

SourceOptions sized() {
  SourceOptions options;
  options.need_size = true;
  return options;
}

Schema schema_with(const std::vector<std::string>& labels,
                   const std::vector<std::string>& features) {
  Schema schema;
  schema.named_features = true;
  for (const std::string& label : labels) schema.labels.add(label);
  for (const std::string& feature : features) schema.features.add(feature);
  return schema;
}

class WriterFormats : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(All, WriterFormats,
                         ::testing::Combine(::testing::Values("libsvm", "csv", "jsonl"),
                                            ::testing::Values("", ".gz", ".xz", ".zst")));

TEST_P(WriterFormats, WhatIsWrittenReadsBackTheSame) {
  const auto [format, packing] = GetParam();
  std::string text;
  for (int i = 1; i < 500; ++i) {
    text += fmt::format("l{} 1:0.1{} 3:{}e-300 {}:-9.87654321098765e49\n", i % 3, i, i, 4 + i % 7);
  }
  Source source(write_file(".libsvm", text), sized(), {});
  const std::string path = temporary_path(std::string(".") + format + packing);
  copy(source, path, format);
  const std::string bytes = file_bytes(path);
  EXPECT_TRUE(*packing != '\0' || bytes.ends_with('\n'));
  EXPECT_EQ(examples_of(Source(path, sized(), {})), examples_of(source));
}

TEST(Writer, LibsvmHasShortestNumbersAndTheFilesOwnIndices) {
  Source source(write_file(".libsvm", "b 1:0.10 3:1e2\na 2:1.0\na\n"), {}, {});
  const std::string path = temporary_path(".libsvm");
  copy(source, path, "libsvm");
  EXPECT_EQ(file_bytes(path), "b 1:0.1 3:100\na 2:1\na\n");
  SourceOptions options;
  options.zero_based = true;
  Source zero(write_file(".libsvm", "b 0:5\na 2:1\n"), options, {});
  copy(zero, path, "libsvm");
  EXPECT_EQ(file_bytes(path), "b 0:5\na 2:1\n");
}

TEST(Writer, CsvHasAHeaderAndQuotesWhereNeeded) {
  Source source(write_file(".csv", "\"a,1\",c,label\n1.50,\"say \"\"hi\"\"\",\"x\ny\"\n,,no\n"),
                sized(), {});
  const std::string path = temporary_path(".csv");
  copy(source, path, "csv");
  EXPECT_EQ(file_bytes(path), "\"a,1\",\"c=say \"\"hi\"\"\",label\n1.5,1,\"x\ny\"\n0,0,no\n");
  EXPECT_EQ(examples_of(Source(path, sized(), {})), examples_of(source));
}

TEST(Writer, JsonlEscapesNamesAndLabels) {
  Source source(write_file(".csv", "\"q\"\"\",label\n1,\"x\ny\\\"\n2,é\n"), sized(), {});
  const std::string path = temporary_path(".jsonl");
  copy(source, path, "jsonl");
  EXPECT_EQ(
      file_bytes(path),
      "{\"label\":\"x\\u000ay\\\\\",\"x\":{\"q\\\"\":1}}\n{\"label\":\"é\",\"x\":{\"q\\\"\":2}}\n");
  EXPECT_EQ(examples_of(Source(path, sized(), {})), examples_of(source));
}

TEST(Writer, LibsvmRefusesLabelsThatItCannotHold) {
  for (const char* label : {"a b", "a:b", "a#b", "a\nb", ""}) {
    const Schema schema = schema_with({"ok", label}, {});
    EXPECT_THAT(error_of([&] { open_writer(temporary_path(".libsvm"), "libsvm", schema, 0); }),
                HasSubstr("use csv or jsonl"));
  }
}

TEST(Writer, CsvRefusesNamesThatAreNotDistinct) {
  const Schema schema = schema_with({"a", "b"}, {"x", "label"});
  EXPECT_THAT(error_of([&] { open_writer(temporary_path(".csv"), "csv", schema, 2); }),
              HasSubstr("\"label\""));
}

TEST(Writer, CsvRefusesFeaturesBeyondItsHeader) {
  const Schema schema = schema_with({"a", "b"}, {"x", "y"});
  const auto writer = open_writer(temporary_path(".csv"), "csv", schema, 1);
  const std::vector<Index> index = {1};
  const std::vector<double> value = {1};
  EXPECT_THAT(error_of([&] { writer->write({index, value}, 0); }), HasSubstr("known first"));
}

TEST(Writer, JsonlRefusesTextThatIsNotUtf8) {
  const Schema schema = schema_with({"a", "\xff"}, {});
  EXPECT_THAT(error_of([&] { open_writer(temporary_path(".jsonl"), "jsonl", schema, 0); }),
              HasSubstr("not UTF-8"));
}

TEST(Writer, ExamplesWithoutLabelReadBackWithout) {
  const Schema schema = schema_with({"a", "b"}, {"x"});
  const std::vector<Index> index = {0};
  const std::vector<double> value = {2};
  for (const char* format : {"csv", "jsonl", "libsvm"}) {
    const std::string path = temporary_path(std::string(".") + format);
    const auto writer = open_writer(path, format, schema, 1);
    writer->write({index, value}, kNoLabel);
    writer->finish();
    SourceOptions options;
    options.need_labels = false;
    const auto examples = examples_of(Source(path, options, {}));
    ASSERT_EQ(examples.size(), 1U);
    EXPECT_EQ(examples[0].label, "?");
    EXPECT_EQ(examples[0].x.begin()->second, 2);
  }
}

TEST(Writer, WithoutFinishTheOldFileStays) {
  const std::string path = write_file(".libsvm", "old");
  {
    const Schema schema = schema_with({"a", "b"}, {});
    open_writer(path, "libsvm", schema, 0)->write({}, 0);
  }
  EXPECT_EQ(file_bytes(path), "old");
}

TEST(Writer, UnknownFormatsAndFoldersAreErrors) {
  const Schema schema;
  EXPECT_THAT(
      error_of([&] { open_writer(temporary_path(""), "cvs", schema, 0); }, ErrorKind::kUsage),
      HasSubstr("did you mean 'csv'?"));
  error_of([&] { open_writer("/nowhere/x.csv", "csv", schema, 0); }, ErrorKind::kResource);
}

TEST(Writer, AFullDiskIsAnError) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP();
  const Schema schema = schema_with({"a", "b"}, {});
  const auto writer = make_writer(descriptor_sink(full, "<stdout>"), "libsvm", schema, 0);
  writer->write({}, 0);
  EXPECT_THAT(error_of([&] { writer->finish(); }, ErrorKind::kResource),
              HasSubstr("<stdout>: write failed: No space left"));
  ::close(full);
}

TEST(Writer, AClosedPipeIsAnError) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const auto sink = descriptor_sink(ends[1], "<stdout>");
  EXPECT_THAT(error_of([&] { sink->write("x"); }, ErrorKind::kResource), HasSubstr("Broken pipe"));
  std::signal(SIGPIPE, before);
  ::close(ends[1]);
}

}  // namespace
}  // namespace soba
