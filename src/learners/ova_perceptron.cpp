#include "learners/ova_perceptron.h"

#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

class OvaPerceptron final : public Learner {
 public:
  explicit OvaPerceptron(Shape shape) : weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& moment) const override {
    const bool claimed = moment.scores[static_cast<std::size_t>(moment.greedy)] >= 0;
    return UniformMix{claimed ? 0.0 : 1.0};
  }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  Learned learn(const Round& round, bool correct) noexcept override {
    if (round.x.size() == 0) return {};
    weights_.grow(round.x.extent());
    bool moved = false;
    const auto move = [&](Label label, double direction) {
      weights_.add(label, direction, round.x);
      moved = true;
    };
    const Label played = round.played;
    const double s = round.scores[static_cast<std::size_t>(played)];
    if (!correct) {
      if (s >= 0) move(played, -1);
      return {moved, std::nullopt};
    }
    if (s <= 0) move(played, 1);
    for (Label other = 0; other < shape().classes; ++other) {
      if (other != played && round.scores[static_cast<std::size_t>(other)] >= 0) move(other, -1);
    }
    return {moved, std::nullopt};
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<OvaPerceptron>(*this);
    larger->weights_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo ova_perceptron_info() {
  return without_options(
      {
          .name = "ova-perceptron",
          .summary = "one-vs-rest Perceptrons, for separable data without noise",
          .feedback = "bandit",
          .explores = "by itself: uniformly where no class claims x, not at all elsewhere",
          .guarantee =
              "adversarial labels on strongly separable data: O(k·(R/µ)²) expected mistakes in "
              "all, for margin µ and ‖x‖ ≤ R. Nothing without separability",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .scale_free = ScaleFree::kWhole,
          .about =
              "For each class a Perceptron that says whether x is of that class. The highest "
              "score is played if it is not negative; otherwise nobody claims x, and a uniformly "
              "random label is played. A class moves only where the answer proves it wrong.",
          .use = "Only on data that is linearly separable, each class from all the rest: there "
                 "it makes few mistakes, and is proved to. Label noise kills it: each wrong "
                 "label moves some class in full, nobody claims x any more, and with 5 % of "
                 "noise it plays a wrong label in nearly every fourth round.",
          .deviations =
              "Of the classes that claim x the paper plays any; this plays the one with the "
              "highest score.",
          .reference = "A. Beygelzimer, D. Pál, B. Szörényi, D. Thiruvenkatachari, C.-Y. Wei, C. "
                       "Zhang, \"Bandit Multiclass Linear Classification: Efficient Algorithms "
                       "for the Separable Case\", ICML 2019",
      },
      make_ova_perceptron);
}

std::unique_ptr<Learner> make_ova_perceptron(Shape shape) {
  return std::make_unique<OvaPerceptron>(shape);
}

}  // namespace soba
