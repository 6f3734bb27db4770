#include "learners/arow.h"

#include <array>
#include <cmath>

#include "covariance/class_diagonal.h"
#include "covariance/class_full.h"
#include "learners/entry.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 2> kCovariances = {"diagonal", "full"};

constexpr std::array<Field<ArowOptions>, 3> kFields = {{
    {.name = "covariance",
     .member = &ArowOptions::covariance,
     .help = "the matrix kept for each class: its diagonal, or full (d x d)",
     .choices = kCovariances},
    {.name = "r",
     .member = &ArowOptions::r,
     .help = "regulariser: how little one example may move the weights",
     .min = 0,
     .open_min = true},
    {.name = "memory",
     .member = &ArowOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
}};

template <ClassCovariance C>
class Arow final : public FullInformationLearner {
 public:
  Arow(C classes, const ArowOptions& options)
      : classes_(std::move(classes)), weight_(1 / options.r) {}

  Shape shape() const override { return classes_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { classes_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return Greedy{}; }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Features& x, std::span<const double> scores, Label truth) noexcept override {
    const Label rival = argmax_except(scores, truth);
    const double loss =
        1 - (scores[static_cast<std::size_t>(truth)] - scores[static_cast<std::size_t>(rival)]);
    if (!(loss > 0) || x.size() == 0) return {};
    classes_.grow(x.extent());
    const double variance = classes_.variance(truth, x) + classes_.variance(rival, x);
    const double along = weight_ * loss / (1 + weight_ * variance);
    if (!std::isfinite(variance) || !std::isfinite(along)) {
      return {.updated = false, .margin_sum = std::nullopt, .skipped = true};
    }
    classes_.solve(truth, x);
    const bool up = classes_.step(truth, x, weight_, along);
    classes_.solve(rival, x);
    const bool down = classes_.step(rival, x, weight_, -along);
    return {.updated = up || down, .margin_sum = std::nullopt, .skipped = !up || !down};
  }

  void reconfigure(const OptionValues& values) override {
    const ArowOptions options = parse_options<ArowOptions>(kFields, values);
    classes_.limit_memory(options.memory * 0x1p20);
  }

  std::unique_ptr<FullInformationLearner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Arow>(*this);
    larger->classes_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override { classes_.visit(visitor); }

 private:
  C classes_;
  double weight_;  // 1/r
};

}  // namespace

LearnerInfo arow_info() {
  return with_options<ArowOptions>(
      {
          .name = "arow",
          .summary = "multiclass AROW, told every label",
          .feedback = "full information",
          .explores = "no: it is told every label",
          .guarantee =
              "adversarial for the binary learner, see the paper; nothing is proved of the "
              "diagonal, or of a block for each class",
          .cost = "diagonal: O(k·nnz), 2kd doubles and kd floats; full: O(d²) for an update, "
                  "k·d² numbers",
          .input = "‖x‖ of about 1 or more: r is relative to ‖x‖², and small x teach it slowly",
          .about = "Where the score of the label does not lead that of its best rival by 1, the "
                   "two move apart; the more often a feature has been seen with a class, the "
                   "less it moves.",
          .use = "As a yardstick: what bandit-arow could do if it were told every label. It is "
                 "no competitor: it sees what the others must guess.",
          .deviations =
              "The binary step on the difference of two classes, with a matrix for each class "
              "and none between classes.",
          .reference =
              "K. Crammer, A. Kulesza, M. Dredze, \"Adaptive Regularization of Weight Vectors\", "
              "NIPS 2009",
      },
      kFields, make_arow);
}

std::unique_ptr<FullInformationLearner> make_arow(Shape shape, const ArowOptions& options) {
  if (options.covariance == "full") {
    return std::make_unique<Arow<FullClasses>>(FullClasses(shape, 1, options.memory * 0x1p20),
                                               options);
  }
  return std::make_unique<Arow<DiagonalClasses>>(DiagonalClasses(shape, 1), options);
}

}  // namespace soba
