#include "learners/soba.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/adaptive.h"
#include "covariance/block.h"
#include "covariance/diagonal.h"
#include "covariance/exact.h"
#include "covariance/sketch.h"
#include "learners/entry.h"
#include "soba/error.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 6> kCovariances = {"exact",    "block",    "sketch",
                                                          "diagonal", "adaptive", "auto"};

constexpr std::array<std::string_view, 3> kExplorations = {"uniform", "gap", "gap-bounded"};

constexpr std::array<std::string_view, 3> kGammaRules = {"adaptive", "theory", "theory-hinge"};
constexpr std::array<std::string_view, 2> kRegulariserRules = {"theory", "theory-hinge"};

constexpr std::array<Field<SobaOptions>, 13> kFields = {{
    {.name = "covariance",
     .member = &SobaOptions::covariance,
     .help = "the form of A: exact (the paper's algorithm), block (a d x d matrix for each "
             "class), sketch (a few leading directions), only its diagonal (what the paper ran), "
             "adaptive (exact until exact-cells or memory is reached, then its diagonal), or auto: "
             "chosen from the numbers of classes and features, and adaptive where the features are "
             "not known beforehand",
     .choices = kCovariances},
    {.name = "exact-cells",
     .member = &SobaOptions::exact_cells,
     .help = "classes times features up to which the forms adaptive and auto are exact",
     .min = 0},
    {.name = "sketch-size",
     .member = &SobaOptions::sketch_size,
     .help = "directions that the sketch keeps",
     .min = 1,
     .max = 4096},
    {.name = "a",
     .member = &SobaOptions::a,
     .help = "regulariser: A starts at a times the identity. theory: X², the squared norm of x; "
             "theory-hinge: T·X² over T rounds, for a bound against the hinge loss",
     .min = 0,
     .open_min = true,
     .choices = kRegulariserRules},
    {.name = "X",
     .member = &SobaOptions::x,
     .help = "bound on the norm of x that the rules of a go by",
     .min = 0,
     .open_min = true},
    {.name = "step",
     .member = &SobaOptions::step,
     .help = "factor on the weights, eta of the paper's proof for the hinge loss: it changes the "
             "scores and no decision",
     .min = 0,
     .open_min = true},
    {.name = "explore",
     .member = &SobaOptions::explore,
     .help = "where to explore: uniform (the paper's), in every round at the rate gamma; gap, "
             "where the lead is small or the label has been wrong, at a rate of its own; or "
             "gap-bounded, the same with a least rate, which keeps a mistake bound",
     .choices = kExplorations},
    {.name = "gamma",
     .member = &SobaOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1,
     .choices = kGammaRules,
     .live = true},
    {.name = "gamma-scale",
     .member = &SobaOptions::gamma_scale,
     .help = "factor in front of the adaptive rate; 1 is the paper's, which explores far more",
     .min = 0,
     .open_min = true,
     .live = true},
    {.name = "gap-floor",
     .member = &SobaOptions::gap_floor,
     .help = "factor in front of the least rate of explore gap-bounded; 1 has the best bound, and "
             "explores far more",
     .min = 0,
     .max = 1,
     .open_min = true,
     .live = true},
    {.name = "horizon",
     .member = &SobaOptions::horizon,
     .help = "rounds that gamma 'theory' is tuned for; 0 = the length of the data",
     .min = 0},
    {.name = "hinge-loss",
     .member = &SobaOptions::hinge_loss,
     .help = "a guess of the hinge loss of a good competitor over all rounds, which gamma "
             "'theory-hinge' is tuned for",
     .min = 0},
    {.name = "memory",
     .member = &SobaOptions::memory,
     .help = "MiB that the covariance may take at most",
     .min = 1,
     .live = true},
}};

// How far a bound must clear the budget before it stands for the exact comparison: far above the
// rounding of either side.
constexpr double kCertain = 1 + 1e-9;

constexpr double kUnknown = -1;  // Σ q'/p of a model of format version 1

constexpr std::int64_t kRecentPlays = 100;  // of a label, that its doubt is a mean of

[[noreturn]] void need_horizon(const std::string& option) {
  throw Error(ErrorKind::kUsage,
              option +
                  " 'theory' needs the number of rounds and of features before the first "
                  "round: give option 'horizon', and data that can be scanned first");
}

void check_exploration(const SobaOptions& options) {
  if (options.explore != "uniform" && options.gamma != SobaOptions().gamma) {
    throw Error(ErrorKind::kUsage,
                fmt::format("explore {} sets a rate of its own: leave out option 'gamma'",
                            options.explore));
  }
}

