#include "learners/banditron_eg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<BanditronEgOptions>, 2> kFields = {{
    {.name = "eta",
     .member = &BanditronEgOptions::eta,
     .help = "learning rate: how far one answer moves the logarithm of a weight at most",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    // Not live: the length of a step depends on it.
    {.name = "gamma",
     .member = &BanditronEgOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .open_min = true},
}};

constexpr double kMaxTheta = 300;

// sinh θ, in half the time of std::sinh and to 13 digits: e^θ − e^−θ cancels near 0, where two
// terms of the series do.
double weight_of(double theta) {
  if (std::fabs(theta) < 1e-3) return theta * (1 + theta * theta / 6);
  const double e = std::exp(theta);
  return (e - 1 / e) / 2;
}

class BanditronEg final : public Learner {
 public:
  BanditronEg(Shape shape, const BanditronEgOptions& options)
      : gamma_(options.gamma),
        rate_(options.eta * options.gamma),
        step_(rate_ / shape.classes),
        theta_(shape),
        weights_(shape) {}

  Shape shape() const override { return theta_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override {
    theta_.reserve(x.extent());
    return weights_.reserve(x.extent());
  }

  // θ += step·Ũ, where Ũ_r = x·(1[ỹ = y]·1[r = ỹ]/p − 1[r = ŷ])
  Learned learn(const Round& round, bool correct) noexcept override {
    const double hit = correct ? 1 / round.probability : 0;
    theta_.grow(round.x.extent());
    weights_.grow(round.x.extent());
    if (round.played == round.greedy) {
      if (hit == 1) return {};  // played for certain, and right: nothing to move
      move(round.greedy, step_ * (hit - 1), round.x);
    } else {
      move(round.greedy, -step_, round.x);
      if (correct) move(round.played, step_ * hit, round.x);
    }
    return {true, std::nullopt};
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<BanditronEg>(*this);
    larger->step_ = rate_ / classes;
    larger->theta_.add_classes(classes);
    larger->weights_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    theta_.visit("theta", visitor);
    for (const double theta : theta_.cells()) {
      visitor.require(std::fabs(theta) <= kMaxTheta, "theta is within its bounds");
    }
    if (!visitor.loading()) return;
    for (std::size_t i = 0; i < theta_.cells().size(); ++i) weights_[i] = weight_of(theta_[i]);
  }

 private:
  void move(Label label, double by, const Features& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t cell = theta_.cell(x.feature(i), label);
      theta_[cell] = std::clamp(theta_[cell] + by * x.value[i], -kMaxTheta, kMaxTheta);
      weights_[cell] = weight_of(theta_[cell]);
    }
  }

  double gamma_;
  double rate_;  // k times the step
  double step_;
  ClassMatrix<double> theta_;
  ClassMatrix<double> weights_;  // sinh θ
};

}  // namespace

LearnerInfo banditron_eg_info() {
  return with_options<BanditronEgOptions>(
      {
          .name = "banditron-eg",
          .summary = "Banditron with multiplicative updates, for few relevant features",
          .feedback = "bandit",
          .explores = "uniformly, at the rate gamma",
          .guarantee = "adversarial, derived by us: E[mistakes] ≤ 2L + 2B²X²·(k + γ)/γ·ln(2kd) + "
                       "(1 + 2γ/k)·γT for γ ≤ ½ and the eta that follows from B and X, for "
                       "competitors with Σ|U_ij| ≤ B and |x_j| ≤ X",
          .cost = "O(k·nnz), an exponential for each feature of an update; 2kd numbers",
          .input = "values of about 1 at most: eta is relative to max |x_j|",
          .about = "The Banditron's update goes into the logarithms of the weights, W = sinh(θ), "
                   "so that features that keep being right grow fast. The norm bound of the "
                   "framework multiplies all scores alike and so changes no decision; there is "
                   "none to choose.",
          .use =
              "To study the potential framework, or with very many features of which few matter. "
              "Elsewhere the Banditron is as good, and bandit-arow better than both.",
          .deviations =
              "The paper's details were not available: the potential over all classes at once, "
              "and how eta follows from the bound, are ours.",
          .reference = "S. Wang, R. Jin, H. Valizadegan, \"A Potential-based Framework for "
                       "Online Multi-class Learning with Partial Feedback\", AISTATS 2010",
      },
      kFields, make_banditron_eg);
}

std::unique_ptr<Learner> make_banditron_eg(Shape shape, const BanditronEgOptions& options) {
  return std::make_unique<BanditronEg>(shape, options);
}

}  // namespace soba
