#include "evaluate/decision_reader.h"

#include <gtest/gtest.h>

#include "data/testing.h"
#include "support/refusal.h"

namespace soba {
namespace {

using testing::write_file;

// "id label p correct" of each decision with an answer.
std::vector<std::string> joined(const std::vector<std::string>& paths,
                                const LogOptions& options = {}, const LogWants& wants = {}) {
  DecisionReader log(paths, options, wants);
  std::vector<std::string> out;
  while (const LogRow* row = log.next()) {
    out.push_back(std::string(row->id) + " " + std::string(row->label) + " " +
                  to_text(row->probability) + (*row->correct ? " right" : " wrong"));
    for (const LoggedPolicy& play : row->policies) {
      if (play.probability) out.back() += " " + to_text(*play.probability);
      if (play.label) out.back() += " " + std::string(*play.label);
    }
    if (wants.x) out.back() += " " + std::string(row->x);
  }
  return out;
}

std::string problem(const std::string& text, const std::string& ending = ".jsonl",
                    const LogWants& wants = {}) {
  const std::string path = write_file(ending, text);
  const std::string said = refusal([&] { joined({path}, {}, wants); });
  return said.starts_with(path) ? said.substr(path.size()) : said;
}

constexpr const char* kDecision = R"({"id":"a","label":"x","probability":0.5)";

TEST(DecisionReader, JoinsAnswersInTheOrderInWhichTheyCome) {
  const std::string text = R"({"id":"a","x":{"n":1},"label":"x","probability":0.5}
{"id":7,"label":3,"probability":0.25,"correct":true}

{"id":"b","label":"y","probability":1}
{"id":"b","correct":false}
{"correct":true,"id":"a"}
)";
  const std::vector<std::string> expected = {"7 3 0.25 right", "b y 1 wrong", "a x 0.5 right"};
  EXPECT_EQ(joined({write_file(".jsonl", text)}), expected);
}

TEST(DecisionReader, AnswersMayBeInAnotherLog) {
  const std::string decisions = write_file(".jsonl", std::string(kDecision) + "}\n");
  const std::string answers = write_file(".jsonl", "{\"id\":\"a\",\"correct\":true}\n");
  EXPECT_EQ(joined({decisions, answers}), std::vector<std::string>{"a x 0.5 right"});
}

TEST(DecisionReader, CountsWhatItCannotJoin) {
  const std::string text = std::string(kDecision) + "}\n" + R"({"id":"a","correct":true}
{"id":"a","correct":true}
{"id":"early","correct":true}
{"id":"early","label":"x","probability":0.5}
{"id":"gone","label":"x","probability":0.5,"correct":null}
{"id":"gone","forget":true}
)";
  DecisionReader log({write_file(".jsonl", text)}, {}, {});
  int rows = 0;
  while (log.next() != nullptr) ++rows;
  EXPECT_EQ(rows, 1);
  EXPECT_EQ(log.counts().decisions, 3);
  EXPECT_EQ(log.counts().answered, 1);
  EXPECT_EQ(log.counts().stray_answers, 2);
  EXPECT_EQ(log.counts().forgotten, 1);
  std::vector<std::string> open;
  log.for_each_open([&](const LogRow& row) { open.emplace_back(row.id); });
  EXPECT_EQ(open, (std::vector<std::string>{"early", "gone"}));
}

TEST(DecisionReader, SaysWhatIsWrongAndWhere) {
  const auto decision = [](const char* p) {
    return std::string(R"({"label":"x","correct":true,"probability":)") + p + "}";
  };
  EXPECT_EQ(problem(decision("0")),
            ":1:43: a label that was played has a probability above 0 and up to 1, not 0");
  EXPECT_EQ(problem("\n" + decision("1.5")),
            ":2:43: a label that was played has a probability above 0 and up to 1, not 1.5");
  EXPECT_EQ(problem(decision("\"a\"")), ":1:43: expected a number under \"probability\"");
  EXPECT_EQ(problem(decision("NaN")).substr(0, 21), ":1:43: expected JSON,");
  EXPECT_NE(problem(decision("1e-300")).find("too small"), std::string::npos);
  EXPECT_NE(problem(R"({"label":"x","correct":true})").find("expected \"probability\""),
            std::string::npos);
  EXPECT_EQ(problem(R"({"label":"x","probability":1,"correct":2})"),
            ":1:40: expected true, false or null under \"correct\"");
  EXPECT_EQ(problem(R"({"label":"x","label":"x","probability":1})"),
            ":1:1: key \"label\" appears twice");
  EXPECT_EQ(problem(R"({"correct":true})").substr(0, 6), ":1:1: ");
  EXPECT_NE(problem("{\"label\":\"x\",\"probability\":1,\"correct\":true} x").find(":1:46"),
            std::string::npos);
  EXPECT_NE(problem("{\"label\":\"x\",").find("the end of the line"), std::string::npos);
  EXPECT_NE(problem("{\"a\":1}\n").find("expected a decision"), std::string::npos);
}

TEST(DecisionReader, AnOpenIdCannotBeDecidedAgain) {
  const std::string open = std::string(kDecision) + "}\n";
  EXPECT_NE(problem(open + open).find(":2:1: a decision with the id \"a\" waits"),
            std::string::npos);
  EXPECT_NE(problem(open + kDecision + ",\"correct\":true}\n").find("waits"), std::string::npos);
}

