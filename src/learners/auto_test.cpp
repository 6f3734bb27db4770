#include "learners/auto.h"

#include <gtest/gtest.h>

#include <cmath>

#include "learners/testing.h"
#include "soba/error.h"

namespace soba {
namespace {

std::string members(Shape shape, const OptionValues& options = {}) {
  return settle(choose_learner("auto", options), shape).options.at("members");
}

TEST(Auto, TakesWhatTheBudgetAllows) {
  EXPECT_EQ(members({7, 54}), "sobadiag,bandit-arow-full,squarecb-full");
  EXPECT_EQ(members({9, 400}), "sobadiag,bandit-arow,squarecb");
  EXPECT_EQ(members({4, 0}), "sobadiag,bandit-arow,squarecb");
  EXPECT_EQ(members({7, 54}, {{"budget", "3.5"}}), "sobadiag,bandit-arow-full");
  EXPECT_EQ(members({7, 54}, {{"budget", "1"}}), "sobadiag");
  EXPECT_EQ(members({9, 400}, {{"budget", "200"}}), "sobadiag,bandit-arow-full,squarecb-full");
  EXPECT_EQ(members({9, 400}, {{"budget", "200"}, {"memory", "1"}}),
            "sobadiag,bandit-arow,squarecb");
}

TEST(Auto, MembersMayBeGiven) {
  EXPECT_EQ(members({7, 54}, {{"members", "bpa,soba"}}), "bpa,soba");
  EXPECT_THROW(members({7, 54}, {{"members", "auto"}}), Error);
  EXPECT_THROW(members({7, 54}, {{"members", "perceptron"}}), Error);
}

TEST(Auto, ExploresLessAndLess) {
  const auto learner = make_auto({4, 3}, {.members = "sobadiag,bandit-arow"});
  EXPECT_DOUBLE_EQ(std::get<ProportionalMix>(learner->exploration({1, {}, 0})).gamma, 0.4);
  EXPECT_DOUBLE_EQ(std::get<ProportionalMix>(learner->exploration({10000, {}, 0})).gamma,
                   0.2 * 0.02);
}

// A member that is always wrong loses its weight; the remarks name both.
TEST(Auto, SaysHowMuchItsMembersCount) {
  const auto learner = make_auto({2, 1}, {.members = "sobadiag,bandit-arow"});
  EXPECT_EQ(learner->remarks(), "weights of the members: sobadiag 0.500, bandit-arow 0.500");
}

}  // namespace
}  // namespace soba
