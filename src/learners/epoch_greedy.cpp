#include "learners/epoch_greedy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "covariance/class_diagonal.h"
#include "learners/each_label.h"
#include "learners/entry.h"

namespace soba {

namespace {

constexpr std::array<Field<EpochGreedyOptions>, 1> kFields = {{
    {.name = "r",
     .member = &EpochGreedyOptions::r,
     .help = "regulariser: how little one example may move the weights",
     .min = 0,
     .open_min = true},
}};

class EpochGreedy final : public Learner {
 public:
  EpochGreedy(Shape shape, const EpochGreedyOptions& options)
      : classes_(shape, 1), weight_(1 / options.r) {}

  Shape shape() const override { return classes_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { classes_.scores(x, out); }

  Exploration exploration(const Moment& moment) const override {
    return UniformMix{begins_epoch(moment.round) ? 1.0 : 0.0};
  }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    const auto k = static_cast<double>(round.choices());
    if (round.probability != 1.0 / k) return {};  // its own choice: not a fair sample
    const double sigma = correct ? 1 : -1;
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    if (!(sigma * s < 1) || round.x.size() == 0) return {};
    const bool done = regress(classes_, round.played, round.x, s, sigma, weight_);
    return {.updated = done, .margin_sum = std::nullopt, .skipped = !done};
  }

  Learned teach(const Round& round) noexcept override {
    Round fair = round;  // every label is tried
    fair.probability = 1.0 / static_cast<double>(round.choices());
    return teach_each(*this, fair);
  }
  bool teaches_others() const override { return true; }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<EpochGreedy>(*this);
    larger->classes_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { classes_.visit(visitor); }

 private:
  DiagonalClasses classes_;
  double weight_;  // 1/r
};

// The rounds of the epochs ℓ < m²: each of the 2i + 1 epochs with ⌊√ℓ⌋ = i has i + 1 rounds.
// Σ_{i=1}^{m−1} (2i + 1)(i + 1) = (m − 1)·(4m² + 7m + 6)/6
// In two parts, so that nothing overflows for rounds up to 2⁶³.
std::uint64_t rounds_before(std::uint64_t m) {
  const std::uint64_t first = m - 1, second = 4 * m * m + 7 * m + 6;
  return first / 6 * second + first % 6 * second / 6;
}

}  // namespace

bool begins_epoch(std::int64_t round) {
  const auto past = static_cast<std::uint64_t>(round - 1);
  // The largest m with rounds_before(m) <= past: near the cube root of 3/2·past, found exactly.
  const double root = std::cbrt(1.5 * static_cast<double>(past));
  auto m = static_cast<std::uint64_t>(std::max(1.0, std::round(root)));
  while (m > 1 && rounds_before(m) > past) --m;
  while (rounds_before(m + 1) <= past) ++m;
  return (past - rounds_before(m)) % (m + 1) == 0;
}

LearnerInfo epoch_greedy_info() {
  return with_options<EpochGreedyOptions>(
      {
          .name = "epoch-greedy",
          .summary = "a uniform draw, then √ℓ greedy rounds; only the draws teach",
          .feedback = "bandit",
          .explores = "uniformly in one round of epoch ℓ, followed by ⌊√ℓ⌋ greedy rounds: about "
                      "(3T/2)^(2/3) of T rounds",
          .guarantee = "examples drawn independently: O(T^(2/3)) regret of the scheme with a "
                       "risk minimiser inside; the online learner inside this one is a substitute",
          .cost = "O(k·nnz) to score, updates in few rounds; 2kd doubles and kd floats",
          .input = "‖x‖ of about 1 or more: r is relative to ‖x‖², and small x teach it slowly",
          .about =
              "Exploration and exploitation kept apart. The rounds of exploration are a fair "
              "sample of what each label would have earned, and one AROW step on the played "
              "class is taken in each of them; the other rounds play what was learnt, and teach "
              "nothing.",
          .use = "As the baseline that pays for each lesson in full. It throws away the answers "
                 "of most rounds, and learners that use them do better; in return its uniform "
                 "draws can be used to evaluate any other policy.",
          .alone = "it learns only from uniform draws of its own",
          .deviations =
              "The learner inside is online AROW, one class against the rest, in place of a risk "
              "minimiser; the constant in front of √ℓ is 1. The importance weight is the same in "
              "all rounds that teach, and is left out.",
          .reference =
              "J. Langford, T. Zhang, \"The Epoch-Greedy Algorithm for Contextual Multi-armed "
              "Bandits\", NIPS 2007",
      },
      kFields, make_epoch_greedy);
}

std::unique_ptr<Learner> make_epoch_greedy(Shape shape, const EpochGreedyOptions& options) {
  return std::make_unique<EpochGreedy>(shape, options);
}

}  // namespace soba
