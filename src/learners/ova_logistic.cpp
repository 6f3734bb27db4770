#include "learners/ova_logistic.h"

#include <array>
#include <cmath>

#include "learners/each_label.h"
#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<OvaLogisticOptions>, 2> kFields = {{
    {.name = "eta",
     .member = &OvaLogisticOptions::eta,
     .help = "learning rate: by how much the first answer moves a weight",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    {.name = "gamma",
     .member = &OvaLogisticOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
}};

class OvaLogistic final : public Learner {
 public:
  OvaLogistic(Shape shape, const OvaLogisticOptions& options)
      : eta_(options.eta), gamma_(options.gamma), weights_(shape), squares_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override {
    squares_.reserve(x.extent());
    return weights_.reserve(x.extent());
  }

  Learned learn(const Round& round, bool correct) noexcept override {
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    const double error = 1 / (1 + std::exp(-s)) - (correct ? 1 : 0);
    if (error == 0) return {};
    if (std::isnan(error) || !std::isfinite(squared_norm(round.x))) {
      return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    }
    weights_.grow(round.x.extent());
    squares_.grow(round.x.extent());
    bool moved = false;
    for (std::size_t i = 0; i < round.x.size(); ++i) {
      const double g = error * round.x.value[i];
      const std::size_t cell = weights_.cell(round.x.feature(i), round.played);
      const double sum = squares_[cell] + g * g;
      if (!(sum > 0)) continue;
      squares_[cell] = sum;
      weights_[cell] -= eta_ * g / std::sqrt(sum);
      moved = true;
    }
    return {moved, std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const OvaLogisticOptions options = parse_options<OvaLogisticOptions>(kFields, values);
    gamma_ = options.gamma;
  }

  Learned teach(const Round& round) noexcept override { return teach_each(*this, round); }
  bool teaches_others() const override { return true; }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<OvaLogistic>(*this);
    larger->weights_.add_classes(classes);
    larger->squares_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    weights_.visit("weights", visitor);
    squares_.visit("squares", visitor);
    for (const double sum : squares_.cells()) {
      visitor.require(sum >= 0, "sums of squares are not negative");
    }
  }

 private:
  double eta_;
  double gamma_;
  ClassMatrix<double> weights_;
  ClassMatrix<double> squares_;  // G
};

}  // namespace

LearnerInfo ova_logistic_info() {
  return with_options<OvaLogisticOptions>(
      {
          .name = "ova-logistic",
          .summary = "ε-greedy logistic regression of each class, with AdaGrad",
          .feedback = "bandit",
          .explores =
              "uniformly at the rate gamma (ε-greedy), which may be 0: a wrong guess pushes the "
              "played class down, which explores by itself",
          .guarantee = "none",
          .cost = "O(k·nnz); 2kd numbers",
          .input = "features of one scale, of about 1: AdaGrad moves each weight at a pace that "
                   "does not depend on its feature, so that large features drown the others",
          .about =
              "For each class a logistic regression of whether that class is right. The class "
              "that was played takes one gradient step, with a rate of its own for each feature "
              "that falls as the feature is met.",
          .use =
              "As the baseline that a practitioner would try first. With gamma 0 and a large eta "
              "a class that was pushed down at the start may never be played again. Without "
              "gamma every round is played with probability 1, so that its log is of no use to "
              "evaluate another policy.",
          .deviations =
              "There is no one paper to deviate from. No importance weights: they would add "
              "variance to a regression that is right without them.",
          .reference = "J. Duchi, E. Hazan, Y. Singer, \"Adaptive Subgradient Methods for Online "
                       "Learning and Stochastic Optimization\", JMLR 12, 2011, for the step",
      },
      kFields, make_ova_logistic);
}

std::unique_ptr<Learner> make_ova_logistic(Shape shape, const OvaLogisticOptions& options) {
  return std::make_unique<OvaLogistic>(shape, options);
}

}  // namespace soba
