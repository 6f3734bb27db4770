#include "learners/bandit_arow.h"

#include <array>
#include <cmath>

#include "covariance/class_adaptive.h"
#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"
#include "learners/each_label.h"
#include "learners/entry.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 3> kCovariances = {"diagonal", "full", "adaptive"};

constexpr std::array<Field<BanditArowOptions>, 5> kFields = {{
    {.name = "covariance",
     .member = &BanditArowOptions::covariance,
     .help =
         "the matrix kept for each class: its diagonal, full (d x d), or adaptive: full until it "
         "outgrows full-features or memory, then its diagonal",
     .choices = kCovariances},
    {.name = "r",
     .member = &BanditArowOptions::r,
     .help = "regulariser: how little one example may move the weights",
     .min = 0,
     .open_min = true},
    {.name = "gamma",
     .member = &BanditArowOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "memory",
     .member = &BanditArowOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
    {.name = "full-features",
     .member = &BanditArowOptions::full_features,
     .help = "features that covariance adaptive has full matrices for at most",
     .min = 0,
     .max = kMaxFeatures},
}};

template <ClassCovariance C>
class BanditArow final : public Learner {
 public:
  BanditArow(C classes, const BanditArowOptions& options)
      : classes_(std::move(classes)), weight_(1 / options.r), gamma_(options.gamma) {}

  Shape shape() const override { return classes_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { classes_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    const double sigma = correct ? 1 : -1;
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    if (!(sigma * s < 1) || round.x.size() == 0) return {};
    const bool done = regress(classes_, round.played, round.x, s, sigma, weight_);
    return {.updated = done, .margin_sum = std::nullopt, .skipped = !done};
  }

  void reconfigure(const OptionValues& values) override {
    const BanditArowOptions options = parse_options<BanditArowOptions>(kFields, values);
    classes_.limit_memory(options.memory * 0x1p20);
    gamma_ = options.gamma;
  }

  std::string remarks() const override {
    if constexpr (requires { classes_.full(); }) {
      return classes_.full() ? "full matrices" : "diagonals";
    }
    return "";
  }

  Learned teach(const Round& round) noexcept override { return teach_each(*this, round); }
  bool teaches_others() const override { return true; }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<BanditArow>(*this);
    larger->classes_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { classes_.visit(visitor); }

 private:
  C classes_;
  double weight_;  // 1/r
  double gamma_;
};

}  // namespace

LearnerInfo bandit_arow_info() {
  return with_options<BanditArowOptions>(
      {
          .name = "bandit-arow",
          .summary = "AROW, one class against the rest; learns from wrong guesses, too",
          .feedback = "bandit",
          .explores =
              "by itself: a wrong guess pushes the played class down; uniformly at the rate "
              "gamma, which may be 0",
          .guarantee = "none",
          .cost = "diagonal: O(k·nnz), 2kd doubles and kd floats; full: O(d²) for an update, "
                  "k·d² numbers",
          .input = "‖x‖ of about 1 or more: r is relative to ‖x‖², and small x teach it slowly",
          .about =
              "For each class a confidence-weighted linear regressor of ±1. The played class "
              "moves towards +1 if it was right and towards −1 if it was wrong, unless it is "
              "already beyond; the more often a feature has been seen with that class, the less "
              "it moves.",
          .use = "The best single learner of our comparison where no guarantee against an "
                 "adversary is needed. With up to about a thousand features, correlated ones in "
                 "particular, take the full covariance. Without gamma every round is played with "
                 "probability 1, so that its log is of no use to evaluate another policy.",
          .deviations =
              "There is no paper to deviate from: the step is AROW's, on the played class with "
              "the bit as its sign.",
          .reference =
              "K. Crammer, A. Kulesza, M. Dredze, \"Adaptive Regularization of Weight Vectors\", "
              "NIPS 2009, for the step",
      },
      kFields, make_bandit_arow);
}

std::unique_ptr<Learner> make_bandit_arow(Shape shape, const BanditArowOptions& options) {
  if (options.covariance == "full") {
    return std::make_unique<BanditArow<FullClasses>>(FullClasses(shape, 1, options.memory * 0x1p20),
                                                     options);
  }
  if (options.covariance == "adaptive") {
    return std::make_unique<BanditArow<AdaptiveClasses>>(
        AdaptiveClasses(shape, 1, static_cast<Index>(options.full_features),
                        options.memory * 0x1p20),
        options);
  }
  return std::make_unique<BanditArow<DiagonalClasses>>(DiagonalClasses(shape, 1), options);
}

}  // namespace soba
