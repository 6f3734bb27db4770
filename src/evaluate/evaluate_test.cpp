#include "soba/evaluate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "data/testing.h"
#include "soba/decide.h"
#include "soba/decision_log.h"
#include "soba/rng.h"
#include "support/refusal.h"

namespace soba {
namespace {

using testing::temporary_path;
using testing::write_file;
using enum PolicyKind;

// A log of k = 4 labels: label x is right with probability .2 + .2·x, more where the feature says
// so; drawn greedily (label 1) with probability 1 − γ, uniformly else.
std::string made_log(int n, double gamma, std::uint64_t seed, const char* extra = "") {
  const Rng rng(seed, Purpose::kExamples);
  std::string text;
  for (int i = 0; i < n; ++i) {
    const auto words = rng.words(static_cast<std::uint64_t>(i));
    const auto unit = [&](int j) { return words[static_cast<std::size_t>(j)] / 4294967296.0; };
    const int label = unit(0) < gamma ? static_cast<int>(unit(1) * 4) : 1;
    const double p = gamma / 4 + (label == 1 ? 1 - gamma : 0);
    const bool sunny = words[3] % 2 == 0;
    const bool correct = unit(2) < (sunny ? .2 + .2 * label : .8 - .2 * label);
    text += fmt::format(
        R"({{"id":{},"x":{{"sky":"{}"}},"label":"{}","probability":{},"greedy":"1","correct":{},)"
        R"("policies":{{"three":{},"sky":"{}"}}{}}})"
        "\n",
        i, sunny ? "sun" : "rain", label, p, correct, label == 3 ? 1 : 0, sunny ? 3 : 0, extra);
  }
  return write_file(".jsonl", text);
}

const PolicyResult& of(const Evaluation& found, const std::string& name) {
  for (const PolicyResult& one : found.policies) {
    if (one.name == name) return one;
  }
  ADD_FAILURE() << name;
  return found.policies.front();
}

// Four decisions by hand: the policy's probabilities .5, .2, 0, 1 over .25, .4, .5, .25.
TEST(Evaluate, ASmallLogByHand) {
  const std::string log =
      write_file(".jsonl",
                 R"({"id":1,"label":"a","probability":0.25,"correct":true,"policies":{"q":0.5}}
{"id":2,"label":"b","probability":0.4,"correct":false,"policies":{"q":0.2}}
{"id":3,"label":"a","probability":0.5,"correct":true,"policies":{"q":0}}
{"id":4,"label":"a","probability":0.25,"correct":true,"policies":{"q":1}}
)");
  const Evaluation found = evaluate({log}, {{kNamed, "q"}}, {.clip = 3});
  ASSERT_EQ(found.policies.size(), 2U);
  const PolicyResult& q = found.policies[1];
  EXPECT_DOUBLE_EQ(q.ips, 1.5);
  EXPECT_DOUBLE_EQ(q.snips, 6 / 6.5);
  EXPECT_DOUBLE_EQ(*q.clipped, 1.25);
  EXPECT_DOUBLE_EQ(q.effective_size, 6.5 * 6.5 / 20.25);
  EXPECT_DOUBLE_EQ(q.mean_weight, 6.5 / 4);
  EXPECT_DOUBLE_EQ(q.difference, 1.5 - 0.75);
  EXPECT_FALSE(q.dr);  // its distribution is not in the log
  EXPECT_DOUBLE_EQ(found.policies[0].ips, 0.75);
  EXPECT_DOUBLE_EQ(found.audit.mean_inverse, 12.5 / 4);
  EXPECT_EQ(found.audit.labels, 2);
}

TEST(Evaluate, FixedPoliciesAreWorthWhatTheyAre) {
  const Evaluation found = evaluate({made_log(20'000, 0.4, 3)}, {{kNamed, "three"},
                                                                 {kNamed, "sky"},
                                                                 {kGreedy},
                                                                 {kConstant, "3"},
                                                                 {kUniform},
                                                                 {kBestConstant}});
  EXPECT_TRUE(found.audit.refusals.empty());
  EXPECT_NEAR(of(found, "three").snips, 0.5, 0.05);
  EXPECT_NEAR(of(found, "sky").snips, 0.8, 0.05);
  EXPECT_NEAR(of(found, "greedy").snips, 0.5, 0.02);
  EXPECT_NEAR(of(found, "uniform").snips, 0.5, 0.03);
  EXPECT_DOUBLE_EQ(of(found, "constant 3").ips, of(found, "three").ips);
  const PolicyResult& sky = of(found, "sky");
  EXPECT_LT(sky.betting.lower, 0.8);
  EXPECT_GT(sky.betting.upper, 0.8);
  EXPECT_GT(sky.difference_interval.lower, 0.15);
  EXPECT_TRUE(sky.verdict.starts_with("better than what was deployed, by ")) << sky.verdict;
  EXPECT_EQ(of(found, "greedy").verdict, "cannot be told apart from what was deployed by this log");
  // A reward model that knows the sky does better than weights alone.
  const PolicyResult& three = of(found, "constant 3");
  ASSERT_TRUE(three.dr);
  EXPECT_NEAR(*three.dr, 0.5, 4 * *three.dr_error);
  EXPECT_LT(*three.dr_error, (three.delta.upper - three.delta.lower) / 2 / 1.96 * 1.02);
}

TEST(Evaluate, ALogWithoutExplorationIsRefused) {
  const Evaluation found = evaluate({made_log(200, 0, 1)}, {{kUniform}});
  ASSERT_EQ(found.audit.refusals.size(), 1U);
  EXPECT_NE(found.audit.refusals[0].find("with probability 1"), std::string::npos);
  EXPECT_TRUE(found.policies.empty());
}

TEST(Evaluate, FalseProbabilitiesAreRefused) {
  // Half of the true ones.
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += fmt::format("{{\"label\":\"{}\",\"probability\":0.25,\"correct\":true}}\n", i % 2);
  }
  const Evaluation found = evaluate({write_file(".jsonl", text)}, {{kUniform}});
  ASSERT_GE(found.audit.refusals.size(), 2U);
  EXPECT_NE(found.audit.refusals[0].find("mean of 1/probability is 4"), std::string::npos);
  EXPECT_TRUE(found.policies.empty());
}

TEST(Evaluate, APolicyThatTheLogCouldNotPlayIsRefused) {
  std::string text;
  for (int i = 0; i < 4000; ++i) {
    text += fmt::format("{{\"label\":\"{}\",\"probability\":0.5,\"correct\":true}}\n", i % 2);
  }
  const Evaluation found = evaluate({write_file(".jsonl", text)}, {{kUniform}, {kConstant, "0"}},
                                    {.log = {.labels = {"0", "1", "2"}}});
  EXPECT_NE(of(found, "uniform").refused.find("mean weight is 0.66"), std::string::npos);
  EXPECT_EQ(of(found, "constant 0").refused, "");
  ASSERT_FALSE(found.audit.warnings.empty());
  EXPECT_NE(found.audit.warnings[0].find("below 3, the number of labels"), std::string::npos);
}

TEST(Evaluate, OneWeightThatDecidesIsSaid) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += fmt::format("{{\"label\":\"{}\",\"probability\":{},\"correct\":true}}\n",
                        i == 7 ? "b" : "a", i == 7 ? 0.01 : 0.99);
  }
  const Evaluation found = evaluate({write_file(".jsonl", text)}, {{kConstant, "b"}});
  EXPECT_NE(of(found, "constant b").note.find("100.0 % of all weight"), std::string::npos);
}

