#include "soba/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>

#include "model/file.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/play.h"

namespace soba {
namespace {

using ::testing::HasSubstr;

Model sample_model() {
  Model model = new_model("soba", {{"gamma", "0.3"}}, {3, 2}, 0xFFFFFFFFFFFFFFF0);
  for (const char* label : {"yes", "no", "it's \"complicated\""}) model.schema.labels.add(label);
  Block block;
  for (int i = 0; i < 40; ++i) {
    const std::vector<Index> index = {0, 1};
    const std::vector<double> value = {1.0 + i % 3, i % 2 - 0.5};
    block.append({index, value}, i % 3);
  }
  play(block, model, [](const Played&) {});
  model.pending.add({"a", {0, 1}, {1, 2}, 2, 0.25, {}, 3});
  model.pending.add({"b", {}, {}, 0, 1, {0, 2}, 3});
  return model;
}

std::string refusal(std::string_view bytes) {
  try {
    read_model(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "accepted";
}

TEST(Model, ComesBackAsItWas) {
  Model model = sample_model();
  const std::string bytes = write_model(model);
  Model back = read_model(bytes);
  EXPECT_EQ(back.learner_name, "soba");
  EXPECT_EQ(back.options, model.options);
  EXPECT_EQ(back.seed, 0xFFFFFFFFFFFFFFF0);
  EXPECT_EQ(back.tally.rounds, 40);
  EXPECT_EQ(back.tally.mistakes, model.tally.mistakes);
  EXPECT_EQ(back.schema.labels.names(), model.schema.labels.names());
  ASSERT_EQ(back.pending.size(), 2U);
  EXPECT_EQ(back.pending[0].value, (std::vector<double>{1, 2}));
  EXPECT_EQ(back.pending[0].probability, 0.25);
  EXPECT_EQ(write_model(back), bytes);
}

TEST(Model, EveryTruncationIsRefused) {
  Model model = sample_model();
  const std::string bytes = write_model(model);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(refusal(std::string_view(bytes).substr(0, size)), "accepted") << size;
  }
  EXPECT_THAT(refusal(bytes + "x"), HasSubstr("bytes follow its end"));
  EXPECT_THAT(refusal(std::string_view(bytes).substr(0, bytes.size() - 9)), HasSubstr("truncated"));
}

TEST(Model, EveryFlippedByteIsRefused) {
  Model model = sample_model();
  const std::string bytes = write_model(model);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    ASSERT_NE(refusal(bad), "accepted") << i;
  }
}

TEST(Model, ForeignFilesAndOtherVersionsAreNamed) {
  EXPECT_THAT(refusal("hello, this is not a model at all, is it"), HasSubstr("not a Soba model"));
  EXPECT_THAT(refusal(""), HasSubstr("not a Soba model"));
  Model model = sample_model();
  std::string bytes = write_model(model);
  bytes[8] = 99;
  EXPECT_THAT(refusal(bytes), HasSubstr("version 99"));
}

TEST(Model, ALaterVersionIsRefused) {
  std::string bytes = write_model(sample_model());
  bytes[8] = 3;
  EXPECT_THAT(refusal(bytes),
              HasSubstr("version 3, and this program reads versions 1 to 2; a later "
                        "version of Soba wrote it"));
  bytes[8] = 0;
  EXPECT_THAT(refusal(bytes), HasSubstr("version 0"));
}

// Bytes in version 1: those of today without the fields of version 2, in a frame of their own.
std::string version1(const Model& model) {
  const std::string bytes = write_model(model);
  const FieldReader reader(bytes);
  std::string payload;
  const char* begin = bytes.data() + 20;
  const std::set<std::string> columns = {"schema.categorical", "schema.ignore",    "schema.only",
                                         "schema.dates",       "schema.text",      "schema.missing",
                                         "schema.vocabulary",  "schema.hash_bits", "schema.bigrams",
                                         "schema.tfidf",       "schema.documents", "schema.idf"};
  for (const auto& [name, entry] : reader.entries()) {
    const char* end = entry.content.data() + entry.content.size();
    const bool later = name.starts_with("pending.allowed") || name == "pending.classes" ||
                       name == "pending.round" || name == "pending.time" ||
                       name == "labels.retired" || name == "covariance.primal.dropped" ||
                       name.starts_with("journal.") || name == "data.state" ||
                       name.ends_with("soba.variance_sum") || columns.contains(std::string(name)) ||
                       name == "tally.skipped";
    if (!later) payload.append(begin, end);
    begin = end;
  }
  const auto number = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const std::string file =
      "SOBAMDL\n" + number(std::uint32_t{1}) + number(std::uint64_t{payload.size()}) + payload;
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size()));
  return file + number(sum);
}

TEST(Model, CountsThatCannotBeAreRefused) {
  for (const std::int64_t rounds : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    Model model = new_model("epoch-greedy", {}, {2, 1}, 1);
    model.tally.rounds = rounds;
    EXPECT_THROW(write_model(model), Error);
  }
}

// An option that came with version 2 has the value in a file of version 1 that means what was then.
TEST(Model, Version1HasTheOptionsOfItsTime) {
  Model model = new_model("auto", {{"rescale", "false"}, {"members", "sobadiag"}}, {2, 1}, 1);
  model.options.erase("rescale");
  EXPECT_EQ(read_model(version1(model)).options.at("rescale"), "false");
  EXPECT_EQ(new_model("auto", {}, {2, 1}, 1).options.at("rescale"), "true");
}

