// What every learner promises where memory runs out: reserve() may fail and then nothing has
// changed; learn() never fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <optional>
#include <sstream>

#include "covariance/exact.h"
#include "linalg/blas.h"
#include "soba/decide.h"
#include "soba/error.h"
#include "soba/play.h"
#include "support/every_learner.h"
#include "support/out_of_memory.h"
#include "support/random_rounds.h"

namespace soba {
namespace {

using testing::every_form;
using testing::Form;
using testing::OutOfMemory;
using testing::random_problem;

void reserve_plainly(Model& model, const Features& x) { predictor(model.learner).reserve(x); }

// play(), with reserve() in the hands of the test, and with no memory left in learn() if so wished.
// Every round as text, to the last bit.
template <class Reserve>
std::string play_by_hand(const Block& block, Model& model, bool learn_without_memory,
                         Reserve&& reserve) {
  std::ostringstream out;
  out << std::hexfloat;
  const Predictor& scorer = predictor(model.learner);
  const auto k = static_cast<std::size_t>(scorer.shape().classes);
  std::vector<double> all(k + scorer.workings());
  const std::span<const double> scores = std::span(all).first(k);
  Tally& tally = model.tally;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Features x = block.features(i);
    const Label truth = block.label[i];
    reserve(model, x);
    ++tally.rounds;
    scorer.scores(x, all);
    const Label greedy = argmax(scores);
    const Exploration exploration = scorer.exploration({tally.rounds, scores, greedy});
    const double uniform =
        Rng(model.seed, Purpose::kExploration).uniform(static_cast<std::uint64_t>(tally.rounds));
    const Draw drawn = draw(exploration, scores, greedy, uniform);
    const bool correct = drawn.label == truth;
    Learned learned;
    {
      std::optional<OutOfMemory> none;
      if (learn_without_memory) none.emplace();
      if (auto* bandit = std::get_if<std::unique_ptr<Learner>>(&model.learner)) {
        const Round round{x,      scores,      std::span(all).subspan(k),
                          greedy, drawn.label, drawn.probability};
        learned = (*bandit)->learn(round, correct);
      } else {
        auto& yardstick = std::get<std::unique_ptr<FullInformationLearner>>(model.learner);
        learned = yardstick->learn(x, scores, truth);
      }
    }
    ++tally.answers;
    tally.mistakes += !correct;
    tally.greedy_mistakes += greedy != truth;
    tally.updates += learned.updated;
    out << tally.rounds << ' ' << greedy << ' ' << drawn.label << ' ' << drawn.probability << ' '
        << learned.updated << ' ' << learned.margin_sum.value_or(-1) << '\n';
  }
  return out.str();
}

// Examples whose features appear one after the other: the first ones have `from`, the last all.
Block growing(std::uint64_t seed, Shape shape, std::size_t rounds, Index from) {
  const testing::Problem problem = random_problem(seed, shape, rounds, {0.6, 1, false});
  Block block;
  for (std::size_t t = 0; t < rounds; ++t) {
    const Features x = problem.block.features(t);
    const auto known =
        from + static_cast<Index>(t * static_cast<std::size_t>(shape.features) * 4 / (3 * rounds));
    std::size_t count = 0;
    while (count < x.size() && x.feature(count) < known) ++count;
    block.append({x.index.first(count), x.value.first(count)}, problem.block.label[t]);
  }
  return block;
}

// The value of a field in the model's file; empty where there is none of this name.
std::string field(Model& model, std::string_view name) {
  const std::string bytes = write_model(model);
  for (const FieldSummary& row : summarize(bytes)) {
    if (row.name == name) return row.value;
  }
  return "";
}

class Memory : public ::testing::TestWithParam<Form> {
 protected:
  // With no feature known, where the form can do without.
  static Model fresh(Label classes, Index features = 0) {
    const bool theory = GetParam().options.contains("horizon");
    const Shape shape{classes, theory ? std::max(features, 6) : features};
    return new_model(GetParam().learner, GetParam().options, shape, 1);
  }
};

INSTANTIATE_TEST_SUITE_P(EveryLearner, Memory, ::testing::ValuesIn(every_form()),
                         [](const auto& form) { return testing::form_name(form.param); });

TEST_P(Memory, PlayingByHandIsPlaying) {
  const Block block = growing(20, {4, 12}, 200, 1);
  Model one = fresh(4), two = fresh(4);
  play(block, one, [](const Played&) {});
  play_by_hand(block, two, false, reserve_plainly);
  EXPECT_TRUE(write_model(one) == write_model(two));
}

TEST_P(Memory, AReserveThatFailsChangesNothing) {
  const Block block = growing(21, {4, 12}, 250, 1);
  Model expected = fresh(4), model = fresh(4);
  const std::string trace = play_by_hand(block, expected, false, reserve_plainly);
  int failures = 0;
  const auto reserve = [&](Model& now, const Features& x) {
    const std::string before = write_model(now);
    for (std::int64_t left = 0;; ++left) {
      try {
        const OutOfMemory soon(left);
        predictor(now.learner).reserve(x);
        return;
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      ASSERT_TRUE(write_model(now) == before) << "after " << left << " allocations";
    }
  };
  EXPECT_TRUE(play_by_hand(block, model, false, reserve) == trace);
  EXPECT_TRUE(write_model(model) == write_model(expected));
  EXPECT_GT(failures, 0);
}

// Features appear all the time; so many of them that the exact form stays dual.
TEST_P(Memory, LearningNeedsNoMemoryWhileFeaturesAppear) {
  const Block block = growing(22, {4, 60}, 120, 1);
  Model expected = fresh(4), model = fresh(4);
  const std::string trace = play_by_hand(block, expected, false, reserve_plainly);
  EXPECT_TRUE(play_by_hand(block, model, true, reserve_plainly) == trace);
  EXPECT_TRUE(write_model(model) == write_model(expected));
}

// From where the exact form is primal; past its blocks and its refreshes, after a load, and with
// features that appear.
TEST_P(Memory, LearningNeedsNoMemoryLater) {
  const Block first = growing(23, {4, 6}, 1500, 6), second = growing(24, {4, 9}, 2500, 6);
  Model expected = fresh(4, 6);
  do {
    play_by_hand(first, expected, false, reserve_plainly);
  } while (field(expected, "covariance.is_primal") == "0" && expected.tally.rounds < 20000);
  EXPECT_NE(field(expected, "covariance.is_primal"), "0");
  Model model = read_model(write_model(expected));
  const std::string trace = play_by_hand(second, expected, false, reserve_plainly);
  EXPECT_TRUE(play_by_hand(second, model, true, reserve_plainly) == trace);
  EXPECT_TRUE(write_model(model) == write_model(expected));
}

// Plays until reserve() refuses an example, which must leave the model as it was. How many rounds
// were played.
std::int64_t play_until_refused(const Block& block, Model& model) {
  std::string before;
  try {
    play_by_hand(block, model, true, [&](Model& now, const Features& x) {
      before = write_model(now);
      predictor(now.learner).reserve(x);
    });
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kResource);
    EXPECT_NE(std::string(error.what()).find("raise 'memory'"), std::string::npos);
    EXPECT_TRUE(write_model(model) == before);
  }
  return model.tally.rounds;
}

TEST(OutOfItsMemoryOption, AFullMatrixIsRefusedInReserve) {
  const Block block = growing(25, {4, 240}, 120, 1);
  for (const Form& form : std::vector<Form>{
           {"auto", {{"memory", "1"}, {"members", "sobadiag,bandit-arow-full,squarecb-full"}}},
           {"soba-block", {{"memory", "1"}}},
           {"soba", {{"covariance", "sketch"}, {"sketch-size", "100"}, {"memory", "1"}}},
           {"newtron", {{"memory", "1"}}},
           {"expconcave", {{"covariance", "full"}, {"memory", "1"}}},
           {"arow", {{"covariance", "full"}, {"memory", "1"}}}}) {
    SCOPED_TRACE(form.learner);
    Model model = new_model(form.learner, form.options, {4, 0}, 1);
    const std::int64_t rounds = play_until_refused(block, model);
    EXPECT_GT(rounds, 10);
    EXPECT_LT(rounds, 120);
    // What needs no more memory continues.
    Block known;
    known.append(block.features(1), block.label[1]);
    play(known, model, [](const Played&) {});
    EXPECT_EQ(model.tally.rounds, rounds + 1);
  }
}

TEST(OutOfItsMemoryOption, TheExactFormIsRefusedInReserve) {
  const testing::Problem problem = random_problem(26, {4, 300}, 3000, {0.1, 1, false});
  Model model = new_model("soba", {{"memory", "1"}, {"gamma", "0.3"}}, {4, 300}, 1);
  EXPECT_LT(play_until_refused(problem.block, model), 3000);
  EXPECT_EQ(field(model, "covariance.is_primal"), "0");
}

// Whether the learner or one of its members says that it has full matrices.
bool in_full(const Model& model) {
  const std::string remarks = predictor(model.learner).remarks();
  return remarks.find("full matrices") != std::string::npos ||
         remarks.find("exact") != std::string::npos;
}

// Full matrices that outgrow their limits hand over to diagonals in learn(), in what reserve() has
// prepared.
TEST(OutOfItsMemoryOption, AdaptiveMatricesBecomeDiagonalWithoutMemory) {
  const Block block = growing(29, {4, 240}, 200, 1);
  for (const Form& form : std::vector<Form>{{"auto", {{"rule", "1"}}},
                                            {"soba-ovr", {{"memory", "1"}}},
                                            {"auto", {{"budget", "1e6"}, {"memory", "1"}}},
                                            {"soba-adaptive", {{"exact-cells", "80"}}},
                                            {"bandit-arow-adaptive", {{"full-features", "20"}}},
                                            {"squarecb-adaptive", {{"memory", "1"}}}}) {
    SCOPED_TRACE(form.learner);
    Model expected = new_model(form.learner, form.options, {4, 0}, 1);
    Model model = new_model(form.learner, form.options, {4, 0}, 1);
    EXPECT_TRUE(in_full(model));
    const std::string trace = play_by_hand(block, expected, false, reserve_plainly);
    EXPECT_EQ(expected.tally.rounds, 200);
    EXPECT_FALSE(in_full(expected));
    EXPECT_TRUE(play_by_hand(block, model, true, reserve_plainly) == trace);
    EXPECT_TRUE(write_model(model) == write_model(expected));
    EXPECT_TRUE(write_model(read_model(write_model(model))) == write_model(expected));
  }
}

// Where the dual form is full and the primal one fits, learn() moves into what reserve() has
// prepared.
TEST(OutOfItsMemoryOption, TheDualFormBecomesPrimalWithoutMemory) {
  const testing::Problem problem = random_problem(27, {2, 200}, 3000, {1, 1, false});
  const OptionValues options = {{"memory", "1"}, {"gamma", "0.3"}};
  Model expected = new_model("soba", options, {2, 200}, 1);
  Model model = new_model("soba", options, {2, 200}, 1);
  const std::string trace = play_by_hand(problem.block, expected, false, reserve_plainly);
  EXPECT_EQ(field(expected, "covariance.is_primal"), "1");
  EXPECT_TRUE(play_by_hand(problem.block, model, true, reserve_plainly) == trace);
  EXPECT_TRUE(write_model(model) == write_model(expected));
}

// An answer is learnt whole or still awaited, whatever fails on the way.
TEST(OutOfItsMemoryOption, ADecisionKeepsWaitingForItsAnswer) {
  Model model = new_model("squarecb-full", {{"memory", "1"}}, {4, 10}, 1);
  const std::vector<double> wide(300, 1.0), narrow(20, 1.0);
  Decider decider(model);
  decider.decide("wide", {{}, wide});
  decider.decide("narrow", {{}, narrow});
  const std::string before = write_model(model);
  EXPECT_THROW(decider.feedback("wide", true), Error);
  EXPECT_TRUE(write_model(model) == before);
  change_option(model, "memory", "64");
  const std::string allowed = write_model(model);
  bool taken = false;
  for (std::int64_t left = 0; !taken; ++left) {
    try {
      const OutOfMemory soon(left);
      taken = decider.feedback("wide", true) == Decider::Feedback::kTaken;
    } catch (const std::bad_alloc&) {
      ASSERT_TRUE(write_model(model) == allowed);
    }
  }
  EXPECT_EQ(decider.pending(), 1);
  EXPECT_EQ(decider.feedback("narrow", false), Decider::Feedback::kTaken);
}

// Past many blocks and two refreshes.
TEST(TheExactForm, RefreshesItsInverseWithoutMemory) {
  const testing::Problem problem = random_problem(28, {3, 4}, 2200, {0.6, 1, false});
  ExactCovariance expected({3, 4}, 1, 1e9), found({3, 4}, 1, 1e9);
  expected.make_primal();
  found.make_primal();
  for (std::size_t t = 0; t < problem.block.size(); ++t) {
    const auto up = static_cast<Label>(t % 3);
    const PairVector v{up, (up + 1) % 3, problem.block.features(t)};
    expected.quad_step(v, 1, -1, 0);
    found.reserve(v.x);
    const OutOfMemory now;
    found.quad_step(v, 1, -1, 0);
  }
  EXPECT_TRUE(std::ranges::equal(found.weights(), expected.weights()));
}

TEST(LargeMatrices, AreInvertedInTheRoomGiven) {
  const std::size_t n = linalg::kLarge + 30;
  std::vector<double> matrix(n * n), room(linalg::invert_room(n));
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 2;
  const std::unique_ptr<Team> team = Team::of_two();
  const OutOfMemory now;
  EXPECT_TRUE(linalg::invert(n, matrix.data(), room, team.get()));
  linalg::subtract_products(n, room.data(), 3, matrix.data(), n, team.get());
}

}  // namespace
}  // namespace soba
