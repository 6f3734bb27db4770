#include "core/team.h"

#include <gtest/gtest.h>

#include <vector>

namespace soba {
namespace {

TEST(Team, DoesEachPieceOnceWhateverTheirNumber) {
  Team team;
  for (std::size_t count = 0; count < 200; ++count) {
    std::vector<int> done(count);
    team.for_each(count, [&](std::size_t i) { ++done[i]; });
    ASSERT_EQ(done, std::vector<int>(count, 1));
  }
}

}  // namespace
}  // namespace soba
