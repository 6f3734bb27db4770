// Options that change on a model that has learnt: those that every learner marks as live, and no
// others.
#include <gtest/gtest.h>

#include <sstream>

#include "soba/error.h"
#include "soba/play.h"
#include "support/every_learner.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::every_form;
using testing::Form;
using testing::random_problem;

constexpr Shape kShape{4, 6};

Block rounds(std::uint64_t seed) {
  return random_problem(seed, kShape, 200, {0.6, 1, false}).block;
}

std::string trace(const Block& block, Model& model) {
  std::ostringstream out;
  out << std::hexfloat;
  play(block, model, [&](const Played& row) {
    out << row.played << ' ' << row.probability << ' ' << row.gamma << ' ' << row.updated << '\n';
  });
  return out.str();
}

// What change_option() says against it; empty where it does not. Refused, it leaves all as it was.
std::string refusal(Model& model, std::string_view name, std::string_view value) {
  const std::string before = write_model(model);
  try {
    change_option(model, name, value);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_TRUE(write_model(model) == before) << name;
    return error.what();
  }
  return "";
}

class LiveOptions : public ::testing::TestWithParam<Form> {
 protected:
  // After some rounds and a load.
  static Model learnt() {
    Model model = new_model(GetParam().learner, GetParam().options, kShape, 1);
    play(rounds(40), model, [](const Played&) {});
    return read_model(write_model(model));
  }

  static bool refuses_gamma() {
    const OptionValues& options = GetParam().options;
    return options.contains("explore") && options.at("explore").starts_with("gap");
  }
};

INSTANTIATE_TEST_SUITE_P(EveryLearner, LiveOptions, ::testing::ValuesIn(every_form()),
                         [](const auto& form) { return testing::form_name(form.param); });

TEST_P(LiveOptions, ChangeForTheRoundsToComeAndSurviveASave) {
  const LearnerChoice choice = choose_learner(GetParam().learner, GetParam().options);
  for (const OptionSpec& spec : choice.info->options) {
    if (!spec.live) continue;
    SCOPED_TRACE(spec.name);
    const std::string value = spec.name == "memory" ? "64" : "0.3";
    Model model = learnt(), before = learnt();
    if (spec.name == "gamma" && refuses_gamma()) {
      EXPECT_NE(refusal(model, spec.name, value), "");
      continue;
    }
    change_option(model, spec.name, value);
    EXPECT_EQ(model.options.at(spec.name), value);
    Model loaded = read_model(write_model(model));
    const std::string next = trace(rounds(41), model);
    EXPECT_TRUE(trace(rounds(41), loaded) == next);
    EXPECT_TRUE(write_model(loaded) == write_model(model));
    if (spec.name == "memory") {
      EXPECT_TRUE(trace(rounds(41), before) == next);
    }
    if (spec.name != "gamma" && spec.name != "q") continue;
    play(rounds(42), model, [&](const Played& row) {
      if (choice.info->name == "gaptron") {
        ASSERT_GE(row.gamma, 0.3);  // the least rate
      } else {
        ASSERT_EQ(row.gamma, 0.3);
      }
      ASSERT_GE(row.probability, 0.3 / 4 - 1e-15);
    });
  }
}

TEST_P(LiveOptions, AreTheOnlyOnesThatChange) {
  Model model = learnt();
  const OptionValues options = model.options;
  const LearnerChoice choice = choose_learner(model.learner_name, options);
  for (const OptionSpec& spec : choice.info->options) {
    if (spec.live) {
      EXPECT_NE(refusal(model, spec.name, "-1"), "");
      EXPECT_NE(refusal(model, spec.name, "nonsense"), "");
    } else {
      const std::string why = refusal(model, spec.name, options.at(spec.name));
      EXPECT_NE(why.find(spec.name + ": cannot be changed"), std::string::npos) << why;
    }
  }
  EXPECT_NE(refusal(model, "no-such-option", "1"), "");
}

