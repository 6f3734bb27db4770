#include "soba/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/draws.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "support/own_folder.h"
#include "support/refusal.h"

namespace soba {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Model fresh(std::uint64_t seed = 1) {
  return new_model("soba", {{"gamma", "0.3"}}, named_schema({"a", "b", "c"}), seed);
}

class JournalTest : public OwnFolder {
 protected:
  std::string journal() const { return path_ + ".journal"; }
  // A few decisions, answers and the like, the same for the same number.
  static void talk(Decider& decider, int i) {
    const Draws draws(Rng(1, Purpose::kExamples), static_cast<std::uint64_t>(i));
    Draws now = draws;
    const std::string id = std::to_string(i), colour = "c" + std::to_string(now.below(20));
    decider.decide(id, {{"size", now.uniform()}, {"colour", std::string_view(colour)}});
    if (i % 7 == 3) decider.forget(std::to_string(i - 1));
    if (i % 3 != 0) decider.feedback(std::to_string(i - i % 3), now.below(2) == 0);
    if (i % 50 == 9) decider.change("gamma", i % 100 == 9 ? "0.2" : "0.4");
  }
  // A model file with a journal of `events` conversations, as a killed program leaves them.
  Model abandoned(int count, std::uint64_t seed = 1) const {
    Journal file(path_);
    Model model = fresh(seed);
    file.begin(model);
    Decider decider(model, {}, &file);
    for (int i = 0; i < count; ++i) talk(decider, i);
    file.commit();
    return model;
  }

  const std::string path_ = folder_ + "m";
};

TEST_F(JournalTest, AModelGoesOnAsIfItHadNeverStopped) {
  Journal file(path_);
  EXPECT_FALSE(file.found());
  Model model = fresh();
  file.begin(model);
  EXPECT_TRUE(file.found());
  Decider decider(model, {}, &file);
  for (int i = 0; i < 300; ++i) {
    talk(decider, i);
    if (i == 150) file.save();
    file.commit();
    if (i % 10 != 0) continue;
    const Model again = load_model(path_);  // a reader needs no lock
    EXPECT_EQ(write_model(again), write_model(model)) << i;
    EXPECT_EQ(again.replayed > 0, i != 150);
  }
  file.close();
  EXPECT_FALSE(fs::exists(journal()));
  const Model again = load_model(path_);
  EXPECT_EQ(again.replayed, 0);
  EXPECT_EQ(write_model(again), write_model(model));
}

TEST_F(JournalTest, KillsLeaveNoTrace) {
  Model whole = fresh();
  const std::string other = path_ + "-whole";
  {
    Journal file(other);
    file.begin(whole);
    Decider decider(whole, {}, &file);
    for (int i = 0; i < 100; ++i) talk(decider, i);
    file.close();
  }
  int done = 0;
  while (done < 100) {
    Journal file(path_);
    Model model = file.found() ? load_model(path_) : fresh();
    file.begin(model);
    Decider decider(model, {}, &file);
    for (const int until = std::min(100, done + 17); done < until; ++done) talk(decider, done);
    file.commit();
  }
  EXPECT_EQ(write_model(load_model(path_)), write_model(whole));
}

TEST_F(JournalTest, WhatWasNotCommittedIsNotThere) {
  {
    Journal file(path_);
    Model model = fresh();
    file.begin(model);
    Decider decider(model, {}, &file);
    talk(decider, 0);
    file.commit();
    talk(decider, 3);
  }
  const Model model = load_model(path_);
  EXPECT_NE(model.pending.find("0"), nullptr);
  EXPECT_EQ(model.pending.find("3"), nullptr);
}

TEST_F(JournalTest, AnotherModelsJournalIsRefused) {
  abandoned(5, 1);
  fs::rename(journal(), folder_ + "kept");
  abandoned(5, 2);
  fs::rename(folder_ + "kept", journal());
  EXPECT_THAT(refusal([&] { load_model(path_); }),
              HasSubstr("m.journal: is the journal of another model"));
}

TEST_F(JournalTest, AJournalThatDoesNotFollowOnIsRefused) {
  abandoned(5);
  fs::copy(path_, folder_ + "early");
  {
    Journal file(path_);
    Model model = load_model(path_);
    file.begin(model);
    Decider decider(model, {}, &file);
    for (int i = 5; i < 9; ++i) talk(decider, i);
    file.commit();
  }
  EXPECT_NO_THROW(load_model(path_));
  fs::rename(folder_ + "early", path_);
  EXPECT_THAT(refusal([&] { load_model(path_); }), HasSubstr("does not follow on from the model"));
}

TEST_F(JournalTest, ASavedModelNeverPassesOverEvents) {
  const Model model = abandoned(5);
  const Model stranger = fresh(9);
  EXPECT_THAT(refusal([&] { save_model(stranger, path_); }),
              HasSubstr("holds events that the model to be saved beside it does not know"));
  EXPECT_EQ(write_model(load_model(path_)), write_model(model));
  save_model(load_model(path_), path_);  // one that knows them
  EXPECT_FALSE(fs::exists(journal()));
  EXPECT_EQ(write_model(load_model(path_)), write_model(model));
}

TEST_F(JournalTest, HasOneWriter) {
  Journal file(path_);
  Model model = fresh();
  file.begin(model);
  const std::string owner = "process " + std::to_string(::getpid()) + " is using it";
  EXPECT_THAT(refusal([&] { Journal{path_}; }), HasSubstr(owner));
  EXPECT_THAT(refusal([&] { save_model(model, path_); }), HasSubstr(owner));
  EXPECT_NO_THROW(load_model(path_));
}

TEST_F(JournalTest, AnImpossibleRecordIsRefusedWithItsPlace) {
  abandoned(2);
  fs::remove(path_);
  // The same journal beside the model as it was before, but for a decision that already waits.
  Model model = fresh();
  {
    Journal file(path_ + "2");
    file.begin(model);
  }
  Decider(model).decide("0", {{"size", 1.0}});
  std::ofstream(path_, std::ios::binary) << write_model(model);
  EXPECT_THAT(refusal([&] { load_model(path_); }),
              HasSubstr("m.journal: record 1 at byte 128: it names a known feature as new"));
}

TEST_F(JournalTest, RemovesWhatTheDeadHaveLeft) {
  const std::string left = path_ + ".new-123-0";
  const std::vector<std::string> others = {path_ + ".new-ideas", path_ + ".new-2024-backup.tar",
                                           path_ + ".new-7", path_ + "2.new-123-0"};
  for (const std::string& name : others) std::ofstream{name} << "x";
  std::ofstream{left} << "x";
  const Journal file(path_);
  EXPECT_FALSE(fs::exists(left));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(name)) << name;
}

