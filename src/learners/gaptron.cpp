#include "learners/gaptron.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "learners/entry.h"
#include "learners/gradient.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 3> kLosses = {"smooth-hinge", "hinge", "logistic"};

constexpr std::array<Field<GaptronOptions>, 3> kFields = {{
    {.name = "loss",
     .member = &GaptronOptions::loss,
     .help = "the loss that steps descend on; it also sets where to explore",
     .choices = kLosses},
    {.name = "b",
     .member = &GaptronOptions::b,
     .help = "length of the steps: about the norm of good weights, for x of norm 1",
     .min = 0,
     .open_min = true},
    {.name = "gamma",
     .member = &GaptronOptions::gamma,
     .help = "least exploration rate, where the lead of the best label asks for less",
     .min = 0,
     .max = 1,
     .live = true},
}};

enum class Loss { kSmoothHinge, kHinge, kLogistic };

Loss loss_of(const std::string& word) {
  if (word == "hinge") return Loss::kHinge;
  return word == "logistic" ? Loss::kLogistic : Loss::kSmoothHinge;
}

class Gaptron final : public Learner {
 public:
  Gaptron(Shape shape, const GaptronOptions& options)
      : loss_(loss_of(options.loss)),
        gamma_(options.gamma),
        step_(options.b),
        weights_(shape),
        shares_(static_cast<std::size_t>(shape.classes)) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& moment) const override {
    return UniformMix{std::max(gamma_, gap(moment.scores, moment.greedy))};
  }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  Learned learn(const Round& round, bool correct) noexcept override {
    if (!correct || round.x.size() == 0) return {};
    weights_.grow(round.x.extent());
    if (loss_ != Loss::kLogistic) return {descend_hinge(round), std::nullopt};
    softmax(round.scores, round.greedy, shares_);
    return {descend_logistic(round, shares_, step_, weights_), std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const GaptronOptions options = parse_options<GaptronOptions>(kFields, values);
    gamma_ = options.gamma;
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Gaptron>(*this);
    larger->weights_.add_classes(classes);
    larger->shares_.resize(static_cast<std::size_t>(classes));
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    weights_.visit("weights", visitor);
    step_.visit(visitor);
  }

 private:
  // a of the header: how much of the chance of a mistake the loss pays for.
  double gap(std::span<const double> scores, Label greedy) const {
    const double highest = scores[static_cast<std::size_t>(greedy)];
    if (loss_ == Loss::kLogistic) {
      double sum = 0;
      for (const double s : scores) sum += std::exp(s - highest);
      return sum <= 2 ? 1 - 1 / sum : 1;
    }
    const double lead = highest - scores[static_cast<std::size_t>(argmax_except(scores, greedy))];
    if (!std::isfinite(lead)) return 1;
    if (loss_ == Loss::kHinge) return lead > 0.5 ? 0 : 1 - lead;
    const double missing = 1 - std::min(1.0, lead);
    return missing * missing;
  }

  // −∂ℓ/∂Δ: both hinges pull on the label and on its best rival alone.
  double pull(bool leads, double lead) const {
    if (loss_ == Loss::kHinge) return leads && lead > 0.5 ? 0 : 1;
    return leads ? 2 * (1 - std::min(1.0, lead)) : 2;
  }

  bool descend_hinge(const Round& round) {
    const Label y = round.played, rival = argmax_except(round.scores, y);
    const double lead =
        round.scores[static_cast<std::size_t>(y)] - round.scores[static_cast<std::size_t>(rival)];
    const double weighted = pull(round.greedy == y, lead) / round.probability;
    if (weighted == 0) return false;
    const double factor = step_.next(2 * weighted * weighted * squared_norm(round.x)) * weighted;
    if (factor == 0) return false;
    weights_.add_difference(y, rival, factor, round.x);
    return true;
  }

  Loss loss_;
  double gamma_;
  AdaptiveStep step_;
  ClassMatrix<double> weights_;
  std::vector<double> shares_;  // room for one logistic step
};

}  // namespace

LearnerInfo gaptron_info() {
  return with_options<GaptronOptions>(
      {
          .name = "gaptron",
          .summary = "gradient steps; explores where the best label hardly leads",
          .feedback = "bandit",
          .explores =
              "where the lead of the best label is small, at a rate that follows from the loss; "
              "at least gamma, which may be 0",
          .guarantee =
              "adversarial: O(k√T) beyond the loss of any competitor in a known ball, with the "
              "paper's projection and a gamma of about 1/√T; not proved for the defaults",
          .cost = "O(k·nnz); kd numbers",
          .input = "x of norm 1 (option normalize, l2): b and the leads that stop exploration are "
                   "relative to it",
          .norms = [](const OptionValues&) { return Norms{.min = 0, .max = 1}; },
          .about = "Learns from right guesses only, by gradient steps weighted with 1/p. It "
                   "explores while the best label leads by less than 1 (smooth hinge) or ½ "
                   "(hinge), and hardly or not at all beyond, so that it stops exploring where "
                   "it is sure and goes on where it is not.",
          .use = "Where every probability must be known and no exploration rate is to be tuned, "
                 "with x of norm 1 and labels that a linear rule tells apart but for some noise. "
                 "Without that norm it may stop exploring before it has learnt; where the "
                 "classes overlap, as in Covertype, it locks in on one of them or never stops "
                 "exploring. Leave gamma at 0: rare guesses with a tiny p would shorten all "
                 "later steps.",
          .deviations =
              "No projection, a step that adapts to the gradients seen instead of one set from "
              "the horizon, and gamma 0.",
          .reference = "D. van der Hoeven, \"Exploiting the Surrogate Gap in Online Multiclass "
                       "Classification\", NeurIPS 2020",
      },
      kFields, make_gaptron);
}

std::unique_ptr<Learner> make_gaptron(Shape shape, const GaptronOptions& options) {
  return std::make_unique<Gaptron>(shape, options);
}

}  // namespace soba
