#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "soba/decide.h"
#include "soba/error.h"

namespace soba {
namespace {

using ::testing::HasSubstr;

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
    std::vector<Decision> decisions;
    for (int i = 0; i < 20; ++i) {
      const World w = world(block * 20 + i);
      decisions.push_back(decider.decide(std::to_string(block * 20 + i), {kIndex, w.value}));
      if (block >= 30) wrong += decisions.back().greedy_index != w.truth;
    }
    for (int i = 19; i >= 0; --i) {
      const World w = world(block * 20 + i);
      decider.feedback(std::to_string(block * 20 + i),
                       decisions[static_cast<std::size_t>(i)].index == w.truth);
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
      ASSERT_EQ(a.index, b.index);
      if (i % 3 == 0) {
        one.feedback(std::to_string(i), a.index == w.truth);
        two.feedback(std::to_string(i), b.index == w.truth);
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

// An index that is shorter than the values was read beyond its end.
TEST(Decider, IndicesAndValuesMustBeAsMany) {
  Model model = fresh();
  Decider decider(model);
  const std::vector<Index> one = {0};
  const std::vector<double> three = {1, 2, 3};
  EXPECT_THROW(decider.decide("e", {one, three}), Error);
  EXPECT_THROW(decider.decide("e", {one, {}}), Error);
  EXPECT_NO_THROW(decider.decide("dense", {{}, three}));
  EXPECT_EQ(model.pending[0].index, (std::vector<Index>{0, 1, 2}));
}

std::string resource_error(Decider& decider, std::string_view id) {
  try {
    decider.decide(id, {{"new", 1}});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kResource);
    return error.what();
  }
  return "accepted";
}

TEST(Decider, RefusesDecisionsBeyondItsLimitsAndChangesNothing) {
  Model model = new_model("soba", {}, named_schema({"a", "b"}), 1);
  Decider decider(model, {.decisions = 2});
  decider.decide("e1", {{"x", 1}});
  decider.decide("e2", {{"x", 2}});
  const std::string before = write_model(model);
  EXPECT_EQ(resource_error(decider, "e3"),
            "2 decisions wait for their answers, the most that are kept; answer or forget some");
  const std::vector<double> dense = {1};
  EXPECT_THROW(decider.decide("e3", {{}, dense}), Error);
  EXPECT_EQ(write_model(model), before);
  EXPECT_NO_THROW(decider.decide("e1", {{"x", 1}}));  // waits already
  decider.forget("e1");
  EXPECT_EQ(resource_error(decider, "e3"), "accepted");
}

TEST(Decider, RefusesDecisionsBeyondItsMemory) {
  Model model = new_model("soba", {}, named_schema({"a", "b"}), 1);
  Decider decider(model, {.bytes = 1});
  decider.decide("e1", {{"x", 1}});
  EXPECT_THAT(resource_error(decider, "e2"), HasSubstr("bytes"));
  decider.feedback("e1", true);
  EXPECT_EQ(model.pending.bytes(), 0);
  EXPECT_EQ(resource_error(decider, "e2"), "accepted");
}

TEST(Decider, SpeaksNames) {
  Model model = new_model("soba", {{"gamma", "0.1"}}, named_schema({"card", "invoice"}), 3);
  Decider decider(model);
  for (int i = 0; i < 400; ++i) {
    const std::string id = "order-" + std::to_string(i), country = i % 2 == 0 ? "de" : "fr";
    const Decision d = decider.decide(id, {{"amount", i % 7}, {"country", country}, {"age", {}}});
    EXPECT_EQ(d.label, model.schema.labels.name(d.index));
    EXPECT_EQ(d.greedy, model.schema.labels.name(d.greedy_index));
    decider.feedback(id, (d.label == "card") == (country == "de"));
  }
  EXPECT_EQ(decider.decide("last", {{"country", "de"}}).greedy, "card");
  EXPECT_EQ(decider.decide("none", {}).index, decider.decide("none", Features{}).index);
  EXPECT_EQ(model.schema.features.names(),
            (std::vector<std::string>{"amount", "country=de", "country=fr"}));
  const std::vector<NamedValue> values = {{"country", "fr"}};
  EXPECT_EQ(decider.decide("vector", values).greedy, "invoice");
}

TEST(Decider, NamesOfLabelsAreTheirNumbersWhereThereAreNone) {
  Model model = fresh();
  const Decision d = Decider(model).decide("e", {kIndex, world(1).value});
  EXPECT_EQ(d.label, std::to_string(d.index));
}

TEST(Decider, AnErrorNamesTheFeature) {
  Model model = new_model("soba", {}, named_schema({"a", "b"}), 1);
  Decider decider(model);
  const auto refusal = [&](std::initializer_list<NamedValue> x) -> std::string {
    try {
      decider.decide("e", x);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({{"height", std::nan("")}}), HasSubstr("\"height\""));
  EXPECT_THAT(refusal({{"height", 1}, {"height", 2}}), HasSubstr("\"height\" appears twice"));
  EXPECT_THAT(refusal({{"c=d", 1}, {"c", "d"}}), HasSubstr("\"c=d\""));
  EXPECT_EQ(decider.pending(), 0);
  EXPECT_EQ(model.schema.features.size(), 0);  // a refused decision leaves no names
  EXPECT_EQ(refusal({{"height", 1}}), "accepted");
  EXPECT_THAT(refusal({{"height", 1}, {"width", 2}}), HasSubstr("waits under the id"));
  EXPECT_EQ(model.schema.features.names(), std::vector<std::string>{"height"});
}

TEST(Decider, ALearnerThatMustSeeTheLabelCannotDecide) {
  Model model = new_model("perceptron", {}, {3, 2}, 1);
  EXPECT_THROW(Decider{model}, Error);
}

TEST(Decider, DecisionsExpireByTheirNumber) {
  Model model = new_model("bandit-arow", {}, {3, 2}, 1);
  const std::vector<double> x = {1, 2};
  Decider decider(model, {.expire_decisions = 3});
  for (int i = 0; i < 10; ++i) {
    decider.decide(std::to_string(i), Features{{}, x});
    EXPECT_EQ(decider.expire(0), i >= 3 ? 1 : 0) << i;
  }
  EXPECT_EQ(decider.feedback("6", true), Decider::Feedback::kUnknownId);
  EXPECT_EQ(decider.feedback("8", true),
            Decider::Feedback::kTaken);  // answered, so it never expires
  decider.decide("10", Features{{}, x});
  decider.decide("11", Features{{}, x});
  EXPECT_EQ(decider.expire(0), 1);  // 7 was due before; 8 is gone
  EXPECT_EQ(model.tally.answers, 1);
  EXPECT_EQ(model.tally.updates, 1);
}

TEST(Decider, DecisionsExpireByTheirAgeWithTheAnswerThatIsStated) {
  Model model = new_model("bandit-arow", {}, {3, 2}, 1);
  const std::vector<double> x = {1, 2};
  const PendingLimits limits{.expire_seconds = 60, .expired_answer = false};
  {
    Decider decider(model, limits);
    decider.expire(1000);
    decider.decide("a", Features{{}, x});
    decider.expire(1030);
    decider.decide("b", Features{{}, x});
    EXPECT_EQ(decider.expire(1059), 0);
  }
  Model again = read_model(write_model(model));  // the time is in the file
  Decider decider(again, limits);
  EXPECT_EQ(decider.expire(1060), 1);
  EXPECT_EQ(again.tally.answers, 1);
  EXPECT_EQ(again.tally.mistakes, 1);
  EXPECT_EQ(decider.pending(), 1);
  EXPECT_EQ(decider.expire(5000), 1);
  EXPECT_EQ(decider.expire(9000), 0);
}

TEST(Decider, WhereNothingIsKeptNothingChanges) {
  Model model = new_model("auto", {}, named_schema({"a", "b"}), 1);
  Decider teacher(model);
  teacher.decide("1", {{"size", 1.0}});
  teacher.feedback("1", true);
  const std::string before = write_model(model);
  Decider decider(model, {.decisions = 1, .keep = false});
  for (int i = 0; i < 5; ++i) {
    const Decision decision = decider.decide("n", {{"size", 1.0}, {"new", 2.0}});
    EXPECT_TRUE(decision.probability > 0 && decision.probability <= 1);
  }
  EXPECT_EQ(decider.feedback("n", true), Decider::Feedback::kUnknownId);
  EXPECT_TRUE(write_model(model) == before);
}

TEST(Decider, OnlyLabelsOfTheModelMayBeAllowed) {
  Model model = new_model("soba", {}, {3, 2}, 1);
  Decider decider(model);
  const std::vector<double> x = {1, 2};
  const std::vector<Label> unordered = {1, 0}, beyond = {1, 3}, twice = {1, 1}, good = {0, 2};
  for (const auto* wrong : {&unordered, &beyond, &twice}) {
    EXPECT_THROW(decider.decide("1", Features{{}, x}, *wrong), Error);
  }
  EXPECT_NE(decider.decide("1", Features{{}, x}, good).index, 1);
  EXPECT_EQ(decider.decide("1", Features{{}, x}).label,
            decider.decide("1", Features{{}, x}, good).label);
  EXPECT_THROW(decider.decide("1", Features{{}, x}, std::span(good).first(1)), Error);
  retire_label(model, "2");
  EXPECT_THROW(decider.decide("2", Features{{}, x}, good), Error);
}

}  // namespace
}  // namespace soba
