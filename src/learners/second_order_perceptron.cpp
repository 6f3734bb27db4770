#include "learners/second_order_perceptron.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/class_full.h"
#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 2> kCovariances = {"diagonal", "full"};

constexpr std::array<Field<SecondOrderPerceptronOptions>, 3> kFields = {{
    {.name = "covariance",
     .member = &SecondOrderPerceptronOptions::covariance,
     .help = "the matrix kept for each class: its diagonal, or full (d x d)",
     .choices = kCovariances},
    {.name = "a",
     .member = &SecondOrderPerceptronOptions::a,
     .help = "regulariser: the matrix of each class starts at a times the identity",
     .min = 0,
     .open_min = true},
    {.name = "memory",
     .member = &SecondOrderPerceptronOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
}};

// The two forms of the state: scores with the current x in A, and θ_i += sign·x, A_i += x·xᵀ.
class DiagonalState {
 public:
  DiagonalState(Shape shape, const SecondOrderPerceptronOptions& options)
      : a_(options.a), theta_(shape), squares_(shape) {}

  Shape shape() const { return theta_.shape(); }

  Index reserve(const Features& x) {
    squares_.reserve(x.extent());
    return theta_.reserve(x.extent());
  }

  void grow(Index features) {
    theta_.grow(features);
    squares_.grow(features);
  }

  void scores(const Features& x, std::span<double> out) const {
    const auto k = static_cast<std::size_t>(shape().classes);
    std::fill_n(out.begin(), k, 0.0);
    for (std::size_t i = 0; i < x.size() && x.feature(i) < shape().features; ++i) {
      const std::size_t row = theta_.cell(x.feature(i), 0);
      const double value = x.value[i], own = a_ + value * value;
      const double* theta = &theta_[row];
      const double* squares = &squares_[row];
      for (std::size_t c = 0; c < k; ++c) out[c] += theta[c] * value / (own + squares[c]);
    }
  }

  bool step(Label label, double sign, const Features& x) {
    theta_.add(label, sign, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      squares_[squares_.cell(x.feature(i), label)] += x.value[i] * x.value[i];
    }
    return true;
  }

  void limit_memory(double /*bytes*/) {}  // takes what the weights take

  void add_classes(Label classes) {
    theta_.add_classes(classes);
    squares_.add_classes(classes);
  }

  void visit(StateVisitor& visitor) {
    theta_.visit("theta", visitor);
    squares_.visit("squares", visitor);
    for (const double sum : squares_.cells()) {
      visitor.require(sum >= 0, "sums of squares are not negative");
    }
  }

 private:
  double a_;
  ClassMatrix<double> theta_;
  ClassMatrix<double> squares_;  // the diagonal of A, less a
};

class FullState {
 public:
  FullState(Shape shape, const SecondOrderPerceptronOptions& options)
      : classes_(shape, options.a, options.memory * 0x1p20) {}

  Shape shape() const { return classes_.shape(); }
  Index reserve(const Features& x) { return classes_.reserve(x); }
  void grow(Index features) { classes_.grow(features); }

  void scores(const Features& x, std::span<double> out) const {
    classes_.scores(x, out);
    for (Label i = 0; i < shape().classes; ++i) {
      double& s = out[static_cast<std::size_t>(i)];
      if (s != 0) s /= 1 + classes_.met_variance(i, x);
    }
  }

  // (A + x·xᵀ)·w' = A·w ± x
  bool step(Label label, double sign, const Features& x) {
    return regress(classes_, label, x, classes_.score(label, x), sign, 1);
  }

  void limit_memory(double bytes) { classes_.limit_memory(bytes); }
  void add_classes(Label classes) { classes_.add_classes(classes); }
  void visit(StateVisitor& visitor) { classes_.visit(visitor); }

 private:
  FullClasses classes_;
};

template <class State>
class SecondOrderPerceptron final : public FullInformationLearner {
 public:
  SecondOrderPerceptron(Shape shape, const SecondOrderPerceptronOptions& options)
      : state_(shape, options) {}

  Shape shape() const override { return state_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { state_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return Greedy{}; }

  Index reserve(const Features& x) override { return state_.reserve(x); }

  Learned learn(const Features& x, std::span<const double> scores, Label truth) noexcept override {
    const Label greedy = argmax(scores);
    if (greedy == truth || x.size() == 0) return {};
    if (!std::isfinite(squared_norm(x))) {
      return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    }
    state_.grow(x.extent());
    const bool up = state_.step(truth, 1, x), down = state_.step(greedy, -1, x);
    return {.updated = up || down, .margin_sum = std::nullopt, .skipped = !up || !down};
  }

  void reconfigure(const OptionValues& values) override {
    const SecondOrderPerceptronOptions options =
        parse_options<SecondOrderPerceptronOptions>(kFields, values);
    state_.limit_memory(options.memory * 0x1p20);
  }

  std::unique_ptr<FullInformationLearner> with_classes(Label classes) const override {
    auto larger = std::make_unique<SecondOrderPerceptron>(*this);
    larger->state_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { state_.visit(visitor); }

 private:
  State state_;
};

}  // namespace

LearnerInfo second_order_perceptron_info() {
  return with_options<SecondOrderPerceptronOptions>(
      {
          .name = "second-order-perceptron",
          .summary = "second-order Perceptron, told every label",
          .feedback = "full information",
          .explores = "no: it is told every label",
          .guarantee =
              "adversarial for the binary learner, see the paper; nothing is proved of this form "
              "for many classes",
          .cost = "diagonal: O(k·nnz), 2kd numbers; full: O(k·nnz²) to score, O(d·nnz + d²) for "
                  "an update, k·d² numbers",
          .input =
              "any scale of x as a whole: a is relative to ‖x‖², the results hardly depend on it",
          .about = "The Perceptron in the geometry of the examples it has erred on: directions "
                   "in which a class has moved often count less. The matrix of each class holds "
                   "the current x, too, before its label is known.",
          .use = "As a yardstick: it shows what second-order information is worth without margin "
                 "updates. SOBA, whose update also runs where the answer was right by a small "
                 "margin, owes its gain to those more than to its matrix. It is no competitor: "
                 "it sees what the others must guess.",
          .deviations =
              "The paper's learner is binary. Here each class has its own matrix and predicts by "
              "itself; features that a class has never met are left out of its prediction.",
          .reference = "N. Cesa-Bianchi, A. Conconi, C. Gentile, \"A Second-Order Perceptron "
                       "Algorithm\", SIAM Journal on Computing 34(3), 2005",
      },
      kFields, make_second_order_perceptron);
}

std::unique_ptr<FullInformationLearner> make_second_order_perceptron(
    Shape shape, const SecondOrderPerceptronOptions& options) {
  if (options.covariance == "full") {
    return std::make_unique<SecondOrderPerceptron<FullState>>(shape, options);
  }
  return std::make_unique<SecondOrderPerceptron<DiagonalState>>(shape, options);
}

}  // namespace soba