TEST(Evaluate, UnansweredDecisionsAreCountedOrWrong) {
  const std::string log =
      write_file(".jsonl", R"({"id":1,"label":"a","probability":0.5,"correct":true}
{"id":2,"label":"b","probability":0.5}
{"id":3,"label":"a","probability":0.5}
{"id":3,"correct":false}
)");
  Evaluation found = evaluate({log}, {{kUniform}});
  EXPECT_EQ(found.audit.decisions, 3);
  EXPECT_EQ(found.audit.answered, 2);
  ASSERT_FALSE(found.audit.warnings.empty());
  EXPECT_DOUBLE_EQ(found.policies[0].ips, 0.5);
  found = evaluate({log}, {{kUniform}}, {.log = {.no_answer_is_wrong = true}});
  EXPECT_EQ(found.audit.answered, 3);
  EXPECT_DOUBLE_EQ(found.policies[0].ips, 1.0 / 3);
}

TEST(Evaluate, AllowedLabels) {
  const std::string rows = R"({"label":"a","labels":["a","b"],"probability":0.5,"correct":true}
{"label":"c","labels":["c"],"probability":1,"correct":false}
{"label":"b","labels":["b","a"],"probability":0.5,"correct":false}
)";
  const std::string log = write_file(".jsonl", rows);
  const Evaluation found = evaluate({log}, {{kUniform}}, {.doubly_robust = false});
  EXPECT_DOUBLE_EQ(of(found, "uniform").ips, 1.0 / 3);
  EXPECT_DOUBLE_EQ(found.audit.mean_inverse, 5.0 / 3);
  EXPECT_NE(refusal([&] {
              evaluate({log}, {{kConstant, "a"}}, {.doubly_robust = false});
            }).find(":2:23: the label \"a\" is not allowed here"),
            std::string::npos);
  const std::string wrong =
      write_file(".jsonl", R"({"label":"d","labels":["a","b"],"probability":0.5,"correct":true})");
  EXPECT_NE(refusal([&] { evaluate({wrong}, {}); }).find("not among the allowed labels"),
            std::string::npos);
}

