#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "soba/decide.h"
#include "soba/error.h"

namespace soba {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Model fresh() { return new_model("banditron", {{"gamma", "0"}}, named_schema({"a", "b"}), 1); }

// Without exploration the first label wins all ties: what is replied is known.
class Protocol : public ::testing::Test {
 protected:
  std::string ask(std::string_view line) { return protocol_.answer(line); }
  std::string bad(std::string_view line) {
    try {
      return "accepted: " + protocol_.answer(line);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
  }

  Model model_ = fresh();
  EventProtocol protocol_{model_};
};

TEST_F(Protocol, Decides) {
  EXPECT_EQ(ask(R"({"id":"e1","x":{"n":1.5,"t":"x","b":true,"gone":null}})"),
            R"({"id":"e1","label":"a","probability":1.0,"greedy":"a"})");
  EXPECT_EQ(protocol_.counts().decisions, 1);
  EXPECT_EQ(protocol_.pending(), 1);
  EXPECT_EQ(model_.schema.features.names(), (std::vector<std::string>{"n", "t=x", "b"}));
}

TEST_F(Protocol, RepliesWithTheIdAsItWasWritten) {
  EXPECT_THAT(ask(R"({"id":7,"x":{}})"), StartsWith(R"({"id":7,)"));
  EXPECT_THAT(ask(R"({"id":-7,"x":[]})"), StartsWith(R"({"id":-7,)"));
  EXPECT_THAT(ask(R"({"id":18446744073709551615,"x":[1]})"),
              StartsWith(R"({"id":18446744073709551615,)"));
  EXPECT_THAT(ask(R"({"id":"\u00e9 \"q\" \n","x":{}})"), StartsWith(R"({"id":"é \"q\" \n",)"));
  EXPECT_EQ(ask(R"({"id":"7","correct":true})"), "");  // the text and the number are the same id
}

TEST_F(Protocol, AnAnswerTeachesInSilence) {
  ask(R"({"id":"e1","x":{"n":1}})");
  EXPECT_EQ(ask(R"({"id":"e1","correct":true})"), "");
  EXPECT_EQ(ask(R"({"id":"e1","correct":false})"),
            R"({"id":"e1","error":"no decision waits under this id"})");
  EXPECT_EQ(protocol_.counts().answers, 1);
  EXPECT_EQ(protocol_.counts().unknown_ids, 1);
  EXPECT_EQ(model_.tally.answers, 1);
}

TEST_F(Protocol, ForgetsInSilence) {
  ask(R"({"id":"e1","x":{"n":1}})");
  EXPECT_EQ(ask(R"({"id":"e1","forget":true})"), "");
  EXPECT_EQ(ask(R"({"id":"e1","forget":true})"),
            R"({"id":"e1","error":"no decision waits under this id"})");
  EXPECT_EQ(protocol_.counts().forgotten, 1);
  EXPECT_EQ(protocol_.counts().events(), 2);
  EXPECT_EQ(model_.tally.answers, 0);
}

TEST_F(Protocol, OtherKeysAndBlankLinesAreLeftAlone) {
  EXPECT_EQ(ask(""), "");
  EXPECT_EQ(ask(" \t"), "");
  EXPECT_THAT(ask(R"({"time":"now","id":"e","x":{}})"), HasSubstr("label"));
  EXPECT_EQ(protocol_.counts().bad_lines, 0);
}

TEST_F(Protocol, ABadLineHasItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"id":"e1","x":{"a":)", "<stdin>:1:21: expected JSON, found the end of the line"},
      {"nonsense", "<stdin>:2:1: expected JSON, found \"nonsense\""},
      {"[1]", "<stdin>:3:1: expected an object such as {\"id\":\"e1\",\"x\":{…}}"},
      {R"({"x":{"a":1}})", "<stdin>:4:1: expected a text or a whole number under \"id\""},
      {R"({"id":"e"})",
       "<stdin>:5:1: expected one of \"x\", \"correct\" and \"forget\" beside \"id\""},
      {R"({"id":"e","x":{},"correct":true})",
       "<stdin>:6:1: expected one of \"x\", \"correct\" and \"forget\" beside \"id\""},
      {R"({"id":"e","correct":1})", "<stdin>:7:21: expected true or false under \"correct\""},
      {R"({"id":"e","forget":false})", "<stdin>:8:20: expected true under \"forget\""},
      {R"({"id":1.5,"x":{}})", "<stdin>:9:7: expected a text or a whole number under \"id\""},
      {R"({"id":"e","x":3})",
       "<stdin>:10:15: expected an object or an array of features in \"x\", found a number"},
      {R"({"id":"e","x":{"a":1,"b":[2]}})",
       "<stdin>:11:22: expected a number, a text, a boolean or null for \"b\", found an array"},
      {R"({"id":"e","x":{"a":1,"a":2}})", "<stdin>:12:22: \"a\" appears twice"},
      {R"({"id":"e","x":{"a":1e60}})",
       "<stdin>:13:16: expected a number from -1e+50 to 1e+50 for \"a\", found 1e+60"},
      {R"({"id":"e","x":{"c=d":1,"c":"d"}})",
       "<stdin>:14:15: two entries of \"x\" give the same feature"},
      {R"({"id":"a","correct":true,"correct":false})", "<stdin>:15:1: \"correct\" is there twice"},
      {R"({"id":"a","id":"b","x":[1]})", "<stdin>:16:1: \"id\" is there twice"},
      {R"({"id":"a","x":[1],"x":[2]})", "<stdin>:17:1: \"x\" is there twice"},
  };
  for (const auto& [line, message] : cases) EXPECT_EQ(bad(line), message);
  EXPECT_EQ(protocol_.counts().bad_lines, static_cast<std::int64_t>(std::size(cases)));
  EXPECT_EQ(protocol_.counts().decisions, 0);
  EXPECT_EQ(protocol_.pending(), 0);
}

TEST_F(Protocol, AWaitingIdIsRepeatedForTheSameX) {
  const std::string first = ask(R"({"id":"e1","x":{"n":1}})");
  EXPECT_EQ(ask(R"({"id":"e1","x":{"n":1}})"), first);
  EXPECT_EQ(bad(R"({"id":"e1","x":{"n":2}})"),
            "<stdin>:3:16: a decision waits under the id 'e1', for another x or other labels; "
            "answer it, forget it, or choose another id");
}

TEST(ProtocolOptions, Acknowledges) {
  Model model = fresh();
  EventProtocol protocol(model, {.acknowledge = true});
  protocol.answer(R"({"id":"e1","x":{}})");
  EXPECT_EQ(protocol.answer(R"({"id":"e1","correct":true})"), R"({"id":"e1","learned":true})");
  protocol.answer(R"({"id":2,"x":{}})");
  EXPECT_EQ(protocol.answer(R"({"id":2,"forget":true})"), R"({"id":2,"forgotten":true})");
}

TEST(ProtocolOptions, RepliesToBadLines) {
  Model model = fresh();
  EventProtocol protocol(model, {.skip_bad = true, .source = "events.jsonl"});
  EXPECT_EQ(
      protocol.answer("[1]"),
      R"({"error":"events.jsonl:1:1: expected an object such as {\"id\":\"e1\",\"x\":{…}}"})");
  EXPECT_THAT(protocol.answer(R"({"id":"e1","x":{}})"), HasSubstr("label"));
  EXPECT_EQ(protocol.counts().bad_lines, 1);
  // With the id, where it can be read.
  EXPECT_EQ(protocol.answer(R"({"correct":1,"id":"e1"})"),
            R"({"id":"e1","error":"events.jsonl:3:12: expected true or false under \"correct\""})");
  EXPECT_EQ(
      protocol.answer(R"({"id":7,"x":{"new":1,"n":1e60}})"),
      R"({"id":7,"error":"events.jsonl:4:22: expected a number from -1e+50 to 1e+50 for \"n\", )"
      R"(found 1e+60"})");
  EXPECT_EQ(model.schema.features.size(), 0);  // and leaves no names
}

