#include "data/formats/reuters.h"

#include "data/testing.h"

namespace soba {
namespace {

using namespace std::string_literals;
using testing::error_of;
using testing::Example;
using Examples = std::vector<Example>;

Reuters4 topics(std::string text) { return Reuters4(Input::memory(std::move(text), "topics")); }

// What one more vectors file adds.
Examples read(Reuters4& set, std::string text, std::string name = "vectors") {
  Examples all;
  const std::unique_ptr<Stream> stream = set.open(Input::memory(std::move(text), std::move(name)));
  while (const Block* block = stream->next()) {
    EXPECT_GT(block->size(), 0U);
    for (Example& example : testing::named(*block, set.schema())) all.push_back(std::move(example));
  }
  return all;
}

std::string bad_topics(std::string text) {
  return error_of([&] { topics(std::move(text)); });
}

std::string bad_vectors(std::string text) {
  Reuters4 set = topics("CCAT 1 1\nCCAT 2 1\n");
  return error_of([&] { read(set, std::move(text)); });
}

TEST(Reuters4, KeepsDocumentsWithExactlyOneOfTheFourTopics) {
  Reuters4 set = topics(
      "C15 2286 1\nC151 2286 1\nCCAT 2286 1\n"  // subtopics do not count
      "ECAT 2287 1\nGCAT 2288 1\nMCAT 2289 1\n"
      "CCAT 2290 1\nECAT 2290 1\n"  // two of the four
      "CCAT 2291 1\nECAT 2291 1\nGCAT 2291 1\nMCAT 2291 1\n"
      "M11 2292 1\n"                // none
      "GCAT 2293 1\nGCAT 2293 1\n"  // said twice, is one
      "CCAT 2294 1\n");             // has no vector
  EXPECT_EQ(read(set,
                 "2286  1:0.25 7:0.5\n2287  2:1\n2290  3:1\n2289  4:1\n2291  5:1\n"
                 "2292  6:1\n9999  47236:1\n2288  8:0.125\n"),
            (Examples{{"1", {{"1", 0.25}, {"7", 0.5}}},
                      {"2", {{"2", 1}}},
                      {"4", {{"4", 1}}},
                      {"3", {{"8", 0.125}}}}));
  EXPECT_EQ(read(set, "2293  9:1\n"), (Examples{{"3", {{"9", 1}}}}));

  const Reuters4Counts& counts = set.counts();
  EXPECT_EQ(counts.listed, 9);
  EXPECT_EQ(counts.documents, 9);
  EXPECT_EQ(counts.kept, (std::array<std::int64_t, 4>{1, 1, 2, 1}));
  EXPECT_EQ(counts.all_kept(), 5);
  EXPECT_EQ(counts.none, 1);
  EXPECT_EQ(counts.several, 2);
  EXPECT_EQ(counts.unlisted, 1);
  EXPECT_EQ(counts.without_vector(), 1);
  EXPECT_EQ(counts.features, 9);  // of the documents kept, not of document 9999
}

TEST(Reuters4, AcceptsBlankLinesTabsCarriageReturnsAndAMissingLastLineEnd) {
  Reuters4 set = topics("\n CCAT\t1 1 \r\n\t\nECAT 2  1");
  EXPECT_EQ(read(set, "\r\n 1\t3:1 \t 4:2 \r\n\n2  5:3"),
            (Examples{{"1", {{"3", 1}, {"4", 2}}}, {"2", {{"5", 3}}}}));
}

TEST(Reuters4, AVectorMayBeEmptyAndZerosAreDropped) {
  Reuters4 set = topics("CCAT 1 1\nCCAT 2 1\n");
  EXPECT_EQ(read(set, "1\n2  3:0 4:1\n"), (Examples{{"1", {}}, {"1", {{"4", 1}}}}));
}

TEST(Reuters4, ManyDocumentsComeInOrder) {
  std::string said, vectors;
  for (int i = 1; i <= 5000; ++i) {
    said += std::string(kReuters4Topics[static_cast<std::size_t>(i % 4)]) + " " +
            std::to_string(i) + " 1\n";
    vectors += std::to_string(5001 - i) + "  " + std::to_string(i) + ":1\n";
  }
  Reuters4 set = topics(said);
  const Examples examples = read(set, vectors);
  ASSERT_EQ(examples.size(), 5000U);
  for (int i = 1; i <= 5000; ++i) {
    EXPECT_EQ(examples[static_cast<std::size_t>(i - 1)],
              (Example{std::to_string((5001 - i) % 4 + 1), {{std::to_string(i), 1}}}));
  }
}

TEST(Reuters4, BadTopicLinesAreLocated) {
  EXPECT_EQ(bad_topics("CCAT 1 1\nECAT x2 1\n"),
            "topics:2:6: expected the number of a document, from 1 to 2147483647, found \"x2\"");
  for (const char* number : {"0", "-1", "+1", "2147483648", "1.5", "1x"}) {
    EXPECT_EQ(bad_topics("CCAT "s + number + " 1"),
              "topics:1:6: expected the number of a document, from 1 to 2147483647, found \""s +
                  number + "\"");
  }
  EXPECT_EQ(bad_topics("CCAT"),
            "topics:1:5: expected the number of a document, from 1 to 2147483647, found nothing");
  EXPECT_EQ(bad_topics("CCAT 1"), "topics:1:7: expected 1 after the document, found nothing");
  EXPECT_EQ(bad_topics("C15 1 0"), "topics:1:7: expected 1 after the document, found \"0\"");
  EXPECT_EQ(bad_topics("C15 1 1 2"), "topics:1:9: expected the end of the line, found \"2\"");
  EXPECT_EQ(bad_topics("C15 1 \0"s),
            "topics:1:7: expected text, found a NUL byte; the file is binary, or is not UTF-8");
}

TEST(Reuters4, BadVectorLinesAreLocated) {
  EXPECT_EQ(bad_vectors("1  3:1\n\nCCAT 2 1\n"),
            "vectors:3:1: expected the number of a document, from 1 to 2147483647, found \"CCAT\"");
  for (const char* term : {"x:1", ":1", "3", "0:1", "-3:1", "16777217:1", "99999999999:1"}) {
    EXPECT_EQ(bad_vectors("1  "s + term),
              "vectors:1:4: expected term:weight with a term from 1 to 16777216, found \""s + term +
                  "\"");
  }
  EXPECT_EQ(bad_vectors("1  3:1 3:2"), "vectors:1:8: expected a term after 3, found \"3:2\"");
  EXPECT_EQ(bad_vectors("1  3:0 2:1"), "vectors:1:8: expected a term after 3, found \"2:1\"");
  EXPECT_EQ(bad_vectors("1  3:"), "vectors:1:6: expected a number after ':', found nothing");
  for (const char* weight : {"x", "1x", "nan", "inf", "1e999", "1:2"}) {
    EXPECT_EQ(bad_vectors("1  3:"s + weight),
              "vectors:1:6: expected a number after ':', found \""s + weight + "\"");
  }
}

// Also in documents that are left out: a file that is bad there is not to be trusted elsewhere.
TEST(Reuters4, BadVectorsOfDocumentsThatAreLeftOutAreErrorsToo) {
  EXPECT_EQ(bad_vectors("77  3:x"), "vectors:1:7: expected a number after ':', found \"x\"");
}

TEST(Reuters4, ADocumentThatComesTwiceIsAnErrorThatNamesBothPlaces) {
  EXPECT_EQ(bad_vectors("1  3:1\n2  3:1\n 1  4:1\n"),
            "vectors:3:2: document 1 appears twice, first in vectors:1");
  Reuters4 set = topics("CCAT 1 1\n");
  read(set, "1  3:1\n7  3:1\n", "a");
  read(set, "8  3:1\n", "b");
  EXPECT_EQ(error_of([&] { read(set, "9  3:1\n7  3:1\n", "c"); }),
            "c:2:1: document 7 appears twice, first in a:2");
}

}  // namespace
}  // namespace soba