TEST(Evaluate, SaysWhatIsMissing) {
  const std::string log = made_log(50, 0.5, 1);
  EXPECT_NE(refusal([&] {
              evaluate({log}, {{kNamed, "none"}});
            }).find("\"none\" plays"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              evaluate({log}, {}, {.log = {.labels = {"0", "1"}}});
            }).find("unknown label"),
            std::string::npos);
  EXPECT_NE(refusal([&] { evaluate({"-"}, {{kUniform}}); }).find("can be read only once"),
            std::string::npos);
  EXPECT_NE(refusal([&] { evaluate({log}, {}, {.confidence = 1}); }).find("confidence"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              evaluate({log}, {{kTrained, "perceptron"}});
            }).find("true label"),
            std::string::npos);
  const std::string open = write_file(".jsonl", R"({"id":1,"label":"a","probability":0.5})");
  EXPECT_NE(refusal([&] { evaluate({open}, {}); }).find("no decision has an answer"),
            std::string::npos);
}

TEST(Evaluate, ALearnerLearnsFromTheLogAndIsKept) {
  const std::string log = made_log(6000, 0.5, 5), kept = temporary_path(".model");
  const Evaluation found =
      evaluate({log}, {{.kind = kTrained, .name = "bandit-arow", .save = kept}});
  const PolicyResult& trained = of(found, "bandit-arow, trained");
  EXPECT_NEAR(trained.snips, 0.8, 0.06);
  EXPECT_EQ(trained.rounds, 6000);
  const Evaluation again = evaluate({log}, {{kModel, kept}});
  EXPECT_NEAR(of(again, kept + ", greedy").snips, 0.8, 0.06);
}

