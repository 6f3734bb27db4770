#include "learners/squarecb.h"

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

constexpr std::array<Field<SquareCbOptions>, 6> kFields = {{
    {.name = "covariance",
     .member = &SquareCbOptions::covariance,
     .help =
         "the matrix kept for each class: its diagonal, full (d x d), or adaptive: full until it "
         "outgrows full-features or memory, then its diagonal",
     .choices = kCovariances},
    {.name = "a",
     .member = &SquareCbOptions::a,
     .help = "ridge: how little one example may move the weights",
     .min = 0,
     .open_min = true},
    {.name = "gamma-scale",
     .member = &SquareCbOptions::gamma_scale,
     .help = "exploits more, the larger: round t weighs the gaps by gamma-scale * t^gamma-exponent",
     .min = 0,
     .open_min = true,
     .live = true},
    {.name = "gamma-exponent",
     .member = &SquareCbOptions::gamma_exponent,
     .help = "how fast exploration fades",
     .min = 0,
     .max = 1},
    {.name = "memory",
     .member = &SquareCbOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
    {.name = "full-features",
     .member = &SquareCbOptions::full_features,
     .help = "features that covariance adaptive has full matrices for at most",
     .min = 0,
     .max = kMaxFeatures},
}};

template <ClassCovariance C>
class SquareCb final : public Learner {
 public:
  SquareCb(C classes, const SquareCbOptions& options)
      : classes_(std::move(classes)),
        scale_(options.gamma_scale),
        exponent_(options.gamma_exponent) {}

  Shape shape() const override { return classes_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { classes_.scores(x, out); }

  Exploration exploration(const Moment& moment) const override {
    const auto t = static_cast<double>(moment.round);
    return InverseGap{scale_ * (exponent_ == 0.5 ? std::sqrt(t) : std::pow(t, exponent_))};
  }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    if (round.x.size() == 0) return {};
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    const bool done = regress(classes_, round.played, round.x, s, correct ? 1 : 0, 1);
    return {.updated = done, .margin_sum = std::nullopt, .skipped = !done};
  }

  void reconfigure(const OptionValues& values) override {
    const SquareCbOptions options = parse_options<SquareCbOptions>(kFields, values);
    classes_.limit_memory(options.memory * 0x1p20);
    scale_ = options.gamma_scale;
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
    auto larger = std::make_unique<SquareCb>(*this);
    larger->classes_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { classes_.visit(visitor); }

 private:
  C classes_;
  double scale_, exponent_;
};

}  // namespace

LearnerInfo squarecb_info() {
  return with_options<SquareCbOptions>(
      {
          .name = "squarecb",
          .summary = "ridge regression of the reward; plays bad labels rarely",
          .feedback = "bandit",
          .explores = "by the gap to the best prediction: a label is played with probability "
                      "1/(k + gamma-scale·√t·gap)",
          .guarantee = "if the chance of each label is linear in x and predictions stay bounded: "
                       "O(√(kT·Reg)), Reg = O(k·d·log T) being the regret of ridge regression "
                       "with full matrices, for a gamma of the order √(kT/Reg); not proved for "
                       "the default gamma-scale, the diagonal, or an adversary",
          .cost = "diagonal: O(k·nnz), 2kd doubles and kd floats; full: O(d²) for an update, "
                  "k·d² numbers",
          .input = "‖x‖ of about 1 or more: a is relative to ‖x‖², and small x teach it slowly",
          .about = "For each class a ridge regression of the reward: 1 where playing it was "
                   "right, 0 where it was wrong. The exploration follows from the predictions: "
                   "labels near the best are played often, labels far behind rarely, and the "
                   "more rarely the later.",
          .use =
              "Where wrong guesses shall teach too and every label shall keep a known, positive "
              "probability, as evaluating another policy from the log requires. With up to about "
              "a thousand features, correlated ones in particular, take the full covariance. "
              "Lower gamma-scale where the run is short or a class is never found.",
          .deviations =
              "The paper leaves the regression open and tunes γ to the horizon; here it is "
              "online ridge regression and γ = gamma-scale·t^gamma-exponent, as no horizon is "
              "known.",
          .reference = "D. J. Foster, A. Rakhlin, \"Beyond UCB: Optimal and Efficient Contextual "
                       "Bandits with Regression Oracles\", ICML 2020",
      },
      kFields, make_squarecb);
}

std::unique_ptr<Learner> make_squarecb(Shape shape, const SquareCbOptions& options) {
  if (options.covariance == "full") {
    return std::make_unique<SquareCb<FullClasses>>(
        FullClasses(shape, options.a, options.memory * 0x1p20), options);
  }
  if (options.covariance == "adaptive") {
    return std::make_unique<SquareCb<AdaptiveClasses>>(
        AdaptiveClasses(shape, options.a, static_cast<Index>(options.full_features),
                        options.memory * 0x1p20),
        options);
  }
  return std::make_unique<SquareCb<DiagonalClasses>>(DiagonalClasses(shape, options.a), options);
}

}  // namespace soba
