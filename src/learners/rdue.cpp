#include "learners/rdue.h"

#include <algorithm>
#include <array>
#include <vector>

#include "learners/entry.h"
#include "learners/gradient.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<RdueOptions>, 2> kFields = {{
    {.name = "b",
     .member = &RdueOptions::b,
     .help = "length of the steps: about the norm of good weights, for x of norm 1",
     .min = 0,
     .open_min = true},
    {.name = "q",
     .member = &RdueOptions::q,
     .help = "exploration rate; for T rounds the paper takes b * sqrt(k/T)",
     .min = 0,
     .max = 1,
     .live = true},
}};

class Rdue final : public Learner {
 public:
  Rdue(Shape shape, const RdueOptions& options)
      : q_(options.q),
        step_(options.b),
        weights_(shape),
        shares_(static_cast<std::size_t>(shape.classes)) {}

  Shape shape() const override { return weights_.shape(); }

  // The workings are P.
  std::size_t workings() const override { return static_cast<std::size_t>(shape().classes); }

  void scores(const Features& x, std::span<double> out) const override {
    weights_.scores(x, out.first(workings()));
    play(out);
  }

  void restrict_to(std::span<const Label> allowed, const Features& x,
                   std::span<double> out) const override {
    weights_.scores(x, out.first(workings()));
    Learner::restrict_to(allowed, x, out);
    play(out);
  }

  std::string linear_scores(const Features& x, std::span<double> out) const override {
    weights_.scores(x, out);
    return "";
  }

  Exploration exploration(const Moment& /*moment*/) const override { return ProportionalMix{q_}; }

  Index reserve(const Features& x) override { return weights_.reserve(x.extent()); }

  Learned learn(const Round& round, bool correct) noexcept override {
    if (!correct || round.x.size() == 0) return {};
    weights_.grow(round.x.extent());
    std::copy(round.workings.begin(), round.workings.end(), shares_.begin());
    return {descend_logistic(round, shares_, step_, weights_), std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const RdueOptions options = parse_options<RdueOptions>(kFields, values);
    q_ = options.q;
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Rdue>(*this);
    larger->weights_.add_classes(classes);
    larger->shares_.resize(static_cast<std::size_t>(classes));
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    weights_.visit("weights", visitor);
    step_.visit(visitor);
  }

 private:
  // From W·x to what is played, with P behind it.
  void play(std::span<double> out) const {
    const std::size_t k = workings();
    const std::span<double> scores = out.first(k), shares = out.subspan(k);
    const Label greedy = argmax(scores);
    const double unsure = softmax(scores, greedy, shares);
    const double z = std::min(1.0, 2 * unsure);
    for (std::size_t i = 0; i < k; ++i) scores[i] = z * shares[i];
    if (z < 1) scores[static_cast<std::size_t>(greedy)] = 1 - z * unsure;
  }

  double q_;
  AdaptiveStep step_;
  ClassMatrix<double> weights_;
  std::vector<double> shares_;  // room for one step
};

}  // namespace

LearnerInfo rdue_info() {
  return with_options<RdueOptions>(
      {
          .name = "rdue",
          .summary = "logistic regression; plays at random where it is unsure",
          .feedback = "bandit",
          .explores = "by itself: the less sure it is, the more of its own probabilities it "
                      "plays; uniformly at the rate q",
          .guarantee =
              "adversarial: O(√(kT)) beyond the logistic loss of any competitor in a known ball, "
              "with the paper's projection and q = b·√(k/T); O(√((k+D)·T)) where answers are D "
              "rounds late; not proved for the defaults",
          .cost = "O(k·nnz); kd numbers",
          .input = "x of norm 1 (option normalize, l2): b is relative to it",
          .norms = [](const OptionValues&) { return Norms{.min = 0, .max = 1}; },
          .about = "Learns from right guesses only, by gradient steps on the logistic loss "
                   "weighted with 1/p. Where the softmax gives its best label a share above ½, "
                   "it plays that label with an even higher probability; otherwise it draws from "
                   "the softmax.",
          .use = "Where a guarantee for late answers counts, with x of norm 1. Where the classes "
                 "overlap, as in Covertype, it locks in on one of them; a larger q frees it, and "
                 "costs that share of the rounds. A rare hit with a tiny p may throw it back for "
                 "a while.",
          .deviations = "No projection, a step that adapts to the gradients seen, and a small, "
                        "fixed q where the paper sets it from the horizon.",
          .reference =
              "Y. Shibukawa, T. Tsuchiya, S. Sakaue, K. Yamanishi, \"Bandit and Delayed Feedback "
              "in Online Structured Prediction\", NeurIPS 2025",
      },
      kFields, make_rdue);
}

std::unique_ptr<Learner> make_rdue(Shape shape, const RdueOptions& options) {
  return std::make_unique<Rdue>(shape, options);
}

}  // namespace soba