TEST(Evaluate, AnOnlineLearnerIsAcceptedAsOftenAsItShould) {
  // c = γ/4 = .15; each decision is accepted with probability c on average.
  const std::string log = made_log(20'000, 0.6, 7);
  const Evaluation found = evaluate(
      {log}, {{kOnline, "bandit-arow"}, {.kind = kOnline, .name = "bandit-arow", .relaxed = true}});
  const PolicyResult& exact = found.policies[1];
  EXPECT_NEAR(static_cast<double>(exact.rounds), 3000, 5 * std::sqrt(3000));
  EXPECT_NEAR(exact.snips, 0.7, 0.06);
  EXPECT_LT(exact.betting.lower, exact.ips);
  EXPECT_GT(exact.betting.upper, exact.ips);
  // This learner does not explore, so that nothing is won.
  EXPECT_NEAR(static_cast<double>(found.policies[2].rounds), 3000, 5 * std::sqrt(3000));
  EXPECT_NE(found.policies[2].note.find("biases"), std::string::npos);
  const Evaluation few = evaluate({made_log(2000, 0.6, 7)}, {{kOnline, "bandit-arow"}});
  EXPECT_NE(few.policies[1].refused.find("rejection sampling accepted"), std::string::npos);
}

// A policy that plays uniformly at random accepts what it would play: exactly so in distribution.
TEST(Evaluate, AcceptedDecisionsAreDistributedAsTheLearnersOwn) {
  const std::string log = made_log(30'000, 0.3, 11);
  const Evaluation found =
      evaluate({log}, {{.kind = kOnline, .name = "banditron", .options = {{"gamma", "1"}}}});
  const PolicyResult& uniform = found.policies[1];
  // c·ν/p = (.075·.25)/p: .01875/.075 for explored labels, .01875/.775 for the greedy one.
  EXPECT_NEAR(static_cast<double>(uniform.rounds), 30'000 * 0.075, 5 * std::sqrt(2250));
  EXPECT_NEAR(uniform.snips, 0.5, 0.05);
}

// ---- What `soba decide` writes ------------------------------------------------------------------

struct Conversation {
  std::string log = temporary_path(".jsonl");
  std::string start = temporary_path(".model"), end = temporary_path(".model");

  explicit Conversation(int n) {
    Model model = new_model("soba", {{"gamma", "0.3"}}, named_schema({"a", "b", "c"}), 5);
    save_model(model, start);
    EventProtocol protocol(model);
    DecisionLog file(log, model.learner_name);
    for (int i = 0; i < n; ++i) {
      say(protocol, file,
          fmt::format(R"({{"id":"e{}","x":{{"n":{},"s":"{}"}}}})", i, i % 5, i % 3));
      if (i % 7 == 6) say(protocol, file, fmt::format(R"({{"id":"e{}","forget":true}})", i));
      say(protocol, file,
          fmt::format(R"({{"id":"e{}","correct":{}}})", i / 2, i % 2 == 0 ? "true" : "false"));
    }
    save_model(model, end);
  }

  static void say(EventProtocol& protocol, DecisionLog& file, const std::string& line) {
    const std::int64_t before = protocol.pending();
    const std::string reply = protocol.answer(line);
    if (protocol.pending() > before) file.decided(line, reply);
    if (protocol.pending() < before) file.ended(line);
    file.commit(false);
  }
};

TEST(DecisionLog, IsReadBack) {
  const Conversation told(400);
  const Evaluation found = evaluate({told.log}, {{kGreedy}, {kUniform}});
  EXPECT_EQ(found.audit.decisions, 400);
  EXPECT_GT(found.audit.answered, 150);
  EXPECT_EQ(found.audit.stray_answers, 0);
  EXPECT_GT(found.audit.forgotten, 20);
  EXPECT_EQ(testing::file_bytes(told.log).find("seed"), std::string::npos);
}

TEST(DecisionLog, ATornLineIsCutOffAndTheRestIsKept) {
  const std::string path = write_file(".jsonl", "{\"whole\":1}\n{\"id\":\"e1\",\"lab");
  { DecisionLog log(path, "soba"); }
  EXPECT_EQ(testing::file_bytes(path), "{\"whole\":1}\n");
  const std::string torn = write_file(".jsonl", std::string(10'000, 'x'));
  { DecisionLog log(torn, "soba"); }
  EXPECT_EQ(testing::file_bytes(torn), "");
  EXPECT_NE(
      refusal([] { DecisionLog log(temporary_path(".jsonl.gz"), "soba"); }).find("compressed"),
      std::string::npos);
}

TEST(Replay, RepeatsEveryDraw) {
  const Conversation told(300);
  for (const std::string& model : {told.start, told.end}) {
    const Replay replay = replay_log({told.log}, model);
    EXPECT_EQ(replay.decisions, 300);
    EXPECT_EQ(replay.mismatches, 0) << replay.first.front().what;
  }
}

TEST(Replay, NamesARowThatWasTamperedWith) {
  const Conversation told(60);
  std::string text = testing::file_bytes(told.log);
  const std::size_t at = text.find("\"probability\":", text.find("\"e30\"")) + 14;
  text.replace(at, text.find(',', at) - at, "0.123");
  const Replay replay = replay_log({write_file(".jsonl", text)}, told.start);
  EXPECT_GE(replay.mismatches, 1);
  ASSERT_FALSE(replay.first.empty());
  EXPECT_EQ(replay.first[0].id, "e30");
  EXPECT_NE(replay.first[0].what.find("0.123 in the log"), std::string::npos);
}

// ---- The Open Bandit Dataset, where it is at hand -----------------------------------------------

// SOBA_OBD names the folder with men-random and men-bts, small samples of the Open Bandit Dataset
// as decision logs. The values are those of Open Bandit Pipeline's and vw-estimators' own classes.
TEST(OpenBanditDataset, AgreesWithOtherImplementations) {
  const char* const folder = std::getenv("SOBA_OBD");
  if (folder == nullptr) GTEST_SKIP() << "the environment variable SOBA_OBD names no folder";
  struct Known {
    const char *file, *policy;
    double ips, snips, clipped2, clipped5, cressie_read, delta[2], betting[2], ess, mean;
  };
  const Known all[] = {
      {"men-random",
       "bts",
       .00453356,
       .004604232164349612,
       .003310764,
       .004273414,
       .004604167203,
       {.00225448, .00695398},
       {.00189, .0781},
       2467.40,
       .98465061},
      {"men-bts",
       "uniform",
       .0030086263272564836,
       .003189423162277392,
       .0024475959153516793,
       .0030086263272564836,
       .003399762310,
       {.00156684, .00481201},
       {.00135, .1630},
       656,
       .94331363},
  };
  for (const Known& known : all) {
    SCOPED_TRACE(known.file);
    const std::string log = fmt::format("{}/{}.jsonl.xz", folder, known.file);
    const auto run = [&](double clip) {
      return evaluate({log}, {{kNamed, known.policy}}, {.clip = clip}).policies.at(1);
    };
    const PolicyResult found = run(2);
    EXPECT_NEAR(found.ips, known.ips, 1e-9);
    EXPECT_NEAR(found.snips, known.snips, 1e-9);
    EXPECT_NEAR(*found.clipped, known.clipped2, 1e-9);
    EXPECT_NEAR(*run(5).clipped, known.clipped5, 1e-9);
    EXPECT_NEAR(found.cressie_read, known.cressie_read, 1e-6);
    EXPECT_NEAR(found.delta.lower, known.delta[0], 1e-6);
    EXPECT_NEAR(found.delta.upper, known.delta[1], 1e-6);
    EXPECT_NEAR(found.betting.lower, known.betting[0], 1e-4);
    EXPECT_NEAR(found.betting.upper, known.betting[1], 1e-4);
    EXPECT_NEAR(found.effective_size, known.ess, 0.5);
    EXPECT_NEAR(found.mean_weight, known.mean, 1e-8);
  }
}

}  // namespace
}  // namespace soba
