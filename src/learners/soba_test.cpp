#include "learners/soba.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/draws.h"
#include "core/fields.h"
#include "learners/testing.h"
#include "soba/error.h"
#include "soba/registry.h"

namespace soba {
namespace {

const std::vector<double> kOne = {1};
const Features kX{{}, kOne};  // d = 1, x = 1

std::unique_ptr<Learner> soba(const SobaOptions& options) { return make_soba({2, 1}, options); }

// What the learner would be told if `played` was drawn with probability p.
Learned answer(Learner& learner, Label played, double p, bool correct) {
  return testing::answer(learner, kX, played, p, correct);
}

double score(const Learner& learner, Label label) {
  return testing::scores_of(learner, kX)[static_cast<std::size_t>(label)];
}

// k = 2, d = 1, x = 1, a = 1, worked by hand.
// Round 1: W = 0, label 1 is played with p = 1/4 and is right; ȳ = 0, v = (1, −1), Δ = 0.
//   q = ‖v‖²/p = 8, m = 0, so S = 0 and n = 1. A = I + 4·v·vᵀ, θ = −4·v.
//   A·v = (1 + 4·2)·v = 9·v, so W = −(4/9)·v: the scores are −4/9 and 4/9.
// Round 2: label 1 is now greedy, p = 3/4, right; Δ = 8/9, v as before.
//   q = vᵀA⁻¹v/p = (2/9)/(3/4) = 8/27. m = (64/81 − 16/9)/(3/4·35/27) < 0: S + m < 0, so n = 0.
// Round 3: label 0 is played with p = 1/4 and is right; ȳ = 1, v = (−1, 1), Δ = −8/9.
//   q = (2/9)·4 = 8/9, m = (64/81 + 16/9)·4/(17/9) = (208/81)·4·(9/17) = 832/153. n = 1, S =
//   832/153. W' = W + (1 − Δ)/(p(1 + q))·(−A⁻¹v) = W − (17/9)·4/(17/9)·(1/9)·v = W − (4/9)·v = 0.
TEST(Soba, ThreeRoundsByHand) {
  const auto learner = soba({.gamma = {Rate::Rule::kFixed, 0.5}});
  const Learned first = answer(*learner, 1, 0.25, true);
  EXPECT_TRUE(first.updated);
  EXPECT_EQ(*first.margin_sum, 0);
  EXPECT_NEAR(score(*learner, 0), -4.0 / 9, 1e-15);
  EXPECT_NEAR(score(*learner, 1), 4.0 / 9, 1e-15);

  const Learned second = answer(*learner, 1, 0.75, true);
  EXPECT_FALSE(second.updated);
  EXPECT_EQ(*second.margin_sum, 0);

  const Learned third = answer(*learner, 0, 0.25, true);
  EXPECT_TRUE(third.updated);
  EXPECT_NEAR(*third.margin_sum, 832.0 / 153, 1e-14);
  EXPECT_NEAR(score(*learner, 0), 0, 1e-15);
}

// The same three rounds with A's diagonal only. Round 1: A = diag(5, 5), θ = (−4, 4), W = (−4/5,
// 4/5). Round 2: Δ = 8/5, q = (2/5)/(3/4) = 8/15, m = (64/25 − 16/5)/(3/4·23/15) < 0: n = 0. Round
// 3: Δ = −8/5, q = (2/5)·4 = 8/5, m = (64/25 + 16/5)·4/(13/5) = 144/25·4·5/13 = 576/65.
//   A = diag(9, 9), θ = 0, W = 0.
TEST(Soba, ThreeRoundsByHandDiagonal) {
  const auto learner = soba({.covariance = "diagonal", .gamma = {Rate::Rule::kFixed, 0.5}});
  answer(*learner, 1, 0.25, true);
  EXPECT_FLOAT_EQ(static_cast<float>(score(*learner, 1)), 0.8F);
  EXPECT_FALSE(answer(*learner, 1, 0.75, true).updated);
  const Learned third = answer(*learner, 0, 0.25, true);
  EXPECT_TRUE(third.updated);
  EXPECT_NEAR(*third.margin_sum, 576.0 / 65, 1e-6);
  EXPECT_EQ(score(*learner, 0), 0);
}

TEST(Soba, LearnsNothingFromAWrongGuess) {
  const auto learner = soba({});
  EXPECT_FALSE(answer(*learner, 1, 0.25, false).updated);
  EXPECT_EQ(score(*learner, 1), 0);
}

double rate(const Learner& learner, std::int64_t round) {
  const std::vector<double> scores(static_cast<std::size_t>(learner.shape().classes));
  return std::get<UniformMix>(learner.exploration({round, scores, 0})).gamma;
}

// After round 1 of the trace above, Σ zᵀA⁻¹z = q/(1 + q) = 8/9.
TEST(Soba, TheAdaptiveRateIsThatOfAppendixA) {
  const auto learner = soba({.gamma = {Rate::Rule::kAdaptive, 0}, .gamma_scale = 0.5});
  EXPECT_DOUBLE_EQ(rate(*learner, 1), 0.5 * std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(rate(*learner, 8), 0.25);
  answer(*learner, 1, 0.25, true);
  EXPECT_DOUBLE_EQ(rate(*learner, 8), 0.5 * std::sqrt(2 * (1 + 8.0 / 9) / 8));
  const auto paper = soba({.gamma = {Rate::Rule::kAdaptive, 0}, .gamma_scale = 1});
  EXPECT_EQ(rate(*paper, 1), 1);  // √2, cut off at 1
}

TEST(Soba, TheTheoreticalRateIsThatOfTheMistakeBound) {
  EXPECT_DOUBLE_EQ(theorem_rate({9, 400}, 1000000), std::sqrt(81 * 400 * std::log(1e6) / 1e6));
  EXPECT_EQ(theorem_rate({9, 400}, 1000), 1);
  const auto learner = make_soba({2, 1}, {.gamma = {Rate::Rule::kTheory, 0}, .horizon = 100000});
  EXPECT_DOUBLE_EQ(rate(*learner, 7), std::sqrt(4 * std::log(1e5) / 1e5));
  EXPECT_THROW(soba({.gamma = {Rate::Rule::kTheory, 0}}), Error);
}

TEST(Soba, TheFallBackRateChangesOverWhereItsTwoRulesAgree) {
  const double heavy = 2 * 9 * std::log(1e5), border = std::sqrt(heavy * 1e5);
  EXPECT_NEAR(fall_back_rate({3, 2}, 100000, 1, 0), std::sqrt(heavy / 1e5), 1e-12);
  EXPECT_NEAR(fall_back_rate({3, 2}, 100000, 1, border), std::sqrt(heavy / 1e5), 1e-12);
  EXPECT_NEAR(fall_back_rate({3, 2}, 100000, 1, 8 * border), 2 * std::sqrt(heavy / 1e5), 1e-12);
  EXPECT_EQ(fall_back_rate({3, 2}, 10, 1, 10), 1);
  const auto learner = make_soba({3, 2}, {.a = {Rate::Rule::kFixed, 4},
                                          .gamma = {Rate::Rule::kTheory, kHingeTuning},
                                          .horizon = 1000000,
                                          .hinge_loss = 1e5});
  EXPECT_DOUBLE_EQ(rate(*learner, 7), fall_back_rate({3, 2}, 1000000, 4, 1e5));
  EXPECT_THROW(soba({.gamma = {Rate::Rule::kTheory, kHingeTuning}}), Error);
}

TEST(Soba, TheRulesOfTheRegulariserAreSettledAndSayWhatTheyAssume) {
  const auto settled = [](const OptionValues& options) {
    return settle(choose_learner("soba", options), {3, 2});
  };
  const LearnerChoice square = settled({{"a", "theory"}, {"X", "3"}});
  EXPECT_EQ(square.options.at("a"), "9");
  EXPECT_NE(square.reason.find("norms of x up to 3"), std::string::npos);
  EXPECT_EQ(settled({{"a", "theory-hinge"}, {"X", "3"}, {"horizon", "100"}}).options.at("a"),
            "900");
  EXPECT_NE(settled({{"gamma", "theory-hinge"}, {"hinge-loss", "50"}}).reason.find("loss of 50"),
            std::string::npos);
  EXPECT_EQ(settled({}).reason, "");
  EXPECT_THROW(settled({{"a", "theory-hinge"}}), Error);
  EXPECT_THROW(choose_learner("soba", {{"a", "adaptive"}}), Error);
  EXPECT_THROW(choose_learner("banditron", {{"gamma", "theory-hinge"}}), Error);
}

// θ −= η·g with the lemma's m_t: W is η times as large, and nothing else changes. A power of two
// changes no rounding either.
TEST(Soba, TheStepSizeScalesTheWeightsAndChangesNoDecision) {
  const auto plain = soba({}), half = soba({.step = 0.5});
  Draws draws(Rng(5, Purpose::kExamples), 0);
  int updates = 0;
  for (int t = 0; t < 300; ++t) {
    const auto label = static_cast<Label>(draws.below(2));
    const double p = 0.1 + 0.8 * draws.uniform();
    const std::vector<double> x = {2 * draws.uniform() - 1};
    const Learned one = testing::answer(*plain, {{}, x}, label, p, true);
    const Learned other = testing::answer(*half, {{}, x}, label, p, true);
    ASSERT_EQ(one.updated, other.updated) << t;
    ASSERT_EQ(*one.margin_sum, 4 * *other.margin_sum);
    ASSERT_EQ(score(*plain, 1), 2 * score(*half, 1));
    updates += one.updated;
  }
  EXPECT_GT(updates, 50);
  EXPECT_LT(updates, 295);
}

TEST(Soba, AFixedRateStaysFixed) {
  EXPECT_EQ(rate(*soba({.gamma = {Rate::Rule::kFixed, 0.125}}), 1000), 0.125);
}

double gap_rate(const Learner& learner, std::int64_t round) {
  const std::vector<double> s = testing::scores_of(learner, kX);
  return std::get<UniformMix>(testing::exploration_of(learner, round, s)).gamma;
}

// k = 2, as in the trace above. At first every label is in full doubt: e = min(1, √(2/t)).
// Label 0 is greedy, wrong in round 1 and right in round 2 (S stays 0: Δ = 0 counts as a hit with
// m = 0, and the step makes Δ = 1·(2/(1 + 2)) = 2/3).
//   r_0 = 1, then (1 + 1 + 0)/3 = 2/3. Σ q/(1 + q) = 2/3. e = √(2·(5/3)/t)·(2/3)·max(1/3, 2/3).
TEST(Soba, ExploresWhereTheLeadIsSmallAndTheLabelWasWrong) {
  const auto learner = soba({.explore = "gap"});
  EXPECT_EQ(gap_rate(*learner, 1), 1);
  EXPECT_DOUBLE_EQ(gap_rate(*learner, 8), 0.5);
  answer(*learner, 0, 1, false);
  EXPECT_DOUBLE_EQ(gap_rate(*learner, 8), 0.5);
  answer(*learner, 0, 1, true);
  EXPECT_NEAR(score(*learner, 0) - score(*learner, 1), 2.0 / 3, 1e-15);
  EXPECT_DOUBLE_EQ(gap_rate(*learner, 30), std::sqrt(2 * (5.0 / 3) / 30) * 4 / 9);
  answer(*learner, 1, 0.1, false);  // exploration says nothing about the greedy label
  EXPECT_DOUBLE_EQ(gap_rate(*learner, 30), std::sqrt(2 * (5.0 / 3) / 30) * 4 / 9);
}

// The three rounds by hand above, and a fourth, with c = 1/2. Rounds 1 and 3 are exploratory hits:
// Qx = 8/9, then 8/9 + (8/9)/(1 + 8/9) = 8/9 + 8/17 = 208/153. Round 2 is no update; it leaves r_1
// = 1/2, so that gap asks for √(2·(17/9)/t)·(1/2)·max(1/9, 1/2) and the floor for twice as much.
// Round 4: a tie, label 0 is greedy, played with p = 3/4 and right: Δ = 0, an update. vᵀA⁻¹v =
// 2/17,
//   q = 8/51, q/(1 + q) = 8/59 counts in Q, but not in Qx. W' = (1/(p(1 + q)))·(1/17)·(1, −1) =
//   (4/59, −4/59): Δ = 8/59, r_0 = 1/2, and gap asks for √(2·(1 + Q)/t)·(1/2)·(51/59).
TEST(Soba, FourRoundsByHandWithAFloorUnderTheGapRate) {
  const auto half = soba({.explore = "gap-bounded", .gap_floor = 0.5});
  const auto tenth = soba({.explore = "gap-bounded", .gap_floor = 0.1});
  const auto both = [&](Label played, double p) {
    answer(*half, played, p, true);
    return answer(*tenth, played, p, true);
  };
  EXPECT_EQ(gap_rate(*half, 1), 1);
  EXPECT_DOUBLE_EQ(gap_rate(*half, 8), 0.5);  // gap's
  both(1, 0.25);
  EXPECT_DOUBLE_EQ(gap_rate(*half, 34), 1.0 / 3);  // gap's
  both(1, 0.75);
  EXPECT_NEAR(gap_rate(*half, 34), 1.0 / 6, 1e-15);    // the floor
  EXPECT_NEAR(gap_rate(*tenth, 34), 1.0 / 12, 1e-15);  // gap's
  both(0, 0.25);
  EXPECT_TRUE(both(0, 0.75).updated);
  EXPECT_NEAR(gap_rate(*half, 306), 19.0 / 306, 1e-15);
  const double q = 208.0 / 153 + 8.0 / 59;
  EXPECT_NEAR(gap_rate(*tenth, 306), std::sqrt(2 * (1 + q) / 306) * 51 / 118, 1e-15);
}

// Three learners that are told the same answers: gap, and gap-bounded with c = 0.2 and with one
// that is next to nothing.
TEST(Soba, TheBoundedRateIsAtLeastTheGapRateAndTheFloor) {
  const Shape shape{3, 2};
  const auto gap = make_soba(shape, {.explore = "gap"});
  const auto bounded = make_soba(shape, {.explore = "gap-bounded", .gap_floor = 0.2});
  const auto barely = make_soba(shape, {.explore = "gap-bounded", .gap_floor = 1e-300});
  Draws draws(Rng(5, Purpose::kExamples), 0);
  int floors = 0;
  for (std::int64_t t = 1; t <= 3000; ++t) {
    const std::vector<double> value = {2 * draws.uniform() - 1, 1};
    const Features x{{}, value};
    const Label truth = value[0] < -0.3 ? 0 : value[0] < 0.4 ? 1 : 2;
    const std::vector<double> s = testing::scores_of(*gap, x);
    const auto rate = [&](const Learner& learner) {
      return std::get<UniformMix>(testing::exploration_of(learner, t, s)).gamma;
    };
    const double floor = 0.2 * std::sqrt(3 / static_cast<double>(t));
    ASSERT_EQ(rate(*barely), rate(*gap)) << t;
    ASSERT_GE(rate(*bounded), rate(*gap)) << t;
    ASSERT_GE(rate(*bounded), floor) << t;
    ASSERT_LE(rate(*bounded), 1) << t;
    floors += rate(*bounded) > rate(*gap);
    const bool explores = draws.uniform() < 0.1;
    const Label played = explores ? static_cast<Label>(draws.below(3)) : argmax(s);
    const double p = (played == argmax(s) ? 0.9 : 0) + 0.1 / 3;
    for (Learner* learner : {gap.get(), bounded.get(), barely.get()}) {
      testing::answer(*learner, x, played, p, played == truth);
    }
  }
  EXPECT_GT(floors, 300);
  EXPECT_LT(floors, 2900);
}

TEST(Soba, TheFloorOfTheGapRateIsAFactorUpToOne) {
  for (const char* value : {"0", "-0.1", "1.01", "nan"}) {
    EXPECT_THROW(choose_learner("soba", {{"gap-floor", value}}), Error) << value;
  }
  EXPECT_EQ(choose_learner("soba", {}).options.at("gap-floor"), "0.03");
  EXPECT_THROW(soba({.explore = "gap-bounded", .gamma = {Rate::Rule::kFixed, 0.5}}), Error);
}

std::string automatic(Shape shape, const OptionValues& more = {}) {
  OptionValues values = {{"covariance", "auto"}};
  values.insert(more.begin(), more.end());
  const LearnerChoice choice = settle(choose_learner("soba", values), shape);
  EXPECT_FALSE(choice.reason.empty());
  return choice.options.at("covariance");
}

TEST(Soba, AutoTakesTheLargestCovarianceThatIsWorthIt) {
  EXPECT_EQ(automatic({7, 54}), "exact");
  EXPECT_EQ(automatic({9, 400}), "block");
  EXPECT_EQ(automatic({4, 47236}), "diagonal");
  EXPECT_EQ(automatic({4, 0}), "adaptive");
  EXPECT_EQ(automatic({9, 400}, {{"memory", "1"}}), "diagonal");
  EXPECT_EQ(settle(choose_learner("soba", {}), {7, 54}).reason, "");
}

}  // namespace
}  // namespace soba
