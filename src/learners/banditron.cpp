#include "learners/banditron.h"

#include <array>

#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<BanditronOptions>, 1> kFields = {{
    {.name = "gamma",
     .member = &BanditronOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1},
}};

class Banditron final : public Learner {
 public:
  Banditron(Shape shape, const BanditronOptions& options)
      : gamma_(options.gamma), weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(Features x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(std::int64_t /*round*/) const override { return UniformMix{gamma_}; }

  // W += Ũ, where Ũ_r = x·(1[ỹ = y]·1[r = ỹ]/p − 1[r = ŷ])
  Learned learn(const Round& round, bool correct) override {
    const double hit = correct ? 1 / round.probability : 0;
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

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  double gamma_;
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo banditron_info() {
  return with_options<BanditronOptions>(
      {
          .name = "banditron",
          .summary = "Perceptron with an importance-weighted guess of its update: first order",
          .feedback = "bandit",
          .explores = "uniformly, at the rate gamma",
          .guarantee = "adversarial: O(T^(2/3)) beyond the hinge loss of any competitor; O(√T) if "
                       "the data is separable",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .about =
              "The Perceptron with an unbiased guess of its update: W_ŷ −= x, and W_ỹ += x/p if "
              "ỹ was right. It changes its weights in nearly every round.",
          .use = "As the first-order baseline that everybody compares with.",
          .deviations =
              "None. (Section 3 of the paper says that it explores with probability 1−γ; its "
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
