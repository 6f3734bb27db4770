#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

#include "data/scan.h"
#include "data/stream.h"
#include "data/testing.h"

namespace soba {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using testing::Example;
using testing::examples_of;
using ::testing::HasSubstr;
using testing::PipePath;
using testing::read_text;
using testing::temporary_path;
using testing::write_file;
using Examples = std::vector<Example>;

SourceOptions labelled(std::vector<std::string> labels) {
  SourceOptions options;
  options.labels = std::move(labels);
  return options;
}

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += (i % 2 ? "a 1:" : "b 1:") + std::to_string(i) + "\n";
  return text;
}

std::vector<double> values_of(const Examples& examples) {
  std::vector<double> values;
  for (const Example& example : examples) values.push_back(example.x.at("1"));
  return values;
}

// ---- Labels -------------------------------------------------------------------------------------

TEST(Labels, AreSortedAsNumbersWhereAllAreNumbers) {
  Source source(write_file(".libsvm", "10 1:1\n9 1:1\n-1 1:1\n+2 1:1\n"), {}, {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("-1", "+2", "9", "10"));
}

TEST(Labels, AreSortedBytewiseOtherwise) {
  Source source(write_file(".libsvm", "b 1:1\n10 1:1\nB 1:1\n9 1:1\n"), {}, {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("10", "9", "B", "b"));
}

TEST(Labels, AreKeptAsFirstWritten) {
  Source source(write_file(".libsvm", "1 1:1\n1.0 1:1\n+1 1:1\n"), {}, {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("1", "1.0"));
}

TEST(Labels, MayBeGivenInAnyOrder) {
  Source source(write_file(".libsvm", "b 1:1\n"), labelled({"c", "b", "a"}), {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("c", "b", "a"));
  EXPECT_EQ(source.shape().classes, 3);
}

TEST(Labels, MayBeGivenByTheirNumber) {
  SourceOptions options;
  options.classes = 3;
  Source source(write_file(".libsvm", "2 1:1\n"), options, {});
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("1", "2", "3"));
}

TEST(Labels, OfAModelStay) {
  Schema schema;
  schema.labels.add("z");
  schema.labels.add("a");
  Source source(write_file(".libsvm", "a 1:1\n"), {}, schema);
  EXPECT_THAT(source.schema().labels.names(), ElementsAre("z", "a"));
  const std::string path = write_file(".libsvm", "a 1:1\n");
  error_of([&] { Source(path, labelled({"a", "z"}), schema); }, ErrorKind::kUsage);
  EXPECT_NO_THROW(Source(path, labelled({"z", "a"}), schema));
}

TEST(Labels, FewerThanTwoAreAnError) {
  const std::string path = write_file(".libsvm", "a 1:1\na 1:2\n");
  EXPECT_THAT(error_of([&] { Source(path, {}, {}); }),
              AllOf(HasSubstr(path), HasSubstr("at least two different labels")));
  error_of([&] { Source(path, labelled({"a"}), {}); }, ErrorKind::kUsage);
}

TEST(Labels, ContradictionsAreUsageErrors) {
  const std::string path = write_file(".libsvm", "a 1:1\n");
  SourceOptions both = labelled({"a", "b"});
  both.classes = 2;
  EXPECT_THAT(error_of([&] { Source(path, both, {}); }, ErrorKind::kUsage), HasSubstr("'classes'"));
  error_of([&] { Source(path, labelled({"a", "a"}), {}); }, ErrorKind::kUsage);
  error_of([&] { Source(path, labelled({"a", ""}), {}); }, ErrorKind::kUsage);
  SourceOptions one;
  one.classes = 1;
  error_of([&] { Source(path, one, {}); }, ErrorKind::kUsage);
}

TEST(Labels, OutsideTheKnownSetAreLocatedWithSomeOfTheSet) {
  SourceOptions options;
  options.classes = 100;
  const std::string path = write_file(".libsvm", "7 1:1\n101 1:1\n");
  EXPECT_EQ(
      error_of([&] { examples_of(Source(path, options, {})); }),
      path + ":2:1: label \"101\" is not in the label set (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)");
}

// ---- Formats ------------------------------------------------------------------------------------

Format format_of(const std::string& path) { return Origin(path, labelled({"a", "b"})).format(); }

TEST(FormatDetection, GoesByTheExtension) {
  for (const char* ending : {".libsvm", ".svm", ".svmlight", ".libsvm.gz", ".svm.xz"}) {
    EXPECT_EQ(format_of(write_file(ending, "x")), Format::kLibsvm) << ending;
  }
  for (const char* ending : {".csv", ".tsv", ".csv.zst"}) {
    EXPECT_EQ(format_of(write_file(ending, "x")), Format::kCsv) << ending;
  }
  for (const char* ending : {".jsonl", ".ndjson", ".json", ".jsonl.gz"}) {
    EXPECT_EQ(format_of(write_file(ending, "x")), Format::kJsonl) << ending;
  }
}

TEST(FormatDetection, ElseByTheFirstLine) {
  EXPECT_EQ(format_of(write_file("", "\n \r\n {\"x\":[]}")), Format::kJsonl);
  EXPECT_EQ(format_of(write_file("", "# made by hand\n1 3:4\n")), Format::kLibsvm);
  EXPECT_EQ(format_of(write_file(".dat",
                                 "\xEF\xBB\xBF"
                                 "3:0.5 4:1\n")),
            Format::kLibsvm);
  EXPECT_EQ(format_of(write_file("", "time 12:30,label\n")), Format::kCsv);
  EXPECT_EQ(format_of(write_file("", "a\tlabel\n")), Format::kCsv);
  EXPECT_EQ(format_of(write_file("", "a;label\n")), Format::kCsv);
}

TEST(FormatDetection, ElseAsksForTheFormat) {
  const std::string path = write_file("", "hello world\n");
  EXPECT_THAT(error_of([&] { Source(path, {}, {}); }),
              AllOf(HasSubstr(path), HasSubstr("option 'format'")));
  SourceOptions options;
  options.format = "cvs";
  EXPECT_THAT(error_of([&] { Source(path, options, {}); }, ErrorKind::kUsage),
              HasSubstr("did you mean 'csv'?"));
}

// ---- Reading ------------------------------------------------------------------------------------

TEST(Source, ReadsAFileWithoutAScanWhereTheLabelsAreKnown) {
  Source source(write_file(".libsvm", "a 1:1\nb 5:2\nbad bad\n"), labelled({"a", "b"}), {});
  EXPECT_EQ(source.shape(), (Shape{2, 0}));
  EXPECT_EQ(source.rounds(), std::nullopt);
  const std::unique_ptr<Stream> stream = source.open();
  ASSERT_NE(stream->next(), nullptr);
  EXPECT_EQ(source.shape(), (Shape{2, 5}));
  EXPECT_THAT(error_of([&] { stream->next(); }), HasSubstr(":3:5: expected index:value"));
}

TEST(Source, KnowsItsSizeAfterAScan) {
  SourceOptions options = labelled({"a", "b"});
  options.need_size = true;
  options.bias = true;
  options.limit = 2;
  options.passes = 3;
  Source source(write_file(".libsvm", "a 1:1\nb 5:2\na 2:1\n"), options, {});
  EXPECT_EQ(source.shape(), (Shape{2, 6}));
  EXPECT_EQ(source.rounds(), 6);
  EXPECT_EQ(examples_of(source).size(), 6U);
}

TEST(Source, AnEmptyFileIsAnError) {
  for (const char* ending : {".libsvm", ".csv", ".jsonl", ""}) {
    for (const char* text : {"", "\n\n"}) {
      for (const SourceOptions& options : {SourceOptions{}, labelled({"a", "b"})}) {
        const std::string path = write_file(ending, text);
        EXPECT_EQ(error_of([&] { examples_of(Source(path, options, {})); }),
                  path + ": has no examples");
      }
    }
  }
  const std::string header = write_file(".csv", "a,label\n");
  EXPECT_EQ(error_of([&] { Source(header, {}, {}); }), header + ": has no examples");
}

TEST(Source, MissingFilesAndFoldersAreErrors) {
  EXPECT_THAT(error_of([] { Source("/nowhere/x.csv", {}, {}); }),
              HasSubstr("/nowhere/x.csv: cannot open: No such file"));
  EXPECT_THAT(error_of([] { Source("/tmp", {}, {}); }), HasSubstr("/tmp: is a directory"));
  EXPECT_THAT(error_of([] { Source("synsap:n=5", {}, {}); }),
              HasSubstr("did you mean the generator 'synsep'?"));
}

TEST(Source, SkipsAndCountsBadLines) {
  SourceOptions options;
  options.skip_bad = true;
  const std::string path = write_file(".libsvm", "a 1:1\nb 0:1\nb 1:2\na x\n");
  Source source(path, options, {});
  EXPECT_EQ(values_of(examples_of(source)), (std::vector<double>{1, 2}));
  EXPECT_EQ(source.skipped(), 2);
  EXPECT_THAT(source.first_skipped(), HasSubstr(path + ":2:3: expected an index from 1 on"));
}

TEST(Source, SaysWhyNothingIsLeft) {
  SourceOptions options = labelled({"a", "b"});
  options.skip_bad = true;
  const std::string path = write_file(".libsvm", "c 1:1\n");
  EXPECT_THAT(
      error_of([&] { examples_of(Source(path, options, {})); }),
      HasSubstr("has no examples (1 bad line left out, the first: " + path + ":1:1: label"));
}

TEST(Source, BlocksAreBounded) {
  Source source(write_file(".libsvm", numbered_lines(10000)), {}, {});
  const std::unique_ptr<Stream> stream = source.open();
  std::size_t count = 0;
  while (const Block* block = stream->next()) {
    EXPECT_LE(block->size(), 4096U);
    count += block->size();
  }
  EXPECT_EQ(count, 10000U);
}

TEST(Source, RepeatsPassesAndLimitsEach) {
  SourceOptions options;
  options.passes = 2;
  options.limit = 3;
  EXPECT_EQ(values_of(read_text(numbered_lines(5), options)),
            (std::vector<double>{1, 2, 3, 1, 2, 3}));
  options.limit = 9;
  EXPECT_EQ(values_of(read_text(numbered_lines(2), options)), (std::vector<double>{1, 2, 1, 2}));
}

TEST(Source, CanBeOpenedAgain) {
  SourceOptions options = labelled({"a", "b"});
  Source source(write_file(".libsvm", numbered_lines(3)), options, {});
  EXPECT_EQ(examples_of(source), examples_of(source));
}

TEST(Source, RefusesSenselessNumbers) {
  SourceOptions options;
  options.limit = -1;
  error_of([&] { Source("synsep", options, {}); }, ErrorKind::kUsage);
  options.limit = 0;
  options.passes = 0;
  error_of([&] { Source("synsep", options, {}); }, ErrorKind::kUsage);
}

TEST(Source, RefusesOptionsThatTheModelContradicts) {
  const std::string path = write_file(".libsvm", numbered_lines(4));
  SourceOptions options;
  options.bias = true;
  options.scale = "maxabs";
  const Schema schema = Source(path, options, {}).schema();
  EXPECT_EQ(examples_of(Source(path, {}, schema)), examples_of(Source(path, options, {})));
  options.scale = "minmax";
  EXPECT_THAT(error_of([&] { Source(path, options, schema); }, ErrorKind::kUsage),
              AllOf(HasSubstr("scale: minmax contradicts"), HasSubstr("maxabs")));
  Schema named;
  named.labels.add("a");
  named.labels.add("b");
  named.named_features = true;
  EXPECT_THAT(error_of([&] { Source(path, {}, named); }), HasSubstr("named features"));
}

// ---- Shuffling ----------------------------------------------------------------------------------

TEST(Shuffle, PlaysEveryExampleOnceInEveryPassInANewOrder) {
  SourceOptions options;
  options.shuffle = 1;
  options.passes = 2;
  const auto values = values_of(read_text(numbered_lines(100), options));
  ASSERT_EQ(values.size(), 200U);
  const std::vector<double> first(values.begin(), values.begin() + 100);
  const std::vector<double> second(values.begin() + 100, values.end());
  EXPECT_NE(first, second);
  EXPECT_EQ(std::set<double>(first.begin(), first.end()).size(), 100U);
  EXPECT_EQ(std::set<double>(second.begin(), second.end()).size(), 100U);
  EXPECT_EQ(values_of(read_text(numbered_lines(100), options)), values);
  options.shuffle = 2;
  EXPECT_NE(values_of(read_text(numbered_lines(100), options)), values);
}

TEST(Shuffle, LimitComesAfterTheShuffle) {
  SourceOptions options;
  options.shuffle = 1;
  const auto all = values_of(read_text(numbered_lines(100), options));
  options.limit = 10;
  const auto some = values_of(read_text(numbered_lines(100), options));
  EXPECT_EQ(some, std::vector<double>(all.begin(), all.begin() + 10));
}

TEST(Shuffle, AllOrdersAreEquallyProbable) {
  std::map<std::vector<std::uint32_t>, int> count;
  for (int pass = 0; pass < 6000; ++pass) ++count[shuffled_order(3, 5, pass)];
  ASSERT_EQ(count.size(), 6U);
  // 1,000 each, standard deviation 29.
  for (const auto& [order, times] : count) EXPECT_NEAR(times, 1000, 6 * 29);
}

TEST(Shuffle, WorksOnAPipeOfAnySizeWhereLabelsAreKnown) {
  const PipePath pipe(numbered_lines(1000));
  SourceOptions options = labelled({"a", "b"});
  options.shuffle = 1;
  options.passes = 2;
  EXPECT_EQ(examples_of(Source(pipe.path(), options, {})).size(), 2000U);
}

// ---- Standard input -----------------------------------------------------------------------------

TEST(Pipe, IsKeptInMemoryWhereItMustBeReadTwice) {
  const PipePath pipe(numbered_lines(50000));
  SourceOptions options;
  options.passes = 2;
  options.scale = "maxabs";
  Source source(pipe.path(), options, {});
  EXPECT_EQ(source.rounds(), 100000);
  EXPECT_EQ(examples_of(source).size(), 100000U);
}

TEST(Pipe, IsReadOnceWhereThatIsEnough) {
  const PipePath pipe(numbered_lines(50000));
  Source source(pipe.path(), labelled({"a", "b"}), {});
  EXPECT_EQ(examples_of(source).size(), 50000U);
  EXPECT_THAT(error_of([&] { examples_of(source); }), HasSubstr("can be read only once"));
}

TEST(Pipe, OfCsvIsHeldForTheScanWhateverIsKnown) {
  for (const SourceOptions& options : {SourceOptions(), labelled({"a", "b"})}) {
    const PipePath pipe("v,label\n1,a\nx,b\n");
    EXPECT_EQ(examples_of(Source(pipe.path(), options, {})).at(0), (Example{"a", {{"v=1", 1}}}));
  }
}

TEST(Pipe, CsvKindsComeFromTheFirstRowWhereThereIsNoScan) {
  const std::string blank = std::string(kBufferedBytes / 2, ' ') + "\n";
  const PipePath pipe("v,label\n1,a\n" + blank + blank + "x,b\n");
  Source source(pipe.path(), labelled({"a", "b"}), {});
  EXPECT_THAT(source.findings(), ElementsAre(AllOf(HasSubstr("larger than 64 MiB"),
                                                   HasSubstr("the first value of a column"))));
  EXPECT_THAT(error_of([&] { examples_of(source); }),
              HasSubstr(":5:1: expected a number in column 'v', found \"x\""));
}

TEST(Pipe, IsRefusedWithTheRemedyWhereItIsTooLarge) {
  std::string large = "a 1:1\nb 1:1\n";
  large += "#";
  large.append(kBufferedBytes, 'x');
  const PipePath pipe(std::move(large));
  EXPECT_THAT(error_of([&] { Source(pipe.path(), {}, {}); }),
              AllOf(HasSubstr("the label set must be known"), HasSubstr("64 MiB"),
                    HasSubstr("'labels' or 'classes'"), HasSubstr("write it to a file")));
}

TEST(Pipe, StandardInputIsADash) {
  const PipePath pipe("a 1:1\nb x\n");
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(pipe.descriptor(), STDIN_FILENO);
  EXPECT_EQ(error_of([] { Source("-", {}, {}); }),
            "<stdin>:2:3: expected index:value, found \"x\"");
  if (saved >= 0) {
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  } else {
    ::close(STDIN_FILENO);
  }
}

TEST(Source, DescribesItself) {
  const std::string path = write_file(".libsvm", numbered_lines(2));
  EXPECT_EQ(Source(path, {}, {}).description(), path);
}

TEST(Source, CanBeMoved) {
  Source source(write_file(".libsvm", numbered_lines(2)), {}, {});
  Source moved(std::move(source));
  EXPECT_EQ(examples_of(moved).size(), 2U);
}

}  // namespace
}  // namespace soba
