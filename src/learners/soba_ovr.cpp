#include "learners/soba_ovr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "covariance/ridge_classes.h"
#include "learners/entry.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 3> kCovariances = {"adaptive", "full", "diagonal"};
constexpr std::array<std::string_view, 2> kGates = {"off", "on"};
constexpr std::array<std::string_view, 2> kExplorations = {"confident", "constant"};
constexpr std::array<double, 3> kRidges = {0.0005, 0.02, 0.5};
constexpr double kGatedRidge = 1;
constexpr double kFullScale = 1, kDiagonalScale = 0.3;  // c

constexpr FieldRange kRidgeRange = {.min = 0, .open_min = true};

constexpr std::array<Field<SobaOvrOptions>, 10> kFields = {{
    {.name = "covariance",
     .member = &SobaOvrOptions::covariance,
     .help = "the matrix kept for each class: full (d x d), its diagonal, or adaptive: full until "
             "it outgrows cost or memory, then its diagonal",
     .choices = kCovariances},
    {.name = "ridges",
     .member = &SobaOvrOptions::ridges,
     .help = "regularisers of the full form, whose scores are mixed by how well they predict. "
             "Default: 0.0005,0.02,0.5, or 1 with the gate on",
     .check_list =
         [](std::string_view option, const std::vector<std::string>& words) {
           for (const std::string& word : words) {
             if (!read_number(word, kRidgeRange)) reject_value(option, word, "a number > 0");
           }
           if (words.size() > 8) reject_value(option, list_text(words), "at most 8 numbers");
         },
     .form = "numbers > 0, separated by commas",
     .placeholder = "A,B,C"},
    {.name = "gate",
     .member = &SobaOvrOptions::gate,
     .help = "on: learn from a right answer that was claimed only within the budget of the "
             "theorem, with one ridge",
     .choices = kGates},
    {.name = "slack",
     .member = &SobaOvrOptions::slack,
     .help = "how far the gate may overdraw the budget; the guarantee grows with it",
     .min = 0},
    {.name = "explore",
     .member = &SobaOvrOptions::explore,
     .help = "how much to explore where no class claims x: confident, less the more of it was "
             "learnt; or constant",
     .choices = kExplorations},
    {.name = "explore-scale",
     .member = &SobaOvrOptions::explore_scale,
     .help = "factor in front of the rate; 0 = 1 with full matrices, 0.3 with diagonals",
     .min = 0,
     .max = 1,
     .live = true},
    {.name = "constant",
     .member = &SobaOvrOptions::constant,
     .help = "give the full form a constant feature of its own"},
    {.name = "scale-free",
     .member = &SobaOvrOptions::scale_free,
     .help = "regularise each feature by its scale in the full form, so that no scaling of "
             "features changes what is learnt"},
    {.name = "cost",
     .member = &SobaOvrOptions::cost,
     .help = "thousands of matrix cells that covariance adaptive may touch in a round on average, "
             "beside a billion at the start",
     .min = 0},
    {.name = "memory",
     .member = &SobaOvrOptions::memory,
     .help = "MiB that full matrices may take at most",
     .min = 1,
     .live = true},
}};

std::vector<double> ridge_values(const SobaOvrOptions& options) {
  std::vector<double> values;
  for (const std::string& word : options.ridges) {
    values.push_back(read_number(word, kRidgeRange).value());
  }
  if (values.empty() && options.gate == "on") values = {kGatedRidge};
  if (values.empty()) values.assign(kRidges.begin(), kRidges.end());
  std::sort(values.begin(), values.end());
  if (options.gate == "on" && values.size() > 1) {
    throw Error(ErrorKind::kUsage, "option 'ridges': the gate works with one of them");
  }
  return values;
}

RidgeClasses::Settings settings(const SobaOvrOptions& options) {
  using Form = RidgeClasses::Form;
  return {.form = options.covariance == "full"       ? Form::kFull
                  : options.covariance == "diagonal" ? Form::kDiagonal
                                                     : Form::kAdaptive,
          .ridges = ridge_values(options),
          .constant = options.constant,
          .scale_free = options.scale_free,
          .cost = options.cost * 1e3,
          .memory = options.memory * 0x1p20};
}