template <Covariance C>
class Soba final : public Learner {
 public:
  Soba(C covariance, Shape shape, const SobaOptions& options)
      : covariance_(std::move(covariance)),
        bounded_(options.explore == "gap-bounded"),
        step_(options.step) {
    if (options.explore != "uniform") {
      doubt_.assign(static_cast<std::size_t>(shape.classes), 1.0);
      plays_.assign(doubt_.size(), 1);
    }
    explore(options, rate(shape, options));
  }

  Shape shape() const override { return covariance_.shape(); }

  void scores(const Features& x, std::span<double> out) const override {
    covariance_.scores(x, out);
  }

  Exploration exploration(const Moment& moment) const override {
    if (doubt_.empty() && given_.rule != Rate::Rule::kAdaptive) return UniformMix{gamma_};
    return UniformMix{varying_rate(moment)};
  }

  Index reserve(const Features& x) override { return covariance_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    if (round.choices() == 1) {  // no label to be better than
      return {.updated = false, .margin_sum = margin_sum_, .skipped = false};
    }
    if (!doubt_.empty() && round.played == round.greedy) note_play(round.greedy, correct);
    // Line 9: a wrong guess teaches nothing.
    const Outcome outcome = correct ? update(round) : Outcome::kNone;
    return {.updated = outcome == Outcome::kUpdated,
            .margin_sum = margin_sum_,
            .skipped = outcome == Outcome::kSkipped};
  }

  Learned teach(const Round& round) noexcept override {
    if (!doubt_.empty() && round.played != round.greedy) note_play(round.greedy, false);
    return learn(round, true);
  }

  void reconfigure(const OptionValues& values) override {
    const SobaOptions options = parse_options<SobaOptions>(kFields, values);
    check_exploration(options);
    // The theorem's rate is that of the shape at the start: no other option changes it.
    const bool kept = options.gamma.rule == Rate::Rule::kTheory && options.gamma == given_;
    const double gamma = kept ? gamma_ : rate(shape(), options);
    covariance_.limit_memory(options.memory * 0x1p20);
    explore(options, gamma);
  }

  std::string remarks() const override {
    if constexpr (requires { covariance_.exact(); }) {
      return covariance_.exact() ? "exact" : "diagonal";
    }
    return "";
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<Soba>(*this);
    larger->covariance_.add_classes(classes);
    if (doubt_.empty()) return larger;
    larger->doubt_.resize(static_cast<std::size_t>(classes), 1.0);
    larger->plays_.resize(larger->doubt_.size(), 1);
    return larger;
  }

  void visit(StateVisitor& visitor) override {
    visitor.field("soba.gamma", gamma_);
    visitor.field("soba.margin_sum", margin_sum_);
    visitor.field("soba.quad_sum", quad_sum_);
    if (visitor.version() >= 2) {
      visitor.field("soba.variance_sum", variance_sum_);
    } else if (visitor.loading()) {
      variance_sum_ = quad_sum_ > 0 ? kUnknown : 0;
    }
    visitor.require(variance_sum_ == kUnknown || variance_sum_ >= quad_sum_,
                    "the sum of q'/p is not below that of q'");
    visitor.require(gamma_ >= 0 && gamma_ <= 1 && margin_sum_ >= 0 && quad_sum_ >= 0,
                    "gamma is a probability, and the sums are not negative");
    if (!doubt_.empty()) visit_doubt(visitor);
    if (bounded_) {
      visitor.field("soba.explored_quad_sum", explored_quad_sum_);
      visitor.require(explored_quad_sum_ >= 0 && explored_quad_sum_ <= quad_sum_,
                      "the sum over exploratory hits is a part of that over all updates");
    }
    covariance_.visit(visitor);
  }

 private:
  enum class Outcome { kNone, kUpdated, kSkipped };

  static double rate(Shape shape, const SobaOptions& options) {
    if (options.gamma.rule != Rate::Rule::kTheory) return options.gamma.value;
    if (options.gamma.value != kHingeTuning) return theorem_rate(shape, options.horizon);
    return fall_back_rate(shape, options.horizon, options.a.value, options.hinge_loss);
  }

  void explore(const SobaOptions& options, double gamma) {
    given_ = options.gamma;
    scale_ = options.gamma_scale;
    floor_ = options.gap_floor;
    gamma_ = gamma;
  }

  // γ_t of Appendix A, not yet cut off at 1.
  double appendix_rate(const Moment& moment) const {
    const auto k = static_cast<double>(moment.choices());
    return std::sqrt(k * (1 + quad_sum_) / static_cast<double>(moment.round));
  }

