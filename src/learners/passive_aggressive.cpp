#include "learners/passive_aggressive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 3> kVariants = {"pa", "pa1", "pa2"};

constexpr std::array<Field<PassiveAggressiveOptions>, 2> kFields = {{
    {.name = "variant",
     .member = &PassiveAggressiveOptions::variant,
     .help = "the step: all the way to the margin (pa), at most C (pa1), or slowed by C (pa2)",
     .choices = kVariants},
    {.name = "C",
     .member = &PassiveAggressiveOptions::c,
     .help = "how much one example may move the weights, in units of x/‖x‖²; pa has no use for it",
     .min = 0,
     .open_min = true},
}};

class PassiveAggressive final : public FullInformationLearner {
 public:
  PassiveAggressive(Shape shape, const PassiveAggressiveOptions& options) : weights_(shape) {
    if (options.variant == "pa1") most_ = options.c;
    if (options.variant == "pa2") slack_ = 1 / (2 * options.c);
  }

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return Greedy{}; }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  Learned learn(const Features& x, std::span<const double> scores, Label truth) noexcept override {
    const Label rival = argmax_except(scores, truth);
    const double loss =
        1 - (scores[static_cast<std::size_t>(truth)] - scores[static_cast<std::size_t>(rival)]);
    if (!(loss > 0)) return {};
    const double squared = squared_norm(x);
    const double tau = std::min(most_, loss / (2 + slack_)) / squared;
    if (!(squared > 0)) return {};  // nothing to move along
    if (!std::isfinite(loss) || !std::isfinite(tau)) {
      return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    }
    weights_.grow(x.extent());
    weights_.add_difference(truth, rival, tau, x);
    return {.updated = true, .margin_sum = std::nullopt};
  }

  std::unique_ptr<FullInformationLearner> with_classes(Label classes) const override {
    auto larger = std::make_unique<PassiveAggressive>(*this);
    larger->weights_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  double most_ = std::numeric_limits<double>::infinity();  // C of pa1
  double slack_ = 0;                                       // 1/(2C) of pa2
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo passive_aggressive_info() {
  return with_options<PassiveAggressiveOptions>(
      {
          .name = "passive-aggressive",
          .summary = "multiclass PA, PA-I and PA-II, told every label",
          .feedback = "full information",
          .explores = "no: it is told every label",
          .guarantee = "adversarial, in terms of any competitor's loss: of the mistakes for pa1, "
                       "of the squared loss for pa2 (both for examples of one length, as C is "
                       "relative to it), and for pa on separable data; the bounds are in the "
                       "paper",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .scale_free = ScaleFree::kWhole,
          .about = "Wherever the score of the label does not lead that of its best rival by 1, "
                   "the two move apart: just enough (pa), but at most by C (pa1), or by a part "
                   "of it (pa2).",
          .use = "As a yardstick: what bpa could do if it were told every label. It is no "
                 "competitor: it sees what the others must guess. Take pa only on data without "
                 "noise.",
          .deviations =
              "C is relative to 1/‖x‖², so that it means the same at every scale of x; for ‖x‖ = "
              "1 it is the paper's.",
          .reference = "K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer, \"Online "
                       "Passive-Aggressive Algorithms\", JMLR 7, 2006",
      },
      kFields, make_passive_aggressive);
}

std::unique_ptr<FullInformationLearner> make_passive_aggressive(
    Shape shape, const PassiveAggressiveOptions& options) {
  return std::make_unique<PassiveAggressive>(shape, options);
}

}  // namespace soba