class SobaOvr final : public Learner {
 public:
  SobaOvr(Shape shape, const SobaOvrOptions& options)
      : classes_(shape, settings(options)),
        gated_(options.gate == "on"),
        slack_(options.slack),
        confident_(options.explore == "confident"),
        scale_(options.explore_scale) {}

  Shape shape() const override { return classes_.shape(); }

  // The scores of each ridge.
  std::size_t workings() const override {
    return classes_.ridges() * static_cast<std::size_t>(shape().classes);
  }

  void scores(const Features& x, std::span<double> out) const override {
    const auto k = static_cast<std::size_t>(shape().classes);
    classes_.scores(x, out.first(k), out.subspan(k));
  }

  Exploration exploration(const Moment& moment) const override {
    if (moment.scores[static_cast<std::size_t>(moment.greedy)] > 0) return Greedy{};
    return Unclaimed{rate(static_cast<double>(moment.choices()))};
  }

  Index reserve(const Features& x) override { return classes_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    return learn(round, correct, correct && !classes_.full());
  }
  Learned teach(const Round& round) noexcept override { return learn(round, true, true); }
  bool teaches_others() const override { return true; }

  void reconfigure(const OptionValues& values) override {
    const SobaOvrOptions options = parse_options<SobaOvrOptions>(kFields, values);
    classes_.limit_memory(options.memory * 0x1p20);
    scale_ = options.explore_scale;
  }

  std::string remarks() const override { return classes_.remarks(); }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<SobaOvr>(*this);
    larger->classes_.add_classes(classes);
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    visitor.field("ovr.margin_sum", margin_sum_);
    visitor.field("ovr.quad_sum", quad_sum_);
    visitor.field("ovr.variance_sum", variance_sum_);
    visitor.field("ovr.unclaimed_quad_sum", unclaimed_quad_sum_);
    visitor.field("ovr.unclaimed", unclaimed_);
    for (const double number : {quad_sum_, variance_sum_, unclaimed_quad_sum_, unclaimed_}) {
      visitor.require(std::isfinite(number) && number >= 0, "sums and counts are not negative");
    }
    visitor.require(std::isfinite(margin_sum_), "the budget is finite");
    classes_.visit(visitor);
  }

 private:
  // `demote`: the other classes that claim x learn that they are wrong.
  Learned learn(const Round& round, bool correct, bool demote) {
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    const bool claimed = round.scores[static_cast<std::size_t>(round.greedy)] > 0;
    const double sigma = correct ? 1 : -1;
    classes_.judge(round.played, round.workings, sigma);
    classes_.meet(round.x);
    if (!claimed) unclaimed_ += 1;

    Learned learned;
    const bool takes = correct ? !claimed || s < 1 : s > 0;  // (a), (b), (c)
    if (takes) step(round, sigma, claimed, learned);
    if (demote) demote_others(round, learned);
    if (gated_) learned.margin_sum = margin_sum_;
    return learned;
  }

  // e of the next unclaimed round, with k labels to choose from.
  double rate(double k) const {
    const double scale = scale_ > 0 ? scale_ : classes_.full() ? kFullScale : kDiagonalScale;
    if (!confident_) return scale;
    return std::min(1.0, scale * std::sqrt(k * (1 + unclaimed_quad_sum_) / (unclaimed_ + 1)));
  }

  void step(const Round& round, double sigma, bool claimed, Learned& learned) {
    const bool hit = sigma > 0 && !claimed;
    const double p = round.probability;
    const double s = round.scores[static_cast<std::size_t>(round.played)];
    const double w = hit ? std::max(1.0, 1 / (p * claim_share(s))) : 1;
    double credit = 0;
    if (gated_) {
      const RidgeClasses::Look now = classes_.look(round.played, round.workings);
      const double left = 1 / (1 + w * now.variance);  // 1 − q'
      const double miss = (1 - sigma * now.score) * (1 - sigma * now.score);
      // (w·miss − 1/p)(1 − q') of a hit, so written that rounding makes nothing negative of a 0.
      credit = hit ? (std::max(p * miss, miss / claim_share(s)) - 1) / p * left : (miss - 1) * left;
      if (!(margin_sum_ + credit >= -slack_ * (1 + quad_sum_))) return;
    }
    const std::optional<double> share = classes_.step(round.played, round.workings, sigma, w);
    if (!share) {
      learned.skipped = true;
      return;
    }
    learned.updated = true;
    margin_sum_ += credit;
    quad_sum_ += *share;
    variance_sum_ += hit ? *share / p : *share;
    if (hit) unclaimed_quad_sum_ += *share;
  }

  void demote_others(const Round& round, Learned& learned) {
    for (Label i = 0; i < shape().classes; ++i) {
      if (i == round.played || !(round.scores[static_cast<std::size_t>(i)] > 0)) continue;
      const bool done = classes_.step(i, round.workings, -1, 1).has_value();
      learned.updated = learned.updated || done;
      learned.skipped = learned.skipped || !done;
    }
  }

  RidgeClasses classes_;
  bool gated_;
  double slack_;
  bool confident_;
  double scale_;
  double margin_sum_ = 0;    // S
  double quad_sum_ = 0;      // Q
  double variance_sum_ = 0;  // Σ q' over (a), (b) and Σ q'/p over (c): its mean is that of Q̄
  double unclaimed_quad_sum_ = 0;  // Q_B
  double unclaimed_ = 0;           // T_B
};

}  // namespace

