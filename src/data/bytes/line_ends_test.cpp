#include "data/bytes/line_ends.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/draws.h"
#include "soba/rng.h"
#include "support/vector_units.h"

namespace soba {
namespace {

std::vector<std::size_t> places(const LineEnds& found) {
  return {found.place.begin(), found.place.begin() + static_cast<std::ptrdiff_t>(found.count)};
}

void ends_match(std::string_view text) {
  LineEnds found, expected;
  find_line_ends(text, found);
  reference::find_line_ends(text, expected);
  ASSERT_EQ(places(found), places(expected)) << text.size();
  ASSERT_EQ(found.has_comment, expected.has_comment) << text.size();
}

// Of any size, with lines from very short to longer than all of it, and at any alignment.
TEST(LineEnds, AreThoseOfThePlainLoop) {
  testing::for_each_target([] {
    Draws draws(Rng(1, Purpose::kExamples), 1);
    for (int trial = 0; trial < 2000; ++trial) {
      const std::uint32_t apart = 1 + draws.below(trial % 2 == 0 ? 5 : 300);
      std::string text(draws.below(LineEnds::kWindow + 1), 'x');
      for (char& c : text) {
        if (draws.below(apart) == 0) c = '\n';
      }
      if (draws.below(4) == 0 && !text.empty()) {
        text[draws.below(static_cast<std::uint32_t>(text.size()))] = '#';
      }
      ends_match(text);
      ends_match(std::string_view(text).substr(std::min<std::size_t>(text.size(), 3)));
    }
  });
}

TEST(LineEnds, FillTheWindowAtMost) {
  testing::for_each_target([] {
    ends_match(std::string(LineEnds::kWindow, '\n'));
    ends_match(std::string(LineEnds::kWindow, '\x8A'));  // a line end but for the highest bit
    ends_match("");
  });
}

// What is behind the text does not count.
TEST(LineEnds, EndWithTheText) {
  testing::for_each_target([] {
    const std::string behind = std::string(200, 'x') + "#\n\n";
    for (std::size_t size = 0; size <= 200; ++size) {
      LineEnds found;
      find_line_ends(std::string_view(behind).substr(0, size), found);
      EXPECT_EQ(found.count, 0U);
      EXPECT_FALSE(found.has_comment);
    }
  });
}

}  // namespace
}  // namespace soba
