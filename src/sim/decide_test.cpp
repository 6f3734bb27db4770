#include <gtest/gtest.h>

#include <cmath>

#include "soba/error.h"
#include "soba/play.h"

namespace soba {
namespace {

const std::vector<Index> kIndex = {0, 1};

struct World {
  std::vector<double> value;
  Label truth;
};

World world(int i) { return {{1.0, i % 3 == 0 ? -1.0 : 1.0 + i % 2}, i % 3 == 0 ? 0 : 1 + i % 2}; }

Model fresh() { return new_model("soba", {{"gamma", "0.4"}}, {3, 2}, 11); }

TEST(Decider, ARetryRepeatsTheDecision) {
  Model model = fresh();
  Decider decider(model);
  const World w = world(1);
  const auto first = decider.decide("e1", {kIndex, w.value});
  const auto again = decider.decide("e1", {kIndex, w.value});
  EXPECT_EQ(first.label, again.label);
  EXPECT_EQ(first.probability, again.probability);
  EXPECT_EQ(decider.pending(), 1);
  EXPECT_EQ(model.tally.rounds, 1);
  EXPECT_THROW(decider.decide("e1", {kIndex, world(3).value}), Error);  // no retry: another x
}

TEST(Decider, AnAnswerTeachesOnce) {
  Model model = fresh();
  Decider decider(model);
  const World w = world(1);
  decider.decide("e1", {kIndex, w.value});
  EXPECT_EQ(decider.feedback("e1", true), Decider::Feedback::kTaken);
  EXPECT_EQ(decider.feedback("e1", true), Decider::Feedback::kUnknownId);
  EXPECT_EQ(decider.feedback("never", true), Decider::Feedback::kUnknownId);
  EXPECT_EQ(model.tally.answers, 1);
  EXPECT_EQ(decider.pending(), 0);
}

TEST(Decider, AForgottenDecisionTeachesNothing) {
  Model model = fresh();
  Decider decider(model);
  decider.decide("e1", {kIndex, world(1).value});
  EXPECT_EQ(decider.forget("e1"), Decider::Feedback::kTaken);
  EXPECT_EQ(decider.feedback("e1", true), Decider::Feedback::kUnknownId);
  EXPECT_EQ(model.tally.answers, 0);
}

// Answers that come in blocks, backwards: the budget holds and the learner still learns.
TEST(Decider, LearnsFromLateAnswersInAnyOrder) {
  Model model = fresh();
  Decider decider(model);
  std::int64_t wrong = 0;
  for (int block = 0; block < 60; ++block) {
    std::vector<Decider::Decision> decisions;
    for (int i = 0; i < 20; ++i) {
      const World w = world(block * 20 + i);
      decisions.push_back(decider.decide(std::to_string(block * 20 + i), {kIndex, w.value}));
      if (block >= 30) wrong += decisions.back().greedy != w.truth;
    }
    for (int i = 19; i >= 0; --i) {
      const World w = world(block * 20 + i);
      decider.feedback(std::to_string(block * 20 + i),
                       decisions[static_cast<std::size_t>(i)].label == w.truth);
    }
  }
  EXPECT_EQ(decider.pending(), 0);
  EXPECT_LE(wrong, 60);  // of 600; chance is 400
  // A saved model refuses a negative budget (Soba::visit), so a round trip checks S >= 0.
  EXPECT_NO_THROW(read_model(write_model(model)));
}

TEST(Decider, PendingDecisionsSurviveARestart) {
  Model straight = fresh(), stopped = fresh();
  {
    Decider one(straight), two(stopped);
    for (int i = 0; i < 50; ++i) {
      const World w = world(i);
      const auto a = one.decide(std::to_string(i), {kIndex, w.value});
      const auto b = two.decide(std::to_string(i), {kIndex, w.value});
      ASSERT_EQ(a.label, b.label);
      if (i % 3 == 0) {
        one.feedback(std::to_string(i), a.label == w.truth);
        two.feedback(std::to_string(i), b.label == w.truth);
      }
    }
  }
  Model resumed = read_model(write_model(stopped));
  Decider one(straight), two(resumed);
  for (int i = 49; i >= 0; --i) {
    const bool correct = i % 2 == 0;
    ASSERT_EQ(one.feedback(std::to_string(i), correct), two.feedback(std::to_string(i), correct));
  }
  EXPECT_EQ(write_model(straight), write_model(resumed));
}

TEST(Decider, AnImpossibleVectorIsRefused) {
  Model model = fresh();
  Decider decider(model);
  const std::vector<double> two = {1, 1}, broken = {1, std::nan("")};
  for (const std::vector<Index>& index :
       {std::vector<Index>{-1, 1}, {1, 0}, {1, 1}, {0, kMaxFeatures + 1}}) {
    EXPECT_THROW(decider.decide("e", {index, two}), Error);
  }
  EXPECT_THROW(decider.decide("e", {kIndex, broken}), Error);
  EXPECT_EQ(decider.pending(), 0);
  EXPECT_EQ(model.tally.rounds, 0);
}

TEST(Decider, ALearnerThatMustSeeTheLabelCannotDecide) {
  Model model = new_model("perceptron", {}, {3, 2}, 1);
  EXPECT_THROW(Decider{model}, Error);
}

}  // namespace
}  // namespace soba
