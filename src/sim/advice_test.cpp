#include "sim/advice.h"

#include <gmock/gmock.h>

namespace soba {
namespace {

using ::testing::HasSubstr;

// 900 examples of label 0 and 100 of label 1, of which these were played, or on top, right.
RunResult made(std::int64_t right, std::int64_t greedy_right, const std::string& learner) {
  RunResult result;
  result.learner = learner;
  result.feedback = "bandit";
  result.tally = {1000, 1000, 100 - right, 100 - greedy_right, 1000};
  result.by_class = ClassCounts(2);
  result.by_class.examples = {900, 100};
  result.by_class.right = {900, right};
  result.by_class.greedy_right = {900, greedy_right};
  return result;
}

TEST(Advice, NoBetterThanAConstantIsNeverFine) {
  EXPECT_THAT(advice(made(0, 0, "banditron")), HasSubstr("try learner auto"));
  EXPECT_THAT(advice(made(0, 0, "auto")), HasSubstr("other features"));
  RunResult told = made(0, 0, "perceptron");
  told.feedback = "full information";
  EXPECT_THAT(advice(told), HasSubstr("other features"));
  RunResult eager = made(0, 80, "banditron");
  eager.options = {{"gamma", "0.5"}};
  EXPECT_THAT(advice(eager), HasSubstr("a lower option gamma"));
}

TEST(Advice, ExploringThatCostsAQuarterIsNamed) {
  RunResult result = made(50, 90, "banditron");
  EXPECT_THAT(advice(result),
              HasSubstr("80 % of the wrong labels come from exploring; try learner"));
  result = made(50, 55, "banditron");
  EXPECT_EQ(advice(result), "");
  EXPECT_EQ(advice(made(50, 90, "auto")), "");
}

TEST(Advice, AnErrorThatStillFallsIsNamed) {
  RunResult result = made(20, 20, "auto");
  result.curve = {{512, 512, 65, 65, 512}, result.tally};
  EXPECT_THAT(advice(result), HasSubstr("from 12.70 % in the first half to 3.07 % in the second"));
  result.curve = {{512, 512, 44, 44, 512}, result.tally};
  EXPECT_EQ(advice(result), "");
}

TEST(Advice, FewRoundsAndPartsOfRunsSayNothing) {
  RunResult few = made(0, 0, "banditron");
  few.tally.rounds = 100;
  EXPECT_EQ(advice(few), "");
  RunResult part = made(0, 0, "banditron");
  part.earlier = 500;
  EXPECT_EQ(advice(part), "");
}

TEST(Advice, ItComesWithTheRun) {
  Source source("synsep:n=1000,seed=1", {}, Schema{});
  Model model = new_model("banditron", {{"gamma", "0.9"}}, source, 1);
  EXPECT_THAT(run(source, model).advice, HasSubstr("gamma"));
}

}  // namespace
}  // namespace soba
