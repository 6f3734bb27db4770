#include "log/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

#include "soba/error.h"
#include "support/refusal.h"

namespace soba {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kHead = 128;
constexpr std::size_t kFrame = 24;

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::path(::testing::TempDir()) /
            (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".log");
    fs::remove(path_);
  }
  void TearDown() override { fs::remove(path_); }

  // What is in the file, without the zeros behind it.
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(file)), {});
    while (all.size() > kHead && all.back() == 0) all.pop_back();
    all.resize((all.size() + 7) / 8 * 8);
    return all;
  }
  static std::vector<std::string> records(std::string_view bytes) {
    LogReader reader(bytes, "log");
    std::vector<std::string> found;
    while (const auto record = reader.next()) found.emplace_back(record->bytes);
    return found;
  }
  // Three commits of two records each.
  std::string six_records(bool sync) {
    Log log(path_, "");
    log.restart({"me", 1, 0});
    for (int i = 0; i < 3; ++i) {
      log.append("first of " + std::to_string(i));
      log.append("second of " + std::to_string(i));
      log.commit(sync);
    }
    return bytes();
  }

  fs::path path_;
};

TEST_F(LogTest, ReadsBackWhatWasCommitted) {
  Log log(path_, "");
  log.restart({"somebody", 41, 7});
  log.append("one");
  log.append("record number two");
  EXPECT_THAT(records(bytes()), ::testing::IsEmpty());
  log.commit(true);
  const std::string now = bytes();
  LogReader reader(now, "log");
  EXPECT_EQ(reader.head().id, "somebody");
  const auto first = reader.next(), second = reader.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->number, 41u);
  EXPECT_EQ(second->number, 42u);
  EXPECT_EQ(second->bytes, "record number two");
  EXPECT_EQ(second->chain, log.chain());
  EXPECT_NE(first->chain, second->chain);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(log.number(), 42u);
}

TEST_F(LogTest, GrowsBeyondTheZerosWrittenAhead) {
  Log log(path_, "");
  log.restart({"me", 1, 0});
  const std::string large(100'000, 'x');
  for (int i = 0; i < 30; ++i) {
    log.append(large);
    log.commit(i % 2 == 0);
  }
  EXPECT_EQ(records(bytes()).size(), 30u);
  EXPECT_EQ(log.size(), 30 * (kFrame + large.size()));
}

// A program or a machine may stop at any byte of a commit.
TEST_F(LogTest, ATornTailIsCut) {
  const std::string whole = six_records(true);
  const std::vector<std::string> all = records(whole);
  ASSERT_EQ(all.size(), 6u);
  const std::size_t end = whole.find(all.back()) + all.back().size();
  for (std::size_t size = kHead; size < whole.size(); ++size) {
    std::vector<std::string> found = records(whole.substr(0, size));
    std::string zeros = whole.substr(0, size);
    zeros.resize(whole.size() + 1000);
    EXPECT_EQ(found, records(zeros)) << size;
    EXPECT_EQ(found.size() == all.size(), size >= end) << size;
    EXPECT_TRUE(std::equal(found.begin(), found.end(), all.begin())) << size;
  }
}

// The pages of one commit reach the disk in any order.
TEST_F(LogTest, ACommitMayBeTornInItsMiddle) {
  std::string bytes = six_records(true);
  const std::size_t place = bytes.find("first of 2");
  bytes[place] ^= 1;
  EXPECT_EQ(records(bytes).size(), 4u);  // the second of its commit is there, and was not told
}

TEST_F(LogTest, ADamagedMiddleIsRefusedWithItsPlace) {
  const std::string good = six_records(true);
  const std::size_t last_commit = good.find("first of 2") - kFrame;
  for (std::size_t place = kHead; place < last_commit; ++place) {
    std::string bad = good;
    bad[place] ^= 0x10;
    bool padding = false;
    for (const char* text : {"first of 0", "second of 0", "first of 1", "second of 1"}) {
      const std::size_t end = good.find(text) + std::string(text).size();
      padding = padding || (place >= end && place < (end + 7) / 8 * 8);
    }
    if (padding) continue;
    EXPECT_THAT(refusal([&] { records(bad); }), HasSubstr("log: is damaged at byte ")) << place;
  }
  std::string bad = good;
  bad[kHead + kFrame] ^= 1;
  EXPECT_EQ(refusal([&] { records(bad); }),
            "log: is damaged at byte 128: record 3 is there, and record 1, which was on the disk "
            "before it, is not");
}

// Without sync nothing says that an earlier commit was on the disk before a later one.
TEST_F(LogTest, WithoutSyncAnythingMayBeMissing) {
  std::string bytes = six_records(false);
  bytes[bytes.find("first of 1")] ^= 1;
  EXPECT_EQ(records(bytes).size(), 2u);
}

TEST_F(LogTest, TheHeadIsChecked) {
  const std::string good = six_records(true);
  for (std::size_t place = 0; place < 64; ++place) {
    std::string bad = good;
    bad[place] ^= 0x40;
    EXPECT_NE(refusal([&] { records(bad); }), "") << place;
  }
  EXPECT_THAT(refusal([] { records("some text that is no log at all"); }),
              HasSubstr("is not a journal of Soba"));
  for (std::size_t size = 0; size < kHead; ++size) {
    EXPECT_THAT(records(good.substr(0, size)), ::testing::IsEmpty()) << size;
  }
}

TEST_F(LogTest, ARestartForgetsTheRecords) {
  Log log(path_, "");
  log.restart({"me", 1, 0});
  log.append("old");
  log.commit(true);
  log.restart({"me", 2, log.chain()});
  EXPECT_THAT(records(bytes()), ::testing::IsEmpty());
  log.append("new");
  log.commit(true);
  EXPECT_EQ(records(bytes()), std::vector<std::string>{"new"});
  EXPECT_EQ(log.number(), 2u);
}

TEST_F(LogTest, HasOneWriter) {
  {
    const Log log(path_, "");
    EXPECT_THAT(refusal([&] { Log(path_, ""); }),
                HasSubstr("process " + std::to_string(::getpid()) + " is using it"));
  }
  EXPECT_NO_THROW(Log(path_, ""));
  Log log(path_, "");
  log.remove();
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_NO_THROW(Log(path_, ""));
}

TEST_F(LogTest, AfterAFailedWriteNothingIsTaken) {
  Log log(path_, "");
  log.restart({"me", 1, 0});
  log.append("kept");
  log.commit(true);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 1 << 19;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  log.append(std::string(1 << 20, 'x'));
  const std::string first = refusal([&] { log.commit(true); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(first, HasSubstr("File too large"));
  log.append("small");
  EXPECT_THAT(refusal([&] { log.commit(true); }), HasSubstr("an earlier write failed"));
  EXPECT_EQ(records(bytes()), std::vector<std::string>{"kept"});
}

}  // namespace
}  // namespace soba
