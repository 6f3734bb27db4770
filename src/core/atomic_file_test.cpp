#include "core/atomic_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "soba/error.h"

namespace soba {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    path_ = folder_ / "file";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string content() const {
    std::ifstream file(path_);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_, path_;
};

TEST_F(AtomicFileTest, AppearsOnlyWhenCommitted) {
  AtomicFile file(path_);
  file.write("one");
  EXPECT_FALSE(fs::exists(path_));
  file.write(" two");
  file.commit();
  EXPECT_EQ(content(), "one two");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, LeavesTheOldFileAndNoLitterWhenAbandoned) {
  std::ofstream(path_) << "old";
  { AtomicFile(path_).write("new"); }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, ReplacesTheOldFile) {
  std::ofstream(path_) << "old";
  AtomicFile file(path_);
  file.write("new");
  file.commit();
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_THROW(AtomicFile((folder_ / "none" / "file").string()), Error);
  EXPECT_THROW(AtomicFile(folder_.string()), Error);
}

TEST_F(AtomicFileTest, KeepsPermissions) {
  std::ofstream(path_) << "old";
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  AtomicFile file(path_);
  file.write("new");
  file.commit();
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, FollowsLinks) {
  fs::create_directory(folder_ / "deep");
  std::ofstream(folder_ / "deep" / "real") << "old";
  fs::create_symlink("deep/real", folder_ / "second");
  fs::create_symlink(folder_ / "second", path_);
  AtomicFile file(path_);
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_FALSE(fs::is_symlink(folder_ / "deep" / "real"));
  EXPECT_EQ(content(), "new");
}

TEST_F(AtomicFileTest, ALinkMayLeadToAFileToBe) {
  fs::create_symlink("later", path_);
  AtomicFile file(path_);
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(content(), "new");
}

}  // namespace
}  // namespace soba
