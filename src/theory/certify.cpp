// The tightest bound of each theorem over competitors and η, and what it says of the runs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "soba/lab/theory.h"
#include "theory/losses.h"
#include "theory/rules.h"

namespace soba {

namespace {

using theory::Game;
using theory::Look;
using theory::Rule;
using theory::Terms;

constexpr std::array<double, 5> kPowers = {1, 1.25, 1.5, 1.75, 2};
constexpr double kMostRounds = 1e15;

// The loss of U that a rule asks for, from Σ ξ^q at q = 1 and 2 where `sums` is one of its curve.
double loss_of(const Competitor& u, Rule::Loss loss, double eta,
               const std::array<double, 2>* sums = nullptr) {
  const double hinge = sums != nullptr ? (*sums)[0] : u.powers.front();
  const double squares = sums != nullptr ? (*sums)[1] : u.powers.back();
  switch (loss) {
    case Rule::Loss::kHinge:
      return hinge;
    case Rule::Loss::kLogistic:
      return u.logistic;
    case Rule::Loss::kPower:
      if (sums == nullptr) return u.powers[static_cast<std::size_t>(std::lround(4 * (eta - 1)))];
      return std::pow(hinge, 2 - eta) * std::pow(squares, eta - 1);  // not below it (Hölder)
    case Rule::Loss::kEta:
      break;
  }
  const double share = theory::squared_share(eta);
  return (1 - share) * hinge + share * squares;
}

// The η to try for U; q of Theorem 1, α of Newtron's.
std::vector<double> etas_for(const Rule& rule, const Competitor& u, double largest_norm) {
  if (rule.loss == Rule::Loss::kPower) return {kPowers.begin(), kPowers.end()};
  if (rule.loss == Rule::Loss::kLogistic) return {u.alpha};
  if (rule.loss == Rule::Loss::kHinge) return {0};
  if (rule.fixed_eta > 0) return {rule.fixed_eta};
  std::vector<double> etas;
  double eta = u.one_vs_rest ? theory::one_vs_rest_eta_limit(u.longest, largest_norm)
                             : theory::eta_limit(u.longest, largest_norm);
  for (int i = 0; i < 60; ++i, eta *= 0.93) etas.push_back(eta);
  return etas;
}

Game game_of(const DataFacts& facts, double rounds) {
  return {static_cast<double>(facts.shape.classes), static_cast<double>(facts.shape.features),
          rounds, facts.largest_norm};
}

// What a run of `factor` times as many rounds on such data might show: losses grow with it,
// quadratic terms with its logarithm. A rate that falls as 1/√T leaves √ of the rest.
Observation later(const Observation& seen, double factor, bool falling_rate) {
  Observation out = seen;
  const double log = 1 + std::log(factor) / std::log(std::max(2.0, seen.rounds));
  const double root = falling_rate ? std::sqrt(factor) : 1;
  out.rounds *= factor;
  out.rates *= falling_rate ? root : factor;
  for (auto& [name, value] : out.state) {
    if (name.ends_with("quad_sum")) value *= log;
    if (name.ends_with("variance_sum")) value *= log * root;
    if (name.ends_with("soba.gamma")) value /= root;
    if (name.ends_with("unclaimed")) value *= log;
    if (name == "mixture.squares") value *= factor;
  }
  return out;
}

Bound tightest_of(const Rule& rule, const std::vector<Competitor>& competitors,
                  const Observation& seen, const DataFacts& facts, double factor) {
  Bound best;
  best.total = std::numeric_limits<double>::infinity();
  const Game game = game_of(facts, seen.rounds);
  for (std::size_t i = 0; i < competitors.size(); ++i) {
    const Competitor& u = competitors[i];
    for (const double eta : etas_for(rule, u, facts.largest_norm)) {
      const double loss = factor * loss_of(u, rule.loss, eta);
      const Terms terms = rule.terms({game, seen, u.norm, u.longest, eta, loss});
      if (!(terms.total() < best.total)) continue;
      best.eta = eta;
      best.competitor = i;
      best.competitor_loss = terms.competitor_loss;
      best.regulariser = terms.regulariser;
      best.quadratic = terms.quadratic;
      best.exploration = terms.exploration;
      best.total = terms.total();
    }
  }
  best.theorem = rule.theorem;
  best.about = rule.about;
  best.every_run = rule.every_run;
  best.order_only = rule.order_only;
  return best;
}

// The least number of rounds, about, from which the bound would say something.
double useful_from(const Rule& rule, bool falling_rate, const Certificate& certificate) {
  const double rounds = certificate.mean.rounds;
  const auto useful = [&](double factor) {
    const Observation seen = later(certificate.mean, factor, falling_rate);
    const Bound bound = tightest_of(rule, certificate.competitors, seen, certificate.facts, factor);
    return bound.total < seen.rounds;
  };
  double high = 1;
  while (!useful(high)) {
    if (rounds * high > kMostRounds) return 0;
    high *= 2;
  }
  double low = high / 2;
  for (int i = 0; i < 8; ++i) {
    const double middle = std::sqrt(low * high);
    (useful(middle) ? high : low) = middle;
  }
  return rounds * high;
}

// The bound over time, and its competitor's loss, with the U and η that are tightest at the end.
void add_curves(const Rule& rule, const Certificate& certificate, Bound& bound) {
  const Competitor& u = certificate.competitors[bound.competitor];
  const auto& points = certificate.mean.curve;
  for (std::size_t i = 0; i < std::min(points.size(), u.curve.size()); ++i) {
    const double loss = loss_of(u, rule.loss, bound.eta, &u.curve[i]);
    const Game game = game_of(certificate.facts, points[i].rounds);
    bound.loss_curve.push_back(loss);
    bound.curve.push_back(
        rule.terms({game, points[i], u.norm, u.longest, bound.eta, loss}).total());
  }
}

std::string rounds_text(double rounds) {
  const double exponent = std::floor(std::log10(rounds));
  return fmt::format("{:.0f}e{:.0f}", rounds / std::pow(10, exponent), exponent);
}

}  // namespace

Certificate certify(const LearnerChoice& choice, std::vector<Observation> runs, Competitors found) {
  Certificate out;
  out.learner = choice.info->name;
  out.options = choice.options;
  out.facts = found.facts;
  out.competitors = std::move(found.all);
  out.mean = Observation::mean(runs);
  out.runs = std::move(runs);
  const theory::Rules rules = theory::rules_for(out.learner, out.options, out.mean, out.facts);
  out.remarks = rules.remarks;
  for (const Rule& rule : rules.all) {
    Bound bound = tightest_of(rule, out.competitors, out.mean, out.facts, 1);
    bound.holds = out.mean.mistakes <= bound.total;
    if (bound.every_run) {
      for (const Observation& run : out.runs) bound.holds &= run.mistakes <= bound.total;
    }
    bound.vacuous = !(bound.total < out.mean.rounds);
    bound.useful_from = bound.vacuous ? useful_from(rule, rules.falling_rate, out) : 0;
    if (rule.loss != Rule::Loss::kLogistic) add_curves(rule, out, bound);
    out.bounds.push_back(std::move(bound));
  }
  for (std::size_t i = 0; i < out.bounds.size(); ++i) {
    const Bound& best = out.bounds[out.tightest];
    const Bound& bound = out.bounds[i];
    if (bound.order_only < best.order_only ||
        (bound.order_only == best.order_only && bound.total < best.total)) {
      out.tightest = i;
    }
  }
  return out;
}

std::string Certificate::verdict() const {
  const auto percent = [&](double count) {
    return fmt::format("{:.3g} %", 100 * count / mean.rounds);
  };
  const std::string had = runs.size() == 1 ? fmt::format("this run had {}", percent(mean.mistakes))
                                           : fmt::format("the mean of {} runs was {}", runs.size(),
                                                         percent(mean.mistakes));
  if (bounds.empty()) return fmt::format("No guarantee applies; {}.", had);
  const Bound& bound = bounds[tightest];
  if (bound.order_only) {
    return fmt::format("Only the order of a bound is known, nothing is certified; {}.", had);
  }
  if (bound.vacuous) {
    const std::string from =
        bound.useful_from > 0
            ? fmt::format("it would not be from about {} rounds on", rounds_text(bound.useful_from))
            : "more rounds would not change that soon";
    return fmt::format("The guarantee ({}) is vacuous: larger than the number of rounds; {}; {}.",
                       bound.theorem, from, had);
  }
  const std::string broken = bound.holds ? ""
                             : bound.every_run
                                 ? ". THE BOUND IS BROKEN: please report this"
                                 : ". That is above the bound, which is on the expectation";
  return fmt::format("The guarantee ({}) says at most {} errors{}; {}{}.", bound.theorem,
                     percent(bound.total), bound.every_run ? "" : " in expectation", had, broken);
}

}  // namespace soba
