#include "learners/perceptron.h"

#include "linalg/class_matrix.h"

namespace soba {

namespace {

class Perceptron final : public FullInformationLearner {
 public:
  explicit Perceptron(Shape shape) : weights_(shape) {}

  Shape shape() const override { return weights_.shape(); }

  void scores(Features x, std::span<double> out) const override { weights_.scores(x, out); }

  Exploration exploration(std::int64_t /*round*/) const override { return Greedy{}; }

  // On a mistake: w_y += x, w_ŷ −= x
  bool learn(Features x, std::span<const double> scores, Label truth) override {
    const Label greedy = argmax(scores);
    if (greedy == truth) return false;
    weights_.grow(x.extent());
    weights_.add(truth, 1, x);
    weights_.add(greedy, -1, x);
    return true;
  }

  void visit(StateVisitor& visitor) override { weights_.visit("weights", visitor); }

 private:
  ClassMatrix<double> weights_;
};

}  // namespace

std::unique_ptr<FullInformationLearner> make_perceptron(Shape shape) {
  return std::make_unique<Perceptron>(shape);
}

}  // namespace soba