  // Not inlined, so that a constant rate is told at once.
  [[gnu::noinline]] double varying_rate(const Moment& moment) const {
    if (bounded_) return std::max(gap_rate(moment), floor_rate(moment));
    if (!doubt_.empty()) return gap_rate(moment);
    return std::min(1.0, scale_ * appendix_rate(moment));
  }

  // The least rate of explore=gap-bounded.
  double floor_rate(const Moment& moment) const {
    const auto k = static_cast<double>(moment.choices());
    const double rate = std::sqrt(k * (1 + explored_quad_sum_) / static_cast<double>(moment.round));
    return std::min(1.0, floor_ * rate);
  }

  // e_t of explore=gap in the header.
  double gap_rate(const Moment& moment) const {
    const auto greedy = static_cast<std::size_t>(moment.greedy);
    const Label second = argmax_except(moment.scores, moment.greedy);
    const double lead =
        (moment.scores[greedy] - moment.scores[static_cast<std::size_t>(second)]) / step_;
    const double doubt = doubt_[greedy];
    if (!std::isfinite(lead)) return 1;
    return std::min(1.0, appendix_rate(moment)) * doubt * std::max(1 - lead, doubt);
  }

  // A mean of all greedy plays at first, then of the last hundred or so.
  [[gnu::noinline]] void note_play(Label greedy, bool correct) {
    const auto i = static_cast<std::size_t>(greedy);
    plays_[i] = std::min(kRecentPlays, plays_[i] + 1);
    doubt_[i] += ((correct ? 0 : 1) - doubt_[i]) / static_cast<double>(plays_[i]);
  }

  void visit_doubt(StateVisitor& visitor) {
    const std::size_t k = doubt_.size();
    visitor.field("soba.doubt", doubt_);
    visitor.field("soba.plays", plays_);
    visitor.require(doubt_.size() == k && plays_.size() == k, "there is a doubt for each class");
    for (std::size_t i = 0; i < k; ++i) {
      visitor.require(
          doubt_[i] >= 0 && doubt_[i] <= 1 && plays_[i] >= 1 && plays_[i] <= kRecentPlays,
          "every doubt is a share of plays");
    }
  }

  // Lines 10–20; an update where n_t = 1, left out where its numbers are too large.
  Outcome update(const Round& round) {
    const Label y = round.played;
    const Label rival =
        y == round.greedy ? argmax_except(round.scores, y) : round.greedy;  // line 10
    const double delta = round.scores[y] - round.scores[rival];
    const double p = round.probability;
    const PairVector v{rival, y, round.x};  // lines 11–12

    const double numerator = delta * (delta - 2 * step_) / p;
    if (!std::isfinite(numerator)) return Outcome::kSkipped;  // scores that overflow say nothing
    double q = 0;
    if (margin_sum_ + numerator >= 0) {
      // m lies between the numerator and 0, or above 0: an update, whatever q is.
      covariance_.grow(round.x.extent());
      q = covariance_.quad_step(v, 1 / p, -step_ / p, -delta) / p;  // lines 18–20
      if (!std::isfinite(q)) return Outcome::kSkipped;
    } else {
      const double q_bound = covariance_.quad_bound(v) / p;
      if (-numerator > margin_sum_ * (1 + q_bound) * kCertain) return Outcome::kNone;
      covariance_.grow(round.x.extent());
      q = covariance_.quad(v) / p;
      if (!std::isfinite(q)) return Outcome::kSkipped;
      if (margin_sum_ + numerator / (1 + q) < 0) return Outcome::kNone;  // line 14
      // Lines 18–20.
      if (!covariance_.step(v, 1 / p, -step_ / p, -delta)) return Outcome::kSkipped;
    }
    margin_sum_ = std::max(0.0, margin_sum_ + numerator / (1 + q));  // line 13
    quad_sum_ += q / (1 + q);
    if (variance_sum_ != kUnknown) variance_sum_ += q / (1 + q) / p;
    if (bounded_ && y != round.greedy) explored_quad_sum_ += q / (1 + q);
    return Outcome::kUpdated;
  }

  C covariance_;
  bool bounded_;  // explore=gap-bounded
  double step_;   // η of the header
  Rate given_;    // gamma, as the options have it
  double scale_;
  double floor_;
  double gamma_;
  double margin_sum_ = 0;  // S
  double quad_sum_ = 0;    // Q = Σ n_s·z_sᵀA_s⁻¹z_s
  double variance_sum_ = 0;  // Σ n_s·z_sᵀA_s⁻¹z_s/p_s, for the bounds of soba/lab/theory.h alone
  double explored_quad_sum_ = 0;  // Qx, where explore=gap-bounded
  // With explore=gap or gap-bounded: the share of wrong answers to each greedy label, and how many
  // it is a mean of.
  std::vector<double> doubt_;
  std::vector<std::int64_t> plays_;
};

}  // namespace

