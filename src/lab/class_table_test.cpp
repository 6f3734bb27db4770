#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "soba/lab/describe.h"
#include "soba/lab/rows.h"

namespace soba::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunResult made_result() {
  RunResult result;
  result.learner = "auto";
  result.feedback = "bandit";
  result.labels = {"card", "a label with a long name", "\x1b[2J"};
  result.shape = {3, 2};
  result.by_class = ClassCounts(3);
  const auto play = [&](int times, Label label, Label drawn) {
    for (int i = 0; i < times; ++i) {
      result.by_class.count({.round = 1,
                             .label = label,
                             .greedy = drawn,
                             .played = drawn,
                             .probability = 1,
                             .gamma = 0,
                             .correct = label == drawn,
                             .updated = false,
                             .margin_sum = {}});
    }
  };
  play(7, 0, 0);
  play(1, 0, 1);
  play(12, 1, 1);
  play(6, 1, 0);
  play(2, 1, 2);
  return result;
}

TEST(ClassTable, TheMostFrequentLabelComesFirst) {
  const std::string text = class_table(made_result());
  EXPECT_THAT(text, HasSubstr("  a label with …        20   60.0 %     92.3 %   "
                              "card (30 %), \\x1b[2J (10 %)\n"
                              "  card                   8   87.5 %     53.8 %   "
                              "a labe… (12 %)\n"
                              "  \\x1b[2J                0        –      0.0 %\n"));
}

TEST(ClassTable, ShowsTwentyLabelsAndCountsTheOthers) {
  RunResult result;
  result.by_class = ClassCounts(23);
  const std::string text = class_table(result), matrix = confusion_table(result);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 20 + 1);
  EXPECT_THAT(text, HasSubstr("… and 3 labels with fewer examples"));
  EXPECT_EQ(std::count(matrix.begin(), matrix.end(), '\n'), 2 + 20 + 1);
}

TEST(ConfusionTable, IsInPercentOfEachLabelsExamples) {
  EXPECT_THAT(confusion_table(made_result()), HasSubstr("   1 a label with… 60 30 10\n"
                                                        "   2 card          12 88  ·\n"));
}

TEST(ConfusionTable, SaysWhereThereIsNone) {
  RunResult result;
  result.by_class = ClassCounts(2001);
  EXPECT_THAT(confusion_table(result), HasSubstr("more than 2,000 labels"));
}

TEST(RunJson, HasEveryLabelThatCame) {
  const auto json = nlohmann::json::parse(result_json(made_result(), false));
  EXPECT_EQ(json["by_class"].size(), 3U);
  EXPECT_EQ(json["by_class"][1]["recall"], 0.6);
  EXPECT_EQ(json["by_class"][1]["played_as"],
            (nlohmann::json{{"card", 6}, {"a label with a long name", 12}, {"\x1b[2J", 2}}));
  EXPECT_EQ(json["by_class"][2]["examples"], 0);
  EXPECT_DOUBLE_EQ(json["constant_error"], 8. / 28);
  EXPECT_EQ(json["beats_constant"], false);
}

}  // namespace
}  // namespace soba::lab
