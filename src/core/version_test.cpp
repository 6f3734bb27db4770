#include "soba/version.h"

#include <gtest/gtest.h>

#include <string>

namespace soba {
namespace {

TEST(Version, TextAndNumbersAgree) {
  EXPECT_EQ(version(), std::to_string(SOBA_VERSION_MAJOR) + "." +
                           std::to_string(SOBA_VERSION_MINOR) + "." +
                           std::to_string(SOBA_VERSION_PATCH));
}

}  // namespace
}  // namespace soba
