#include "learners/bpa.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/each_label.h"
#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<BpaOptions>, 2> kFields = {{
    {.name = "C",
     .member = &BpaOptions::c,
     .help = "the most that one answer may move the score of the played class",
     .min = 0,
     .open_min = true},
    {.name = "gamma",
     .member = &BpaOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
}};

class Bpa final : public Learner {
 public:
  Bpa(Shape shape, const BpaOptions& options)
      : c_(options.c), gamma_(options.gamma), weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  Learned learn(const Round& round, bool correct) noexcept override {
    const double sigma = correct ? 1 : -1;
    const double loss = 1 - sigma * round.scores[static_cast<std::size_t>(round.played)];
    if (!(loss > 0)) return {};
    const double squared = squared_norm(round.x);
    const double tau = std::min(c_, loss) / squared;
    if (!(squared > 0)) return {};  // nothing to move along
    if (!std::isfinite(loss) || !std::isfinite(tau)) {
      return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    }
    weights_.grow(round.x.extent());
    weights_.add(round.played, sigma * tau, round.x);
    return {true, std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const BpaOptions options = parse_options<BpaOptions>(kFields, values);
    gamma_ = options.gamma;
  }

  Learned teach(const Round& round) noexcept override { return teach_each(*this, round); }
  bool teaches_others() const override { return true; }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Bpa>(*this);
    larger->weights_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  double c_;
  double gamma_;
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo bpa_info() {
  return with_options<BpaOptions>(
      {
          .name = "bpa",
          .summary = "passive-aggressive steps; learns from wrong guesses, too",
          .feedback = "bandit",
          .explores =
              "by itself: a wrong guess pushes the played class down; uniformly at the rate "
              "gamma, which may be 0",
          .guarantee = "none",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .scale_free = ScaleFree::kWhole,
          .about =
              "For each class a linear classifier, one against the rest. The played class moves "
              "just so far that its score for x is at least 1 if it was right and at most −1 if "
              "it was wrong; but never by more than C in one round.",
          .use = "As the cheapest good learner where no guarantee against an adversary is "
                 "needed. With much noise lower C; bandit-arow slows down by itself. Without "
                 "gamma every round is played with probability 1, so that its log is of no use "
                 "to evaluate another policy.",
          .deviations = "C bounds the movement of the score, min(C, ℓ)/‖x‖²; the paper's min(C, "
                        "ℓ/‖x‖²) bounds that of the weights and so depends on the scale of x. "
                        "For ‖x‖ = 1 they are the same.",
          .reference =
              "H. Zhong, E. Daucé, L. Ralaivola, \"Online multiclass learning with 'bandit' "
              "feedback under a Passive-Aggressive approach\", ESANN 2015",
      },
      kFields, make_bpa);
}

std::unique_ptr<Learner> make_bpa(Shape shape, const BpaOptions& options) {
  return std::make_unique<Bpa>(shape, options);
}

}  // namespace soba
