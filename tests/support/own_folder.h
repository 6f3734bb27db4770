// A test with a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace soba {

// The folder is empty at the start, and gone at the end.
class OwnFolder : public ::testing::Test {
 protected:
  OwnFolder() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~OwnFolder() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = ::testing::TempDir() + name() + "/";

 private:
  // Of the test and the process: tests that run at the same time do not meet.
  static std::string name() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("soba-") + test->test_suite_name() + "-" + test->name() + "-" +
                       std::to_string(::getpid());
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
  }
};

}  // namespace soba
