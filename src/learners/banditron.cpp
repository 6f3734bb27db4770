#include "learners/banditron.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/entry.h"
#include "linalg/class_matrix.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::array<Field<BanditronOptions>, 2> kFields = {{
    {.name = "gamma",
     .member = &BanditronOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "horizon",
     .member = &BanditronOptions::horizon,
     .help = "rounds that gamma 'theory' is tuned for; 0 = the length of the data",
     .min = 0},
}};

double theory_rate(Label classes, std::int64_t horizon) {
  if (horizon < 1) {
    throw Error(ErrorKind::kUsage,
                "gamma 'theory' needs the number of rounds before the first one: give option "
                "'horizon', or data that can be scanned first");
  }
  return std::min(1.0, std::cbrt(classes / static_cast<double>(horizon)));
}

class Banditron final : public Learner {
 public:
  Banditron(Shape shape, const BanditronOptions& options)
      : rule_(options.gamma.rule),
        gamma_(rate(shape.classes, options)),
        horizon_(options.horizon),
        weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& moment) const override {
    if (rule_ != Rate::Rule::kAdaptive) return UniformMix{gamma_};
    const auto k = static_cast<double>(moment.choices()), t = static_cast<double>(moment.round);
    return UniformMix{std::min(1.0, std::cbrt(k * static_cast<double>(1 + mistakes_) / (t * t)))};
  }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  // W += Ũ, where Ũ_r = x·(1[ỹ = y]·1[r = ỹ]/p − 1[r = ŷ])
  Learned learn(const Round& round, bool correct) noexcept override {
    const double hit = correct ? 1 / round.probability : 0;
    mistakes_ += correct ? 0 : 1;
    weights_.grow(round.x.extent());
    if (round.played == round.greedy) {
      if (hit == 1) return {};  // played for certain, and right: nothing to move
      weights_.add(round.greedy, hit - 1, round.x);
    } else {
      weights_.add(round.greedy, -1, round.x);
      if (correct) weights_.add(round.played, hit, round.x);
    }
    return {true, std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const BanditronOptions options = parse_options<BanditronOptions>(kFields, values);
    const Rate::Rule rule = options.gamma.rule;
    if (rule == Rate::Rule::kAdaptive && rule_ != rule) {
      throw Error(ErrorKind::kUsage,
                  "gamma: 'adaptive' counts the mistakes from the first round on, and this model "
                  "has not counted them");
    }
    const double gamma = rate(shape().classes, options);
    rule_ = rule;
    gamma_ = gamma;
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Banditron>(*this);
    larger->weights_.add_classes(classes);
    if (rule_ == Rate::Rule::kTheory) larger->gamma_ = theory_rate(classes, horizon_);
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    if (rule_ == Rate::Rule::kAdaptive) {
      visitor.field("banditron.mistakes", mistakes_);
      visitor.require(mistakes_ >= 0, "the count of mistakes is not negative");
    }
    weights_.visit("weights", visitor);
  }

 private:
  static double rate(Label classes, const BanditronOptions& options) {
    const bool theory = options.gamma.rule == Rate::Rule::kTheory;
    return theory ? theory_rate(classes, options.horizon) : options.gamma.value;
  }

  Rate::Rule rule_;
  double gamma_;
  std::int64_t horizon_;
  std::int64_t mistakes_ = 0;  // M, of the answers so far
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo banditron_info() {
  return with_options<BanditronOptions>(
      {
          .name = "banditron",
          .summary = "first order: a Perceptron with importance-weighted updates",
          .feedback = "bandit",
          .explores = "uniformly, at the rate gamma, which can follow the mistakes made so far",
          .guarantee = "adversarial: O(T^(2/3)) beyond the hinge loss of any competitor; O(√T) "
                       "if the data is separable",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .scale_free = ScaleFree::kWhole,
          .about =
              "The Perceptron with an unbiased guess of its update: W_ŷ −= x, and W_ỹ += x/p if "
              "ỹ was right. It changes its weights in nearly every round. gamma adaptive is γ_t "
              "= min(1, (k(1 + M)/t²)^(1/3)) after M wrong answers, which balances the terms of "
              "its bound; gamma theory is (k/T)^(1/3).",
          .use = "As the first-order baseline that everybody compares with. Take gamma adaptive "
                 "where the noise and the number of rounds are not known.",
          .deviations = "None, but for gamma adaptive, which is ours and nothing is proved of. "
                        "(Section 3 of the paper says that it explores with probability 1−γ; its "
                        "algorithm explores with probability γ, and so does this.)",
          .reference =
              "S. M. Kakade, S. Shalev-Shwartz, A. Tewari, \"Efficient Bandit Algorithms for "
              "Online Multiclass Prediction\", ICML 2008",
      },
      kFields, make_banditron);
}

std::unique_ptr<Learner> make_banditron(Shape shape, const BanditronOptions& options) {
  return std::make_unique<Banditron>(shape, options);
}

}  // namespace soba