TEST(Model, Version1ResumesBitForBit) {
  Model straight = sample_model();
  straight.pending.remove("b");  // version 1 knows no restricted decisions
  Model resumed = read_model(version1(straight));
  EXPECT_EQ(version1(resumed), version1(straight));
  EXPECT_EQ(write_model(resumed)[8], 2);  // it is saved as version 2
  for (Model* model : {&straight, &resumed}) {
    Decider decider(*model);
    EXPECT_EQ(decider.feedback("a", true), Decider::Feedback::kTaken);
    for (int i = 0; i < 50; ++i) {
      const std::vector<double> x = {1.0 + i % 3, i % 2 - 0.5};
      const Decision d = decider.decide(std::to_string(i), {{}, x});
      decider.feedback(std::to_string(i), d.index == i % 3);
    }
  }
  EXPECT_EQ(version1(resumed), version1(straight));
}

TEST(Model, ItsPositionIsKept) {
  Model model = sample_model();
  EXPECT_FALSE(read_model(write_model(model)).position);
  model.position = DataPosition{.complete = true};
  EXPECT_TRUE(read_model(write_model(model)).position->complete);
  SourceOptions reading;
  reading.labels = {"a", "b,c", "d"};
  reading.shuffle = 5;
  reading.passes = 3;
  reading.need_size = true;
  reading.data_seed = 9;
  model.position = DataPosition{.examples = 123,
                                .fingerprint = 0xfedcba9876543210U,
                                .start = {5, 4, 3, 2, 1},
                                .reading = reading,
                                .fresh = false};
  const std::string bytes = write_model(model);
  const Model loaded = read_model(bytes);
  EXPECT_EQ(write_model(loaded), bytes);
  ASSERT_TRUE(loaded.position);
  EXPECT_FALSE(loaded.position->complete);
  EXPECT_EQ(loaded.position->examples, 123);
  EXPECT_EQ(loaded.position->fingerprint, 0xfedcba9876543210U);
  EXPECT_EQ(loaded.position->start, (Tally{5, 4, 3, 2, 1}));
  EXPECT_EQ(loaded.position->reading.labels, reading.labels);
  EXPECT_EQ(loaded.position->reading.shuffle, 5);
  EXPECT_EQ(loaded.position->reading.passes, 3);
  EXPECT_TRUE(loaded.position->reading.need_size);
  EXPECT_EQ(loaded.position->reading.data_seed, 9);
  EXPECT_FALSE(loaded.position->fresh);
}

TEST(Model, SavingChangesNothing) {
  Model saved = sample_model(), unsaved = sample_model();
  for (int i = 0; i < 50; ++i) {
    for (Model* model : {&saved, &unsaved}) {
      Decider decider(*model);
      const std::vector<double> x = {1.0 + i % 3, i % 2 - 0.5};
      decider.decide(std::to_string(i), {{}, x});
      decider.feedback(std::to_string(i), i % 4 == 0);
    }
    write_model(saved);
  }
  EXPECT_EQ(write_model(saved), write_model(unsaved));
}

TEST(Model, KnowsItsFeedback) {
  EXPECT_EQ(sample_model().feedback(), "bandit");
  EXPECT_EQ(new_model("perceptron", {}, {3, 0}, 1).feedback(), "full information");
}

TEST(Model, StartsFromASchema) {
  Model model = new_model("soba", {}, named_schema({"yes", "no"}), 1);
  EXPECT_EQ(predictor(model.learner).shape(), (Shape{2, 0}));
  EXPECT_EQ(model.schema.labels.name(1), "no");
  EXPECT_TRUE(model.schema.named_features);
  EXPECT_THROW(named_schema({"yes", "yes"}), Error);
  EXPECT_THROW(new_model("soba", {}, named_schema({"yes"}), 1), Error);
}

class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "soba_model_test_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_;
};

TEST_F(ModelFile, SavesAndLoads) {
  Model model = sample_model();
  save_model(model, path_);
  Model back = load_model(path_);
  EXPECT_EQ(write_model(back), write_model(model));
}

TEST_F(ModelFile, AnErrorNamesTheFile) {
  std::ofstream(path_) << "nothing";
  try {
    load_model(path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path_));
  }
  EXPECT_THROW(load_model(path_ + ".none"), Error);
  try {
    load_model(::testing::TempDir());
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("directory"));
  }
}

TEST_F(ModelFile, AFailedSaveLeavesTheOldModel) {
  Model model = sample_model();
  save_model(model, path_);
  const std::string before = write_model(model);
  EXPECT_THROW(save_model(model, path_ + "/no/such/folder"), Error);
  Model back = load_model(path_);
  EXPECT_EQ(write_model(back), before);
}

TEST(Model, ADeviceIsNoModelFile) {
  for (const char* device : {"/dev/zero", "/dev/null"}) {
    try {
      load_model(device);
      FAIL() << device;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not a regular file"));
    }
  }
}

TEST(Model, TheSummaryListsEveryField) {
  Model model = sample_model();
  bool learner = false, weights = false;
  for (const FieldSummary& row : summarize(write_model(model))) {
    learner = learner || (row.name == "learner" && row.value == "soba");
    weights = weights || (row.name == "weights" && row.type == "double[]" && row.count > 6);
  }
  EXPECT_TRUE(learner);
  EXPECT_TRUE(weights);
}

}  // namespace
}  // namespace soba