LearnerInfo soba_ovr_info() {
  return with_options<SobaOvrOptions>(
      {
          .name = "soba-ovr",
          .summary = "one-vs-rest SOBA: explores only where no class claims x",
          .feedback = "bandit",
          .explores = "by itself, and only where no class claims x; a claimed label is played "
                      "with probability 1",
          .guarantee = "with the gate on, full matrices and scale-free off, adversarial: "
                       "logarithmic regret against the one-vs-rest family of losses, and finitely "
                       "many mistakes where a one-vs-rest classifier separates the data with a "
                       "margin; nothing is proved of the default, which is more accurate",
          .cost = "O(k·nnz) to score for each ridge; an update O(d² + d·nnz) with full matrices, "
                  "O(nnz) with diagonals; memory k·d² numbers for each ridge, or 3kd",
          .input = "any scale with full matrices; the diagonals keep the scale of the features, "
                   "as text wants, and scale values beyond ±16",
          .scale_free = ScaleFree::kEachFeature,
          .about =
              "For each class a ridge regression of ±1 on the answers: +1 where the class was "
              "right, −1 where it claimed an example and was wrong. A class claims x where its "
              "score is above 0, and the highest claim is played. Where nobody claims x, all "
              "labels are tried, those that disclaim it less, and the probability of the draw "
              "weighs what a hit teaches. So there is no exploration where the learner is sure, "
              "and no rate to tune. Three regularisers run side by side, and the one that predicts "
              "best counts most. Full matrices hand over to diagonals when they become too "
              "large, or cost too much for the rounds played.",
          .use = "The most accurate single learner of our comparisons. Claimed labels have "
                 "probability 1, so that its log cannot evaluate another policy: take auto for "
                 "that. Where three classes lie on a line, or the best label is right less than "
                 "half of the time, no class can claim x, and others may be better; auto finds "
                 "that out.",
          .deviations = "There is no paper to deviate from. Without the gate, with several "
                        "ridges or with diagonals the theorem does not hold.",
          .reference = "Ours; the decision rule is of A. Beygelzimer, D. Pál, B. Szörényi, D. "
                       "Thiruvenkatachari, C.-Y. Wei, C. Zhang, \"Bandit Multiclass Linear "
                       "Classification: Efficient Algorithms for the Separable Case\", ICML 2019",
      },
      kFields, make_soba_ovr);
}

std::unique_ptr<Learner> make_soba_ovr(Shape shape, const SobaOvrOptions& options) {
  return std::make_unique<SobaOvr>(shape, options);
}

}  // namespace soba