// The same state, with the new rate from now on.
TEST(ChangingGamma, IsTheRateOfTheRoundsToCome) {
  Model model = new_model("soba", {{"gamma", "0.1"}}, kShape, 1);
  play(rounds(43), model, [](const Played& row) { ASSERT_EQ(row.gamma, 0.1); });
  model = read_model(write_model(model));
  change_option(model, "gamma", "2^-2");
  EXPECT_EQ(model.options.at("gamma"), "0.25");
  play(rounds(44), model, [](const Played& row) {
    ASSERT_DOUBLE_EQ(row.probability, (row.played == row.greedy ? 0.75 : 0) + 0.25 / 4);
  });
  change_option(model, "gamma", "adaptive");
  play(rounds(45), model, [](const Played& row) { ASSERT_NE(row.gamma, 0.25); });
}

TEST(ChangingGamma, SaysWhatElseCanBeChanged) {
  Model model = new_model("bandit-arow", {}, kShape, 1);
  EXPECT_EQ(refusal(model, "covariance", "full"),
            "covariance: cannot be changed on a model that has learnt; gamma and memory can");
  Model fixed = new_model("epoch-greedy", {}, kShape, 1);
  EXPECT_EQ(refusal(fixed, "r", "2"),
            "r: cannot be changed on a model that has learnt; no option can");
}

// Mistakes that were never counted cannot be made up for.
TEST(ChangingGamma, OfTheBanditronToAdaptiveIsRefused) {
  Model model = new_model("banditron", {{"gamma", "0.1"}}, kShape, 1);
  EXPECT_NE(refusal(model, "gamma", "adaptive"), "");
  EXPECT_NE(refusal(model, "gamma", "theory"), "");  // without a horizon
  Model counting = new_model("banditron", {{"gamma", "adaptive"}}, kShape, 1);
  EXPECT_EQ(refusal(counting, "gamma", "0.1"), "");
}

// The rate of the theorem is that of the start, whatever features have come since.
TEST(ChangingMemory, ChangesNoRate) {
  Model model = new_model("sobadiag", {{"gamma", "theory"}, {"horizon", "9000"}}, {4, 3}, 1);
  double before = 0;
  play(rounds(46), model, [&](const Played& row) { before = row.gamma; });
  EXPECT_EQ(predictor(model.learner).shape(), kShape);
  change_option(model, "memory", "64");
  play(rounds(47), model, [&](const Played& row) { ASSERT_EQ(row.gamma, before); });
}

TEST(ChangingMemory, ToLessThanIsHeldIsRefused) {
  for (const Form& form :
       std::vector<Form>{{"squarecb-full", {}},
                         {"soba-block", {}},
                         {"soba", {{"covariance", "sketch"}, {"sketch-size", "100"}}},
                         {"newtron", {}},
                         {"auto", {{"members", "bandit-arow,bandit-arow-full,squarecb-full"}}}}) {
    SCOPED_TRACE(form.learner);
    Model model = new_model(form.learner, form.options, {4, 300}, 1);
    EXPECT_NE(refusal(model, "memory", "1").find("already holds"), std::string::npos);
    EXPECT_EQ(refusal(model, "memory", "64"), "");
    EXPECT_EQ(read_model(write_model(model)).options.at("memory"), "64");
  }
}

// What is allowed later is what reserve() asks.
TEST(ChangingMemory, BoundsWhatIsTakenFromThenOn) {
  Model model = new_model("squarecb-full", {{"memory", "64"}}, {4, 100}, 1);
  const std::vector<double> more(200, 1.0);
  change_option(model, "memory", "1");
  EXPECT_THROW(predictor(model.learner).reserve({{}, more}), Error);
  change_option(model, "memory", "2");
  EXPECT_NO_THROW(predictor(model.learner).reserve({{}, more}));
}

// Nor does it matter how far ahead was reserved before.
TEST(ChangingMemory, DoesNotCountOnEarlierReservations) {
  Model model = new_model("squarecb-full", {{"memory", "64"}}, {8, 100}, 1);
  Block block;
  const std::vector<double> one_more(101, 1.0), many_more(150, 1.0);
  std::vector<Index> index;
  for (Index j = 0; j < 101; ++j) index.push_back(j);
  block.append({index, one_more}, 0);
  play(block, model, [](const Played&) {});  // reserves for half as many features again
  change_option(model, "memory", "1");
  EXPECT_THROW(predictor(model.learner).reserve({{}, many_more}), Error);
  EXPECT_EQ(predictor(read_model(write_model(model)).learner).shape(), (Shape{8, 101}));
}

}  // namespace
}  // namespace soba