namespace {

// The largest d for a block: beyond, an update costs more than a thousand times the scores.
constexpr Index kBlockFeatures = 512;

// What `auto` stands for. Never the sketch: with too many features for blocks it costs a hundred
// times the diagonal, and has not been better (docs/results.md).
Settled settle_covariance(Shape shape, const OptionValues& values) {
  const double cells = static_cast<double>(shape.classes) * shape.features;
  const SobaOptions options = parse_options<SobaOptions>(kFields, values);
  if (options.covariance != "auto") return {values, ""};
  const double memory = options.memory * 0x1p20;
  std::string covariance = "diagonal";
  std::string reason = fmt::format("{} features are more than {}, or need more than {} MiB",
                                   shape.features, kBlockFeatures, values.at("memory"));
  if (shape.features == 0) {
    covariance = "adaptive";
    reason = "the number of features is not known beforehand";
  } else if (cells <= static_cast<double>(options.exact_cells) &&
             PrimalForm::bytes(shape) <= memory) {
    covariance = "exact";
    reason = fmt::format("{} classes x {} features are at most {}", shape.classes, shape.features,
                         options.exact_cells);
  } else if (shape.features <= kBlockFeatures && FullClasses::bytes(shape) <= memory) {
    covariance = "block";
    reason = fmt::format("{} features are at most {}", shape.features, kBlockFeatures);
  }
  OptionValues settled = values;
  settled["covariance"] = covariance;
  return {settled, fmt::format("covariance auto is {}: {}", covariance, reason)};
}

// The number that a rule of `a` stands for, and what a tuning assumed.
Settled settle_rules(const OptionValues& values) {
  const SobaOptions options = parse_options<SobaOptions>(kFields, values);
  Settled out{values, ""};
  if (options.a.rule != Rate::Rule::kFixed) {
    const bool long_run = options.a.value == kHingeTuning;
    if (long_run && options.horizon < 1) need_horizon("a");
    const double rounds = long_run ? static_cast<double>(options.horizon) : 1;
    out.options["a"] = to_text(options.x * options.x * rounds);
    out.reason = fmt::format("a {} is {}, for norms of x up to {:g} (option X)", values.at("a"),
                             out.options["a"], options.x);
  }
  if (options.gamma == Rate{Rate::Rule::kTheory, kHingeTuning}) {
    out.reason += fmt::format(
        "{}gamma theory-hinge assumes a hinge loss of {:g} (option "
        "hinge-loss) and squared norms of x up to a",
        out.reason.empty() ? "" : "; ", options.hinge_loss);
  }
  return out;
}

Settled settle_all(Shape shape, const OptionValues& values) {
  Settled covariance = settle_covariance(shape, values);
  Settled rules = settle_rules(covariance.options);
  if (covariance.reason.empty()) return rules;
  if (!rules.reason.empty()) covariance.reason += "; " + rules.reason;
  return {rules.options, covariance.reason};
}

}  // namespace