TEST(ProtocolOptions, UnknownColumns) {
  Model model = fresh();
  model.schema.columns = {"age"};
  model.schema.features.add("age");
  const char* line = R"({"id":1,"x":{"ages":1,"age":2}})";
  EventProtocol refusing(model, {.skip_bad = true});
  EXPECT_EQ(refusing.answer(line), R"({"id":1,"error":"<stdin>:1:14: \"ages\" is not a column of )"
                                   R"(the model; did you mean \"age\"?"})");
  EXPECT_THAT(refusing.answer(R"({"id":1,"x":[1]})"), HasSubstr("is not a column of the model"));
  EventProtocol ignoring(model, {.unknown = "ignore"});
  EXPECT_THAT(ignoring.answer(line), HasSubstr("label"));
  EXPECT_EQ(ignoring.counts().ignored, 1);
  EXPECT_EQ(model.schema.features.size(), 1);
  EXPECT_THROW(EventProtocol(model, {.unknown = "perhaps"}), Error);
}

TEST(ProtocolOptions, RefusesDecisionsBeyondTheLimits) {
  Model model = fresh();
  EventProtocol protocol(model, {.limits = {.decisions = 1}});
  const std::string first = protocol.answer(R"({"id":1,"x":{"n":1}})");
  EXPECT_EQ(protocol.answer(R"({"id":2,"x":{"new":1}})"),
            R"({"id":2,"error":"1 decisions wait for their answers, the most that are kept; )"
            R"(answer or forget some"})");
  EXPECT_EQ(model.schema.features.names(), (std::vector<std::string>{"n"}));
  EXPECT_EQ(protocol.counts().refused, 1);
  EXPECT_EQ(protocol.answer(R"({"id":1,"x":{"n":1}})"), first);
  protocol.answer(R"({"id":1,"correct":true})");
  EXPECT_THAT(protocol.answer(R"({"id":2,"x":{"new":1}})"), HasSubstr("label"));
}

