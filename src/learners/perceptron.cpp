#include "learners/perceptron.h"

#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

class Perceptron final : public FullInformationLearner {
 public:
  explicit Perceptron(Shape shape) : weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return Greedy{}; }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  // On a mistake: w_y += x, w_ŷ −= x
  Learned learn(const Features& x, std::span<const double> scores, Label truth) noexcept override {
    const Label greedy = argmax(scores);
    if (greedy == truth) return {};
    weights_.grow(x.extent());
    weights_.add(truth, 1, x);
    weights_.add(greedy, -1, x);
    return {.updated = true, .margin_sum = std::nullopt};
  }

  std::unique_ptr<FullInformationLearner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Perceptron>(*this);
    larger->weights_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  ClassMatrix<double> weights_;
};

}  // namespace

LearnerInfo perceptron_info() {
  return without_options(
      {
          .name = "perceptron",
          .summary = "multiclass Perceptron, told every label",
          .feedback = "full information",
          .explores = "no: it is told every label",
          .guarantee = "adversarial: O(√L) beyond the hinge loss L of any competitor",
          .cost = "O(k·nnz); kd numbers",
          .input = "any scale: multiplying x changes no decision",
          .scale_free = ScaleFree::kWhole,
          .about = "On a mistake w_y += x and w_ŷ −= x.",
          .use = "As a yardstick for what a first-order learner could do with full information. "
                 "It is no competitor: it sees what the others must guess.",
          .deviations = "None.",
          .reference =
              "R. O. Duda, P. E. Hart, \"Pattern Classification and Scene Analysis\", Wiley 1973 "
              "(Kesler's construction); the bound is in the SOBA paper, Section 3",
      },
      make_perceptron);
}

std::unique_ptr<FullInformationLearner> make_perceptron(Shape shape) {
  return std::make_unique<Perceptron>(shape);
}

}  // namespace soba
