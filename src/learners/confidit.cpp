#include "learners/confidit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"
#include "learners/each_label.h"
#include "learners/entry.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 2> kCovariances = {"diagonal", "full"};

constexpr std::array<Field<ConfiditOptions>, 5> kFields = {{
    {.name = "covariance",
     .member = &ConfiditOptions::covariance,
     .help = "the matrix kept for each class: its diagonal, or full (d x d)",
     .choices = kCovariances},
    {.name = "eta",
     .member = &ConfiditOptions::eta,
     .help = "squared width of the confidence bounds; too small, and a class is never tried",
     .min = 0},
    {.name = "alpha",
     .member = &ConfiditOptions::alpha,
     .help = "a wrong answer counts -alpha, a right one 1; A starts at (1 + alpha)²",
     .min = -1,
     .max = 1,
     .open_min = true},
    {.name = "gamma",
     .member = &ConfiditOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "memory",
     .member = &ConfiditOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
}};

// ‖x‖², in the order of the features: zeros between them, as a dense vector has, change no bit.
double ordered_squares(const Features& x) {
  double sum = 0;
  for (const double v : x.value) sum += v * v;
  return sum;
}

template <ClassCovariance C>
class Confidit final : public Learner {
 public:
  Confidit(C classes, double a, const ConfiditOptions& options)
      : classes_(std::move(classes)),
        a_(a),
        eta_(options.eta),
        alpha_(options.alpha),
        gamma_(options.gamma),
        k_(static_cast<std::size_t>(classes_.shape().classes)) {}

  Shape shape() const override { return classes_.shape(); }
  // w_i·x, V_i and ‖x‖²
  std::size_t workings() const override { return 2 * k_ + 1; }

  void scores(const Features& x, std::span<double> out) const override {
    const std::span<double> center = out.subspan(k_, k_), variance = out.subspan(2 * k_, k_);
    const double squares = out.back() = ordered_squares(x);
    if (squares == 0) {
      std::fill(out.begin(), out.end(), 0.0);
      return;
    }
    const Features known = first_features(x, classes_.shape().features);
    const double unseen = known.size() == x.size() ? 0 : squares - ordered_squares(known);
    classes_.scores(known, center);
    classes_.variances(known, variance);
    const double norm = std::sqrt(squares);
    for (std::size_t i = 0; i < k_; ++i) {
      center[i] /= norm;
      variance[i] = (variance[i] + unseen / a_) / squares;
      out[i] = center[i] + std::sqrt(eta_ * variance[i]);
    }
  }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    const double squares = round.workings.back();
    if (squares == 0) return {};
    const auto played = static_cast<std::size_t>(round.played);
    const double s = round.workings[played], variance = round.workings[k_ + played];
    const double clipped = std::clamp(s, -alpha_, 1.0);
    const double target = correct ? 1 : -alpha_;
    const double along = (target - clipped) / (1 + variance) - (s - clipped) / variance;
    bool done = std::isfinite(along) && std::isfinite(squares);
    if (!done) return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    classes_.grow(round.x.extent());
    classes_.solve(round.played, round.x);
    done = classes_.step(round.played, round.x, 1 / squares, along / std::sqrt(squares));
    return {.updated = done, .margin_sum = std::nullopt, .skipped = !done};
  }

  void reconfigure(const OptionValues& values) override {
    const ConfiditOptions options = parse_options<ConfiditOptions>(kFields, values);
    classes_.limit_memory(options.memory * 0x1p20);
    gamma_ = options.gamma;
  }

  Learned teach(const Round& round) noexcept override { return teach_each(*this, round); }
  bool teaches_others() const override { return true; }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Confidit>(*this);
    larger->classes_.add_classes(classes);
    larger->k_ = static_cast<std::size_t>(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { classes_.visit(visitor); }

 private:
  C classes_;
  double a_;
  double eta_, alpha_, gamma_;
  std::size_t k_;
};

}  // namespace

LearnerInfo confidit_info() {
  return with_options<ConfiditOptions>(
      {
          .name = "confidit",
          .summary = "upper confidence bounds: tries a class where it might be right",
          .feedback = "bandit",
          .explores =
              "by its bounds, without randomness; uniformly at the rate gamma, which may be 0",
          .guarantee =
              "if the labels are drawn with probabilities that are linear in x: regret Õ(√T), "
              "for the full form with its own η. None against an adversary.",
          .cost = "diagonal: O(k·nnz), 2kd doubles and kd floats; full: O(k·nnz² + d²), k·d² "
                  "numbers",
          .input = "any scale: x is scaled to length 1",
          .scale_free = ScaleFree::kWhole,
          .about = "A ridge regression for each class, of +1 where it was played and right and "
                   "of −alpha where it was wrong. It plays the class with the highest score plus "
                   "confidence bound, so that a class is tried where little is known of it.",
          .use = "Where exploration should not be random, and labels do not answer to what is "
                 "played. It plays every round with probability 1, so that its log is of no use "
                 "to evaluate another policy: give a gamma for that. If eta is too small it can "
                 "lock itself in, with a class that is never played.",
          .deviations =
              "eta is constant, where the analysis lets it grow with log t. The diagonal form is "
              "our reading: see src/learners/confidit.h.",
          .reference =
              "K. Crammer, C. Gentile, \"Multiclass Classification with Bandit Feedback using "
              "Adaptive Regularization\", ICML 2011",
      },
      kFields, make_confidit);
}

std::unique_ptr<Learner> make_confidit(Shape shape, const ConfiditOptions& options) {
  const double a = (1 + options.alpha) * (1 + options.alpha);
  if (options.covariance == "full") {
    return std::make_unique<Confidit<FullClasses>>(FullClasses(shape, a, options.memory * 0x1p20),
                                                   a, options);
  }
  return std::make_unique<Confidit<DiagonalClasses>>(DiagonalClasses(shape, a), a, options);
}

}  // namespace soba