TEST(DecisionReader, ADistributionMustAgree) {
  const auto said = [](const char* distribution) {
    return problem(std::string(kDecision) + R"(,"correct":true,"distribution":)" + distribution +
                   "}");
  };
  EXPECT_EQ(said(R"({"x":0.5,"y":0.5})"), "");
  EXPECT_NE(said(R"({"x":0.5,"y":0.4})").find("adds up to 0.9"), std::string::npos);
  EXPECT_NE(said(R"({"x":0.4,"y":0.6})").find("plays \"x\" with 0.4"), std::string::npos);
  EXPECT_NE(said(R"({"x":-0.5,"y":1.5})").find("probabilities"), std::string::npos);
  EXPECT_NE(said("[1]").find("an object of probabilities"), std::string::npos);
}

TEST(DecisionReader, PoliciesAreProbabilitiesOrLabels) {
  const std::string text =
      std::string(kDecision) + R"(,"correct":true,"policies":{"other":2,"a":0.25,"b":"y"}})";
  EXPECT_EQ(joined({write_file(".jsonl", text)}, {}, {.policies = {"b", "a", "c"}, .x = false}),
            std::vector<std::string>{"a x 0.5 right y 0.25"});
  EXPECT_NE(problem(text, ".jsonl", {.policies = {"other"}, .x = false}).find("from 0 to 1"),
            std::string::npos);
}

TEST(DecisionReader, BadLinesCanBeLeftOut) {
  const std::string path = write_file(
      ".jsonl", "{\nnot json\n" + std::string(kDecision) + ",\"correct\":true}\n{\"id\":1}\n");
  DecisionReader log({path}, {.skip_bad = true}, {});
  int rows = 0;
  while (log.next() != nullptr) ++rows;
  EXPECT_EQ(rows, 1);
  EXPECT_EQ(log.counts().bad_lines, 3);
  EXPECT_TRUE(log.counts().first_bad.starts_with(path + ":1:")) << log.counts().first_bad;
}

TEST(DecisionReader, ReadsTablesByTheirColumns) {
  const std::string text =
      "id,item,p,click,age,\"other, p\"\n"
      "1,\"shoe, red\",0.5,1,31,0.25\n"
      "2,hat,0.125,0,,0.5\n"
      "3,hat,0.125,,40,0.5\n";
  const LogOptions options = {
      .format = "csv", .label_column = "item", .probability_column = "p", .reward_column = "click"};
  const std::vector<std::string> expected = {"1 shoe, red 0.5 right 0.25 {\"age\":31.0}",
                                             "2 hat 0.125 wrong 0.5 {}"};
  EXPECT_EQ(joined({write_file(".csv", text)}, options, {.policies = {"other, p"}, .x = true}),
            expected);
  EXPECT_NE(
      problem("label,probability\nx,1\n", ".csv").find(":1:1: there is no column \"correct\""),
      std::string::npos);
  const std::string start = "label,probability,correct\n";
  EXPECT_EQ(problem(start + "x,0.5,1\nx,zero,1\n", ".csv"),
            ":3:3: expected a probability under \"probability\", found \"zero\"");
  EXPECT_EQ(problem(start + "x,0.5,2\n", ".csv").substr(0, 7), ":2:7: e");
  EXPECT_EQ(problem(start + "x,0.5\n", ".csv"), ":2:1: expected 3 cells as in the header, found 2");
  EXPECT_NE(problem(start + "\"x,0.5,1\n", ".csv").find("a quote is not closed"),
            std::string::npos);
  EXPECT_NE(problem(start + "x,nan,1\n", ".csv").find(":2:3"), std::string::npos);
}

TEST(DecisionReader, KnowsTheColumnsOfOpenBanditPipeline) {
  const std::string dataset =
      "timestamp,item_id,position,click,propensity_score\n2020-01-01,12,1,1,0.03125\n";
  EXPECT_EQ(joined({write_file(".csv", dataset)}), std::vector<std::string>{" 12 0.03125 right"});
  const std::string pipeline = "action,reward,pscore\n3,0,0.5\n";
  EXPECT_EQ(joined({write_file(".csv", pipeline)}), std::vector<std::string>{" 3 0.5 wrong"});
}

TEST(DecisionReader, ReadsDsjson) {
  const std::string text =
      R"({"_label_cost":-1,"_label_probability":0.75,"_labelIndex":1,"EventId":"e","a":[2,1],)"
      R"("c":{"User":{"age":31,"plan":"pro"},"_multi":[{},{}]},"p":[0.75,0.25]})"
      "\n"
      R"({"_label_cost":0,"EventId":"f","a":[1,2],"c":{},"p":[0.5,0.5]})";
  const std::vector<std::string> expected = {
      R"(e 2 0.75 right {"User.age":31.0,"User.plan":"pro"})", "f 1 0.5 wrong {}"};
  EXPECT_EQ(joined({write_file(".json", text)}, {}, {.policies = {}, .x = true}), expected);
  EXPECT_NE(problem(R"({"_label_cost":-0.5,"a":[1],"p":[1]})").find("0 (wrong) or -1 (right)"),
            std::string::npos);
  EXPECT_NE(problem(R"({"_label_cost":-1,"a":[1,2],"p":[1]})").find("a probability for each"),
            std::string::npos);
}

TEST(DecisionReader, AnUnknownFormatIsRefused) {
  EXPECT_EQ(refusal([] { DecisionReader({"x"}, {.format = "xml"}, {}); }).substr(0, 7), "format:");
}

}  // namespace
}  // namespace soba