TEST(ProtocolOptions, LabelsThatAreNoUtf8AreReplaced) {
  Model model = new_model("banditron", {}, named_schema({"\xff", "b"}), 1);
  EventProtocol protocol(model);
  EXPECT_THAT(protocol.answer(R"({"id":1,"x":{}})"), HasSubstr("\"\xEF\xBF\xBD\""));
}

TEST(ProtocolOptions, ALearnerThatMustSeeTheLabelCannotDecide) {
  Model model = new_model("perceptron", {}, named_schema({"a", "b"}), 1);
  EXPECT_THROW(EventProtocol{model}, Error);
}

// An answer that needs more memory than allowed is refused whole, and the conversation goes on.
TEST(EventProtocol, AnAnswerWithoutRoomLeavesItsDecisionWaiting) {
  Model model = new_model("squarecb-full", {{"memory", "1"}}, named_schema({"a", "b"}), 1);
  EventProtocol protocol(model, {.acknowledge = true});
  std::string wide = R"({"id":"w","x":{"f0":1)";
  for (int j = 1; j < 1000; ++j) wide += ",\"f" + std::to_string(j) + "\":1";
  protocol.answer(wide + "}}");
  const std::string before = write_model(model);
  EXPECT_NE(protocol.answer(R"({"id":"w","correct":true})").find("raise 'memory'"),
            std::string::npos);
  EXPECT_EQ(write_model(model), before);
  EXPECT_EQ(protocol.pending(), 1);
  EXPECT_EQ(protocol.counts().refused, 1);
  EXPECT_EQ(protocol.answer(R"({"id":"w","forget":true})"), R"({"id":"w","forgotten":true})");
}

TEST_F(Protocol, LabelsComeAndGo) {
  EXPECT_EQ(ask(R"({"add_label":"c"})"), R"({"added_label":"c"})");
  EXPECT_EQ(ask(R"({"id":5,"rename_label":{"from":"a","to":7}})"),
            R"({"id":5,"renamed_label":"a","to":"7"})");
  EXPECT_EQ(ask(R"({"retire_label":"7"})"), R"({"retired_label":"7"})");
  EXPECT_THAT(ask(R"({"id":1,"x":{}})"), HasSubstr(R"("label":"b")"));
  EXPECT_THAT(ask(R"({"id":2,"x":{},"allowed":["c"]})"),
              HasSubstr(R"("label":"c","probability":1)"));
  EXPECT_EQ(protocol_.counts().label_changes, 3);
  EXPECT_THAT(bad(R"({"add_label":"c"})"), HasSubstr(":6:14: the model already has a label 'c'"));
  EXPECT_THAT(bad(R"({"add_label":[]})"), HasSubstr("expected a label under"));
  EXPECT_THAT(bad(R"({"rename_label":"b"})"), HasSubstr(R"({"from":…,"to":…})"));
  EXPECT_THAT(bad(R"({"id":3,"x":{},"allowed":["7"]})"), HasSubstr("label '7' is retired"));
  EXPECT_THAT(bad(R"({"id":3,"x":{},"allowed":"b"})"), HasSubstr("an array of labels"));
  EXPECT_THAT(bad(R"({"id":3,"correct":true,"allowed":["b"]})"), HasSubstr("belongs beside \"x\""));
  EXPECT_THAT(bad(R"({"add_label":"d","retire_label":"b"})"), HasSubstr("the only change"));
  EXPECT_EQ(model_.schema.labels.names(), (std::vector<std::string>{"7", "b", "c"}));
}

TEST(ProtocolOptions, ExplainsAndForgets) {
  Model model = new_model("bandit-arow", {}, named_schema({"a", "b"}), 1);
  {
    EventProtocol teacher(model);
    teacher.answer(R"({"id":1,"x":{"n":1}})");
    teacher.answer(R"({"id":1,"correct":true})");
  }
  const std::string before = write_model(model);
  EventProtocol protocol(model, {.limits = {.keep = false}, .explain = 1});
  EXPECT_THAT(protocol.answer(R"({"id":2,"x":{"n":1,"new":1}})"),
              HasSubstr(R"("because":{"label":")"));
  EXPECT_THAT(protocol.answer(R"({"id":2,"correct":true})"), HasSubstr("no decision waits"));
  EXPECT_TRUE(write_model(model) == before);
  std::int64_t now = 100;
  EventProtocol waiting(model, {.limits = {.expire_seconds = 10}, .clock = [&] { return now; }});
  waiting.answer(R"({"id":3,"x":{"n":1}})");
  now = 109;
  waiting.answer(R"({"id":4,"x":{"n":1}})");
  EXPECT_EQ(waiting.pending(), 2);
  now = 110;
  EXPECT_THAT(waiting.answer(R"({"id":3,"correct":true})"), HasSubstr("no decision waits"));
  EXPECT_EQ(waiting.counts().expired, 1);
}

}  // namespace
}  // namespace soba