LearnerInfo soba_info() {
  LearnerInfo info = with_options<SobaOptions>(
      {
          .name = "soba",
          .summary = "Second Order Banditron, the paper's Algorithm 1",
          .feedback = "bandit",
          .explores = "uniformly, at the rate gamma; or by itself with explore gap or gap-bounded",
          .guarantee = "adversarial: Õ(√T) mistakes beyond the loss of any competitor, in the "
                       "exact form with explore uniform or gap-bounded; nothing is proved of the "
                       "other forms, or of explore gap",
          .cost = "O(k·nnz), and exact: O(U·nnz + U²) after U updates or (kd)², whichever is "
                  "less, in the few rounds that no certificate skips; block: d² for an update; "
                  "diagonal: O(nnz)",
          .input = "any scale of x as a whole: the guarantee wants a = the largest ‖x‖², the "
                   "results hardly depend on it",
          .about = "Online ridge regression of every pairwise margin onto 1, weighted by 1/p and "
                   "gated by a budget S ≥ 0. A wrong guess teaches it nothing. The theorem, for "
                   "the exact form: E[mistakes] ≤ L_η(U) + a·η/(2−η)·‖U‖² + k/(γη(2−η))·Σ E[n_t "
                   "z_tᵀA_t⁻¹z_t] + γT, for every competitor U and every η up to min(1, "
                   "2/(2·max‖u_i‖·X + 1)). gamma adaptive is Appendix A: γ_t = min(1, "
                   "scale·√(k(1 + Σ n_s z_sᵀA_s⁻¹z_s)/t)); scale 1 explores far too much on 10⁶ "
                   "rounds, and small scales starve short runs. gamma theory is √(k²·d·ln T/T), "
                   "gamma theory-hinge the tuning of the fall-back theorem: docs/theory.md. "
                   "explore gap (ours) explores at the rate e_t = min(1, γ_t)·r·max(1 − Δ, r), "
                   "where γ_t is that of Appendix A with scale 1, r the share of wrong answers "
                   "to about the last hundred plays of the greedy label, and Δ its lead: no "
                   "knob, and in each form less error than its best constant gamma on the four "
                   "data sets of docs/results.md. Where a label has long been right its "
                   "exploration fades to nothing. explore gap-bounded (ours) never explores at "
                   "less than min(1, c·√(k(1 + Q_x)/t)), where c is gap-floor and Q_x = Σ "
                   "z_sᵀA_s⁻¹z_s over the exploratory hits alone, those where the greedy label "
                   "was not the right one; with Q, the same sum over all updates, E[mistakes] ≤ "
                   "L_η(U) + a·η/(2−η)·‖U‖² + ((2/c)·√(kT·E[Q_x]) + k·E[Q])/(η(2−η)) + "
                   "2·√(kT(1 + E[Q])), for the same U and η, and E[Q_x] ≤ E[Q] ≤ kd·ln(1 + "
                   "2X²T/(akd)). src/learners/soba.h has the proof.",
          .use = "When labels may be chosen by an adversary and a guarantee matters. With "
                 "correlated features take the exact covariance; with many nearly independent "
                 "ones the diagonal is faster and can be better. It depends on exploration: with "
                 "gamma too small it stays stuck at the start.",
          .deviations =
              "In the exact form with explore uniform every quantity is the paper's; "
              "they are computed in other ways (the certified skip, W by recursive "
              "least squares). The block and sketch forms, explore gap and gap-bounded, and "
              "the factor in front of the adaptive rate are ours.",
          .reference = "A. Beygelzimer, F. Orabona, C. Zhang, \"Efficient Online Bandit "
                       "Multiclass Learning with Õ(√T) Regret\", ICML 2017, Algorithm 1 and "
                       "Appendix A",
      },
      kFields, make_soba);
  info.settle = settle_all;
  return info;
}

double theorem_rate(Shape shape, std::int64_t horizon) {
  if (horizon < 2 || shape.features < 1) need_horizon("gamma");
  const double k = shape.classes, d = shape.features, t = static_cast<double>(horizon);
  return std::min(1.0, std::sqrt(k * k * d * std::log(t) / t));
}

double fall_back_rate(Shape shape, std::int64_t horizon, double a, double hinge_loss) {
  if (horizon < 2 || shape.features < 1) need_horizon("gamma");
  const double k = shape.classes, t = static_cast<double>(horizon);
  const double heavy = shape.features * k * k * a * std::log(t);  // H
  return std::min(1.0, std::max(std::sqrt(heavy / t), std::cbrt(heavy * hinge_loss / (t * t))));
}

std::unique_ptr<Learner> make_soba(Shape shape, const SobaOptions& options) {
  if (options.covariance == "auto") {
    throw Error(ErrorKind::kUsage, "covariance 'auto' must be settled before a learner is made");
  }
  if (options.a.rule != Rate::Rule::kFixed) {
    throw Error(ErrorKind::kUsage, "a rule of option 'a' must be settled before a learner is made");
  }
  check_exploration(options);
  const double memory = options.memory * 0x1p20;
  const auto make = [&]<Covariance C>(C covariance) -> std::unique_ptr<Learner> {
    return std::make_unique<Soba<C>>(std::move(covariance), shape, options);
  };
  const std::string& form = options.covariance;
  if (form == "diagonal") return make(DiagonalCovariance(shape, options.a.value));
  if (form == "block") return make(BlockCovariance(shape, options.a.value, memory));
  if (form == "sketch") {
    return make(SketchCovariance(shape, options.a.value,
                                 static_cast<std::size_t>(options.sketch_size), memory));
  }
  if (form == "adaptive") {
    return make(AdaptiveCovariance(shape, options.a.value, static_cast<double>(options.exact_cells),
                                   memory));
  }
  return make(ExactCovariance(shape, options.a.value, memory));
}

}  // namespace soba
