#include "learners/expconcave.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "covariance/leader.h"
#include "learners/entry.h"

namespace soba {

namespace {

constexpr std::array<std::string_view, 2> kOracles = {"ons", "ftal"};
constexpr std::array<std::string_view, 2> kCovariances = {"diagonal", "full"};

constexpr std::array<Field<ExpConcaveOptions>, 9> kFields = {{
    {.name = "oracle",
     .member = &ExpConcaveOptions::oracle,
     .help = "the online Newton step, or follow-the-approximate-leader",
     .choices = kOracles},
    {.name = "covariance",
     .member = &ExpConcaveOptions::covariance,
     .help = "the form of A: its diagonal, or full (kd x kd)",
     .choices = kCovariances},
    {.name = "eta",
     .member = &ExpConcaveOptions::eta,
     .help = "curvature of the loss, whose minimum is at the margin 1/eta; 0 = the theory's "
             "1/max(2XD, 1)",
     .min = 0,
     .max = 1},
    {.name = "D",
     .member = &ExpConcaveOptions::D,
     .help = "bound on the norm of all weights",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    {.name = "X",
     .member = &ExpConcaveOptions::X,
     .help = "bound on the norm of x, for the theory's values of eta, beta and eps",
     .min = 0,
     .max = 1e6,
     .open_min = true},
    {.name = "beta",
     .member = &ExpConcaveOptions::beta,
     .help = "the oracle takes steps of 1/beta; 0 = the theory's min(1/(128XD), eta/32)/2",
     .min = 0,
     .max = 1e6},
    {.name = "eps",
     .member = &ExpConcaveOptions::eps,
     .help = "regulariser: A starts at eps times the identity; 0 = the theory's 1/(2 beta D)²",
     .min = 0},
    // Not live: the losses that were added up are weighted with it.
    {.name = "gamma",
     .member = &ExpConcaveOptions::gamma,
     .help = "exploration rate: the share of rounds that play a uniformly random label",
     .min = 0,
     .max = 1},
    {.name = "memory",
     .member = &ExpConcaveOptions::memory,
     .help = "MiB that the full matrix may take at most",
     .min = 1,
     .live = true},
}};

template <class Leader>
class ExpConcave final : public Learner {
 public:
  ExpConcave(Leader leader, const ExpConcaveOptions& options)
      : leader_(std::move(leader)),
        newton_step_(options.oracle == "ons"),
        eta_(options.eta),
        slope_(1 / options.beta),
        gamma_(options.gamma),
        factor_(static_cast<std::size_t>(leader_.shape().classes)) {}

  Shape shape() const override { return leader_.shape(); }

  void scores(const Features& x, std::span<double> out) const override { leader_.scores(x, out); }

  Exploration exploration(const Moment& /*moment*/) const override { return UniformMix{gamma_}; }

  Index reserve(const Features& x) override { return leader_.reserve(x); }

  Learned learn(const Round& round, bool correct) noexcept override {
    leader_.grow(round.x.extent());
    if (!correct || round.played == round.greedy || gamma_ == 0) return {};  // lines 8, 11
    const auto y = static_cast<std::size_t>(round.played);
    const auto rival = static_cast<std::size_t>(round.greedy);
    const double m = round.scores[y] - round.scores[rival];
    const double importance = gamma_ / (static_cast<double>(round.choices()) * round.probability);
    const double g = importance * (2 - 2 * eta_ * m) / (2 - eta_);
    // Beyond what sums of doubles hold.
    if (!(g * g * squared_norm(round.x) < 1e200) || round.x.size() == 0) return {};
    std::fill(factor_.begin(), factor_.end(), 0.0);
    factor_[rival] = g;
    factor_[y] = -g;
    if (!leader_.add(round.x, factor_, 1, slope_)) return {};  // line 9
    if (newton_step_) leader_.recenter();
    return {true, std::nullopt};
  }

  void reconfigure(const OptionValues& values) override {
    const ExpConcaveOptions options = parse_options<ExpConcaveOptions>(kFields, values);
    leader_.limit_memory(options.memory * 0x1p20);
  }

  std::unique_ptr<Learner> with_classes(Label classes) const override {
    auto larger = std::make_unique<ExpConcave>(*this);
    larger->leader_.add_classes(classes);
    larger->factor_.resize(static_cast<std::size_t>(classes));
    return larger;
  }

  void visit(StateVisitor& visitor) override { leader_.visit(visitor); }

 private:
  Leader leader_;
  bool newton_step_;
  double eta_;
  double slope_;  // 1/β
  double gamma_;
  std::vector<double> factor_;  // of x in the gradient, for each class
};

}  // namespace

LearnerInfo expconcave_info() {
  return with_options<ExpConcaveOptions>(
      {
          .name = "expconcave",
          .summary = "the paper's Algorithm 2, with any exp-concave optimizer inside",
          .feedback = "bandit",
          .explores = "uniformly, at the rate gamma",
          .guarantee =
              "adversarial: O(√(k²d·T·ln T/η)) beyond the η-loss of any competitor of norm at "
              "most D, for the full form with the theory's eta, beta and eps (option 0 each), a "
              "true bound X on ‖x‖ and γ = √(k²d·ln T/(ηT)).",
          .cost = "O(k·nnz); an update, in at most a share γ/k of the rounds, O(kd) and 3kd "
                  "numbers with the diagonal, O((kd)³) and 2(kd)² numbers with the full matrix",
          .input = "D is relative to 1/‖x‖: W·x must reach margins of 1; X ≥ ‖x‖ where the "
                   "theory's values are asked for",
          .about =
              "Where exploration has found the right label and the best score was another, a "
              "quadratic loss of their margin goes to an optimizer for exp-concave losses: the "
              "online Newton step, or follow-the-approximate-leader. Every other round is "
              "ignored, right guesses included.",
          .use = "For study: it shows what SOBA's updates on small margins are worth. SOBA needs "
                 "neither D nor X nor eta, and errs far less.",
          .deviations =
              "The constant factor k/γ of all losses is left out: beta and eps are stated for "
              "the loss itself. The defaults of eta, beta and eps are not the theory's, whose "
              "eps is so large that A hardly moves. The diagonal form is ours.",
          .reference = "A. Beygelzimer, F. Orabona, C. Zhang, \"Efficient Online Bandit "
                       "Multiclass Learning with Õ(√T) Regret\", ICML 2017, Algorithm 2",
      },
      kFields, make_expconcave);
}

ExpConcaveOptions with_theory(ExpConcaveOptions options) {
  const double D = options.D, X = options.X;
  if (options.eta == 0) options.eta = 1 / std::max(2 * X * D, 1.0);
  if (options.beta == 0) options.beta = std::min(1 / (8 * 16 * X * D), options.eta / 32) / 2;
  if (options.eps == 0) options.eps = 1 / (4 * options.beta * options.beta * D * D);
  return options;
}

std::unique_ptr<Learner> make_expconcave(Shape shape, const ExpConcaveOptions& given) {
  const ExpConcaveOptions options = with_theory(given);
  if (options.covariance == "full") {
    return std::make_unique<ExpConcave<FullLeader>>(
        FullLeader(shape, options.eps, options.D, options.memory * 0x1p20), options);
  }
  return std::make_unique<ExpConcave<DiagonalLeader>>(DiagonalLeader(shape, options.eps, options.D),
                                                      options);
}

}  // namespace soba