TEST_F(JournalTest, LeavesAloneWhatIsNotAJournal) {
  const std::string text(200, 't');
  std::ofstream{journal()} << text;
  {
    Journal file(path_);
    Model model = fresh();
    EXPECT_THAT(refusal([&] { file.begin(model); }), HasSubstr("is not a journal of Soba"));
  }
  std::ifstream content(journal());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(content), {}), text);
  fs::remove(journal());
  fs::create_symlink("elsewhere", journal());
  EXPECT_NE(refusal([&] { Journal{path_}; }), "");
}

TEST_F(JournalTest, AnUnusedLockLeavesNoFile) {
  { const Journal file(path_); }
  EXPECT_TRUE(fs::is_empty(folder_));
  save_model(fresh(), path_);
  EXPECT_FALSE(fs::exists(journal()));
}

// Two models that begin alike have the same id; the checksum of their events tells them apart.
TEST_F(JournalTest, ATwinsEventsAreNotTakenForItsOwn) {
  abandoned(10);
  save_model(load_model(path_), path_);
  fs::rename(path_, folder_ + "ten");
  abandoned(5);  // begins as the other did
  fs::rename(folder_ + "ten", path_);
  EXPECT_THAT(refusal([&] { load_model(path_); }), HasSubstr("does not follow on from the model"));
}

TEST_F(JournalTest, AnOlderModelBesideAnEmptiedJournalIsRefused) {
  Journal file(path_);
  Model model = fresh();
  file.begin(model);
  fs::copy(path_, folder_ + "older");
  Decider decider(model, {}, &file);
  talk(decider, 0);
  file.commit();
  file.save();
  fs::rename(folder_ + "older", path_);
  EXPECT_THAT(refusal([&] { load_model(path_); }), HasSubstr("does not follow on from the model"));
}

TEST_F(JournalTest, WithoutABeginningNothingIsRecorded) {
  Journal file(path_);
  EXPECT_THAT(refusal([&] { file.answered("e", true); }), HasSubstr("has not begun"));
  EXPECT_THAT(refusal([&] { file.decided({}); }), HasSubstr("has not begun"));
}

TEST_F(JournalTest, TheJournalIsAsSecretAsTheModel) {
  save_model(fresh(), path_);
  ::chmod(path_.c_str(), 0600);
  const Journal file(path_);
  struct stat status {};
  ASSERT_EQ(::stat(journal().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(JournalTest, ALinkAndItsModelShareTheJournal) {
  abandoned(5);
  const std::string link = path_ + "-link";
  fs::create_symlink("m", link);
  EXPECT_EQ(load_model(link).replayed, load_model(path_).replayed);
  const Journal file(path_);
  EXPECT_THAT(refusal([&] { Journal{link}; }), HasSubstr("is using it"));
}

}  // namespace
}  // namespace soba
