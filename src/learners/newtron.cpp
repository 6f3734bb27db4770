#include "learners/newtron.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "covariance/leader.h"
#include "learners/entry.h"
#include "linalg/class_matrix.h"

namespace soba {

namespace {

constexpr std::array<Field<NewtronOptions>, 5> kFields = {{
    {.name = "alpha",
     .member = &NewtronOptions::alpha,
     .help = "sharpness of the softmax that is played",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    {.name = "beta",
     .member = &NewtronOptions::beta,
     .help = "how much curvature a round adds: larger means smaller steps",
     .min = 1e-12,
     .max = 1e6},
    {.name = "D",
     .member = &NewtronOptions::D,
     .help = "bound on the norm of all weights; alpha·D·‖x‖ bounds the logits, so for ‖x‖ = 1 "
             "take 10 or more",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    {.name = "gamma",
     .member = &NewtronOptions::gamma,
     .help = "share of rounds that play a uniformly random label, beside the softmax",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "memory",
     .member = &NewtronOptions::memory,
     .help = "MiB that the matrix may take at most",
     .min = 1,
     .live = true},
}};
// All but `memory`.
constexpr std::span<const Field<NewtronOptions>> kDiagonalFields = std::span(kFields).first(4);

// δ = Σ_i factor_i·e_i ⊗ x, with which A += weight·δδᵀ and b += push·δ.
struct Step {
  std::span<const double> factor;
  double weight, push;
};

class DiagonalState {
 public:
  static constexpr std::span<const Field<NewtronOptions>> kOptions = kDiagonalFields;

  DiagonalState(Shape shape, const NewtronOptions& options)
      : radius_(options.D),
        weights_({shape.classes, 0}),
        curve_(static_cast<std::size_t>(shape.classes)),
        push_(curve_.size()) {
    grow(shape.features);
  }

  Shape shape() const { return weights_.shape(); }

  Index reserve(const Features& x) {
    linalg::make_room(diagonal_, weights_.cell(x.extent(), 0));
    return weights_.reserve(x.extent());
  }

  void grow(Index features) {
    if (features <= shape().features) return;
    weights_.grow(features);
    diagonal_.resize(weights_.cells().size(), 1 / radius_);
  }

  void scores(const Features& x, std::span<double> out) const {
    weights_.scores(x, out);
    const double norm = std::sqrt(squared_norm_);
    if (norm <= radius_) return;
    for (double& s : out) s *= radius_ / norm;
  }

  bool step(const Features& x, const Step& step) {
    const std::size_t k = step.factor.size();
    for (std::size_t i = 0; i < k; ++i) {
      curve_[i] = step.weight * step.factor[i] * step.factor[i];
      push_[i] = -step.push * step.factor[i];
    }
    double* weights = weights_.cells().data();
    const double moved =
        linalg::step_classes({k, curve_.data(), push_.data()}, x, diagonal_.data(), weights);
    squared_norm_ = std::max(0.0, squared_norm_ + moved);
    if (++since_sum_ < shape().features) return true;
    squared_norm_ = linalg::dot(weights, weights, weights_.cells().size());
    since_sum_ = 0;
    return true;
  }

  void limit_memory(double /*bytes*/) {}  // takes what the weights take

  void add_classes(Label classes) {
    diagonal_ = linalg::longer_runs(diagonal_, diagonal_.size(), curve_.size(),
                                    static_cast<std::size_t>(classes), 1 / radius_);
    weights_.add_classes(classes);
    curve_.resize(static_cast<std::size_t>(classes));
    push_.resize(curve_.size());
  }

  void visit(StateVisitor& visitor) {
    visitor.field("newtron.squared_norm", squared_norm_);
    visitor.field("newtron.since_sum", since_sum_);
    visitor.field("covariance.diagonal", diagonal_);
    weights_.visit("weights", visitor);
    visitor.require(squared_norm_ >= 0 && std::isfinite(squared_norm_) && since_sum_ >= 0,
                    "the norm is finite and, like its age, not negative");
    visitor.require(diagonal_.size() == weights_.cells().size() &&
                        std::all_of(diagonal_.begin(), diagonal_.end(),
                                    [](double a) { return a > 0 && std::isfinite(a); }),
                    "the diagonal has a positive number for each weight");
  }

 private:
  double radius_;
  double squared_norm_ = 0;     // of the weights before the projection
  std::int64_t since_sum_ = 0;  // steps since it was added up afresh
  std::vector<double> diagonal_;
  ClassMatrix<double> weights_;       // −b/A
  std::vector<double> curve_, push_;  // room for one step: a number for each class
};

class FullState : public FullLeader {
 public:
  static constexpr std::span<const Field<NewtronOptions>> kOptions = kFields;

  FullState(Shape shape, const NewtronOptions& options)
      : FullLeader(shape, 1 / options.D, options.D, options.memory * 0x1p20) {}

  bool step(const Features& x, const Step& step) { return add(x, step.factor, step.weight, 1); }
};

template <class State>
class Newtron final : public Learner {
 public:
  Newtron(Shape shape, const NewtronOptions& options)
      : state_(shape, options),
        alpha_(options.alpha),
        beta_(options.beta),
        gamma_(options.gamma),
        factor_(static_cast<std::size_t>(shape.classes)) {}

  Shape shape() const override { return state_.shape(); }
  std::size_t workings() const override { return factor_.size(); }  // Wx

  // P = softmax(α·Wx); the uniform distribution where Wx is too large for numbers.
  void scores(const Features& x, std::span<double> out) const override {
    const std::size_t k = factor_.size();
    state_.scores(x, out.subspan(k));
    play(out.first(k), out.subspan(k), k);
  }

  // Where not allowed, Wx is −∞, too.
  void restrict_to(std::span<const Label> allowed, const Features& x,
                   std::span<double> out) const override {
    const std::size_t k = factor_.size();
    Learner::restrict_to(allowed, x, out.subspan(k));
    play(out.first(k), out.subspan(k), allowed.size());
  }

  std::string linear_scores(const Features& x, std::span<double> out) const override {
    state_.scores(x, out);
    return "";
  }

  Exploration exploration(const Moment& /*moment*/) const override {
    return ProportionalMix{gamma_};
  }

  Index reserve(const Features& x) override { return state_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    const auto k = static_cast<double>(round.choices());
    const auto played = static_cast<std::size_t>(round.played);
    const double p = round.probability;
    const double f = (round.scores[played] - (correct ? 1 : 0)) / p;
    if (f == 0 || round.x.size() == 0) return {};
    double sum = 0;
    for (std::size_t i = 0; i < factor_.size(); ++i) {
      const bool allowed =
          round.allowed.empty() || round.workings[i] != -std::numeric_limits<double>::infinity();
      factor_[i] = allowed ? -f / k : 0;
      sum += allowed ? round.workings[i] : 0;
    }
    factor_[played] = f - f / k;
    const double mean = sum / k;
    const double weight = (correct ? p : 1) * beta_;                       // κβ
    const double push = 1 - weight * f * (round.workings[played] - mean);  // 1 − κβ⟨δ, W⟩
    // Beyond what sums of doubles hold, or Wx was.
    if (!(f * f * squared_norm(round.x) < 1e200) || !(std::fabs(push) < 1e100)) return {};
    state_.grow(round.x.extent());
    return {state_.step(round.x, {factor_, weight, push}), std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const NewtronOptions options = parse_options<NewtronOptions>(State::kOptions, values);
    state_.limit_memory(options.memory * 0x1p20);
    gamma_ = options.gamma;
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Newtron>(*this);
    larger->state_.add_classes(classes);
    larger->factor_.resize(static_cast<std::size_t>(classes));
    return larger;
  }

  void visit(StateVisitor& visitor) override { state_.visit(visitor); }

 private:
  // The softmax of α·Wx, over the `choices` classes whose Wx is not −∞.
  void play(std::span<double> p, std::span<const double> raw, std::size_t choices) const {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const double highest = *std::max_element(raw.begin(), raw.end());
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] = std::exp(alpha_ * (raw[i] - highest));
    const bool finite = std::isfinite(sum);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool never = choices < p.size() && raw[i] == kNever;
      p[i] = finite ? p[i] / sum : never ? 0 : 1 / static_cast<double>(choices);
    }
  }

  State state_;
  double alpha_, beta_, gamma_;
  std::vector<double> factor_;  // of x in δ, for each class
};

constexpr const char* kGuarantee =
    "adversarial, for newtron with the paper's tuning and centre: regret O(min{c·e^(4αXD)·log T, "
    "c·XD·T^(2/3)}) in the log loss, with c = O(k³d); not proved for the defaults";
constexpr const char* kReference =
    "E. Hazan, S. Kale, \"Newtron: an Efficient Bandit Algorithm for Online Multiclass "
    "Prediction\", NIPS 2011";
constexpr const char* kInput =
    "alpha·D·‖x‖ bounds the logits: choose D relative to 1/‖x‖. The defaults suit ‖x‖ of 5 to "
    "10; for ‖x‖ = 1 take D = 10";
constexpr const char* kDeviations =
    "The quadratic is centred at W in every round; the paper takes 0 instead where the coin of "
    "the exploration fell, which the learner does not see. Late answers are learnt with the "
    "probability of the decision and the softmax of now.";

// D is shared by all classes and directions: below about αD‖x‖ = 30 the softmax stays soft.
Norms norms(const OptionValues& values) {
  const NewtronOptions options = parse_options<NewtronOptions>(kFields, values);
  return {.min = 30 / (options.alpha * options.D)};
}

}  // namespace

LearnerInfo newtron_info() {
  return with_options<NewtronOptions>(
      {
          .name = "newtron",
          .summary = "follows the approximate leader on the log loss; for small kd",
          .feedback = "bandit",
          .explores = "by itself: plays the softmax of its scores; uniformly at the rate gamma",
          .guarantee = kGuarantee,
          .cost = "O((k·nnz)² + (kd)³), some milliseconds at kd = 400; 2(kd)² numbers",
          .input = kInput,
          .norms = norms,
          .about =
              "Minimises a quadratic lower bound of all log losses seen, weighted by how likely "
              "the label was to be played, over the weights of norm at most D. It plays the "
              "softmax of alpha times its scores and learns from right and wrong answers.",
          .use = "Few features and classes (kd of a few hundred at most); otherwise pnewtron. "
                 "What it says there about D applies here, too.",
          .deviations = kDeviations,
          .reference = kReference,
      },
      kFields, make_newtron);
}

LearnerInfo pnewtron_info() {
  return with_options<NewtronOptions>(
      {
          .name = "pnewtron",
          .summary = "Newtron with a diagonal matrix; plays the softmax of its scores",
          .feedback = "bandit",
          .explores = "by itself: plays the softmax of its scores; uniformly at the rate gamma",
          .guarantee = std::string(kGuarantee) + "; nothing is proved of the diagonal form",
          .cost = "O(k·nnz); 2kd numbers",
          .input = kInput,
          .norms = norms,
          .about = "Newtron with the diagonal of its matrix, and the projection replaced by a "
                   "rescaling to norm D. Since ‖W‖ ≤ D, no two logits differ by more than "
                   "√2·alpha·D·‖x‖, and all classes and directions share this D: with alpha = "
                   "10, D = 1 and ‖x‖ = 1 the softmax stays soft however much is learnt, and "
                   "what is played is wrong in more than half of the rounds where the best score "
                   "is wrong in 5 %. That is why it was reported to fail on text, whose vectors "
                   "are scaled to length 1.",
          .use = "For comparison with the literature. Choose D relative to 1/‖x‖ (D = 10 for ‖x‖ "
                 "= 1), and look at the greedy error beside the played one: where they differ "
                 "much, alpha·D is too small. Too large a D lets early steps overshoot.",
          .deviations = kDeviations,
          .reference = kReference,
      },
      kDiagonalFields, make_pnewtron);
}

std::unique_ptr<Learner> make_newtron(Shape shape, const NewtronOptions& options) {
  return std::make_unique<Newtron<FullState>>(shape, options);
}

std::unique_ptr<Learner> make_pnewtron(Shape shape, const NewtronOptions& options) {
  return std::make_unique<Newtron<DiagonalState>>(shape, options);
}

}  // namespace soba
