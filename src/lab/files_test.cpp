#include "soba/lab/files.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "soba/error.h"
#include "support/own_folder.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;

class Files : public OwnFolder {
 protected:
  static std::string refusal(const std::string& input, const std::vector<OutputPath>& outputs) {
    try {
      check_outputs(input, outputs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Files, AreWrittenWhole) {
  write_file(folder_ + "a", "one");
  write_file(folder_ + "a", "two");
  std::ifstream file(folder_ + "a");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "two");
  EXPECT_THROW(write_file(folder_ + "none/a", "x"), Error);
}

TEST_F(Files, OutputsAreNeitherTheInputNorEachOther) {
  const std::string a = folder_ + "a", b = folder_ + "b";
  write_file(a, "data");
  EXPECT_EQ(refusal(a, {{"--x", b}, {"--y", std::nullopt}}), "");
  EXPECT_FALSE(std::filesystem::exists(b));
  EXPECT_THAT(refusal(a, {{"--x", folder_ + "./a"}}), HasSubstr("is the input"));
  EXPECT_THAT(refusal(a, {{"--x", b}, {"--y", b}}), HasSubstr("--x and --y name the same file"));
  EXPECT_THAT(refusal(a, {{"--x", ""}}), HasSubstr("needs the name of a file"));
  EXPECT_THAT(refusal(a, {{"--x", folder_ + "none/b"}}), HasSubstr("cannot create"));
}

}  // namespace
}  // namespace soba::lab
