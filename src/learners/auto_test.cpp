#include "learners/auto.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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

// The two rounds of exp4_test.cpp: SOBA, which ignores wrong guesses, errs and loses weight.
TEST(Auto, SaysHowMuchItsMembersCount) {
  const auto learner = make_auto({2, 2}, {.members = "sobadiag,bandit-arow"});
  EXPECT_EQ(learner->remarks(), "weights of the members: sobadiag 0.500, bandit-arow 0.500");
  const std::vector<double> x = {1, 0};
  testing::answer(*learner, {{}, x}, 0, 0.5, false);
  testing::answer(*learner, {{}, x}, 0, 0.25, false);
  const double odds = std::exp(-2 * std::sqrt(std::log(2.0) / 3));
  EXPECT_EQ(learner->remarks(),
            fmt::format("weights of the members: bandit-arow {:.3f}, sobadiag {:.3f}",
                        1 / (1 + odds), odds / (1 + odds)));
}

TEST(Auto, ItsMemoryIsThatOfItsMembers) {
  EXPECT_THROW(make_auto({9, 400}, {.memory = 1, .members = "sobadiag,squarecb-full"}), Error);
}

}  // namespace
}  // namespace soba
