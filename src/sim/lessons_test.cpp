#include "soba/lessons.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "soba/decide.h"
#include "soba/error.h"

namespace soba {
namespace {

Model fresh(std::string_view learner = "soba") {
  return new_model(learner, {}, Shape{.classes = 3, .features = 4}, 7);
}

Block examples() {
  Block block;
  for (int i = 0; i < 40; ++i) {
    const std::array<Index, 2> index{i % 3, 3};
    const std::array<double, 2> value{1.0 + i % 5, 0.5};
    block.append({index, value}, kNoLabel);
  }
  return block;
}

// A log of a model's own decisions, each answered at once, teaches another what the first has
// learnt.
TEST(Lessons, TeachWhatAnswersToOwnDecisionsTeach) {
  Model deciding = fresh(), reading = fresh();
  Decider decider(deciding);
  Block log = examples();
  std::array<bool, 40> correct{};
  std::array<double, 40> probability{};
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::string id = std::to_string(i);
    const Decision decision = decider.decide(id, log.features(i));
    log.label[i] = decision.index;
    probability[i] = decision.probability;
    correct[i] = decision.index == static_cast<Label>(i % 3);
    ASSERT_EQ(decider.feedback(id, correct[i]), Decider::Feedback::kTaken);
  }
  learn_lessons(log, correct, probability, reading);
  EXPECT_GT(reading.tally.updates, 0);
  EXPECT_EQ(write_model(reading), write_model(deciding));
}

TEST(Lessons, RefusesImpossibleOnesAndLearnsNothing) {
  Model model = fresh();
  const std::string before = write_model(model);
  Block log = examples();
  const std::array<bool, 40> correct{};
  std::array<double, 40> probability{};
  probability.fill(0.5);
  for (Label& label : log.label) label = 1;
  for (const double bad : {0.0, -0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    probability[39] = bad;
    EXPECT_THROW(learn_lessons(log, correct, probability, model), Error) << bad;
  }
  probability[39] = 0.5;
  for (const Label bad : {-1, 3}) {
    log.label[39] = bad;
    EXPECT_THROW(learn_lessons(log, correct, probability, model), Error) << bad;
  }
  EXPECT_EQ(write_model(model), before);
}

TEST(Lessons, AreNotForAYardstick) {
  Model model = fresh("perceptron");
  EXPECT_THROW(learn_lessons(Block{}, {}, {}, model), Error);
}

}  // namespace
}  // namespace soba
