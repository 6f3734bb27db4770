#include <gmock/gmock.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "soba/error.h"
#include "soba/lab/trace.h"
#include "support/own_folder.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;

const std::string kData = "synsep:n=300,seed=2";

class RunFilesTest : public OwnFolder {
 protected:
  RunFiles files(const std::string& part) const {
    return {folder_ + part + "m", folder_ + part + "t", folder_ + part + "c"};
  }
  // Interrupted behind round 128, where the curve has a point.
  RunResult interrupt(RunFiles& files) const {
    Source source(kData, {}, Schema{});
    Model model = new_model("bpa", {}, source, 1);
    std::atomic<bool> stop = false;
    return play_to_files(
        source, model, false, files,
        {.point = [&](const Tally& so_far) { stop = so_far.rounds == 128; }, .stop = &stop});
  }
};

TEST_F(RunFilesTest, ThePartsMakeTheWhole) {
  RunFiles whole = files("whole"), first = files("first"), second = files("second");
  {
    Source source(kData, {}, Schema{});
    Model model = new_model("bpa", {}, source, 1);
    EXPECT_TRUE(play_to_files(source, model, false, whole, {}).complete);
    EXPECT_EQ(whole.kept, 300);
  }
  EXPECT_FALSE(interrupt(first).complete);
  EXPECT_EQ(first.kept, 128);
  EXPECT_FALSE(first.complete);
  EXPECT_EQ(outcome_text(first, "a b"), *first.model + " keeps 128 rounds; resume with: soba run " +
                                            "'a b' --resume " + *first.model);
  Model model = load_model(*first.model);
  Source source = resumed_source(kData, {}, model);
  EXPECT_TRUE(play_to_files(source, model, true, second, {}).complete);
  EXPECT_EQ(second.kept, 300);
  EXPECT_EQ(outcome_text(second, kData), *second.model + " keeps 300 rounds");

  EXPECT_EQ(model_bytes(*second.model), model_bytes(*whole.model));
  EXPECT_EQ(read_trace(*first.trace).rounds.size(), 128U);
  EXPECT_EQ(read_trace(*second.trace).rounds.size(), 172U);
  std::vector<Tally> curve = read_curve(*first.curve);
  EXPECT_EQ(curve.back().rounds, 128);
  for (const Tally& at : read_curve(*second.curve)) curve.push_back(at);
  EXPECT_EQ(curve, read_curve(*whole.curve));
}

TEST_F(RunFilesTest, WithoutAModelAnInterruptedRunLeavesNothing) {
  RunFiles files{{}, folder_ + "t", folder_ + "c"};
  EXPECT_FALSE(interrupt(files).complete);
  EXPECT_FALSE(files.kept);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(RunFilesTest, AResumedRunReplacesNoTrace) {
  RunFiles first = files("first");
  interrupt(first);
  Model model = load_model(*first.model);
  Source source = resumed_source(kData, {}, model);
  try {
    play_to_files(source, model, true, first, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "trace");
    EXPECT_THAT(error.what(), HasSubstr("name another file"));
  }
  EXPECT_EQ(read_trace(*first.trace).rounds.size(), 128U);
}

TEST_F(RunFilesTest, AModelThatCannotBeSavedIsNotKept) {
  RunFiles files{folder_ + "no/such/folder/m", {}, {}};
  Source source(kData, {}, Schema{});
  Model model = new_model("bpa", {}, source, 1);
  EXPECT_THROW(play_to_files(source, model, false, files, {}), Error);
  EXPECT_FALSE(files.kept);
  EXPECT_EQ(outcome_text(files, kData), "no file was changed");
}

}  // namespace
}  // namespace soba::lab
