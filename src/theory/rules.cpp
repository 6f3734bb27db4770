#include "theory/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace soba::theory {

namespace {

constexpr std::string_view kAutoSoba = "soba-adaptive.", kAutoLeader = "soba-ovr.";

// The options and the state of a run, with 0 for what they lack.
struct Run {
  const OptionValues& options;
  const Observation& seen;

  std::string word(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
  double number(const std::string& name) const { return std::strtod(word(name).c_str(), nullptr); }
  bool has(const std::string& name) const { return seen.state.contains(name); }
};

double field(const Observation& seen, std::string_view name) {
  const auto found = seen.state.find(std::string(name));
  return found == seen.state.end() ? 0 : found->second;
}

// The two forms of every bound on SOBA: over the family, and its fall-back for the hinge loss.
using NoiseOf = std::function<Noise(const Look&)>;
void add_soba(Rules& rules, const std::string& theorem, const std::string& about, double a,
              const NoiseOf& noise) {
  rules.all.push_back({.theorem = theorem, .about = about, .terms = [=](const Look& look) {
                         return soba_bound(look.eta, look.loss, look.norm, a, noise(look));
                       }});
  rules.all.push_back({.theorem = "fall-back-" + theorem,
                       .about = about + "; against the hinge loss",
                       .loss = Rule::Loss::kHinge,
                       .terms = [=](const Look& look) {
                         return fall_back_bound(look.loss, look.norm, look.game.largest_norm, a,
                                                noise(look));
                       }});
}

// SOBA's state under `prefix`, in whose rounds labels were played with known probabilities.
void add_own_probabilities(Rules& rules, double a) {
  add_soba(rules, "own-probabilities",
           "Theorem 2 with the run's own sums of q'/p and of its exploration", a,
           [](const Look& look) {
             const double k = look.game.classes;
             return Noise{field(look.seen, "soba.variance_sum"), (1 - 1 / k) * look.seen.rates};
           });
}

void add_uniform(Rules& rules, const Run& run, double a) {
  const auto gamma = [](const Look& look) { return field(look.seen, "soba.gamma"); };
  const auto worst = [a](const Look& look) { return most_quadratic(look.game, a); };
  const auto observed = [](const Look& look) { return field(look.seen, "soba.quad_sum"); };
  if (run.word("gamma") == "adaptive") {
    const double scale = run.number("gamma-scale");
    rules.falling_rate = true;
    add_soba(rules, "adaptive", "Appendix A with the run's own quadratic terms", a,
             [=](const Look& look) { return adaptive_noise(look.game, scale, observed(look)); });
    add_soba(rules, "adaptive-worst-case", "Appendix A, known before the run", a,
             [=](const Look& look) { return adaptive_noise(look.game, scale, worst(look)); });
    return;
  }
  rules.falling_rate = run.word("gamma").starts_with("theory");
  if (!(field(run.seen, "soba.gamma") > 0)) {
    rules.remarks.push_back("gamma is 0: without exploration nothing is proved");
    return;
  }
  add_soba(rules, "theorem-2", "Theorem 2 with the run's own quadratic terms", a,
           [=](const Look& look) { return fixed_noise(look.game, gamma(look), observed(look)); });
  add_soba(rules, "theorem-2-worst-case", "Theorem 2, known before the run", a,
           [=](const Look& look) { return fixed_noise(look.game, gamma(look), worst(look)); });
  rules.all.push_back({.theorem = "large-a",
                       .about = "for a of about T·X², against the hinge loss, known before the run",
                       .loss = Rule::Loss::kHinge,
                       .terms = [=](const Look& look) {
                         return large_a_bound(look.game, look.loss, look.norm, a, gamma(look));
                       }});
}

void add_gap_bounded(Rules& rules, const Run& run, double a) {
  const double floor = run.number("gap-floor");
  rules.falling_rate = true;
  add_soba(rules, "gap-bounded", "the bound of explore gap-bounded with the run's own sums", a,
           [=](const Look& look) {
             return gap_noise(look.game, floor, field(look.seen, "soba.quad_sum"),
                              field(look.seen, "soba.explored_quad_sum"));
           });
  add_soba(rules, "gap-bounded-worst-case", "the same, known before the run", a,
           [=](const Look& look) {
             const double q = most_quadratic(look.game, a);
             return gap_noise(look.game, floor, q, q);
           });
}

void soba_rules(Rules& rules, const Run& run) {
  const bool exact =
      run.word("covariance") == "exact" || field(run.seen, "covariance.is_exact") == 1;
  if (!exact) {
    rules.remarks.push_back(
        fmt::format("covariance {}: Lemmas 2 and 3 are about the exact A, so nothing is proved of "
                    "this form; option covariance exact is the theorem's",
                    run.word("covariance")));
    return;
  }
  const double a = run.number("a");
  const std::string explore = run.word("explore");
  if (explore == "uniform") add_uniform(rules, run, a);
  if (explore == "gap-bounded") add_gap_bounded(rules, run, a);
  if (explore == "gap") {
    rules.falling_rate = true;
    rules.remarks.push_back(
        "explore gap has no bound that is known before the run; gap-bounded has");
  }
  if (field(run.seen, "soba.variance_sum") >= 0 && !std::isnan(run.seen.rates)) {
    add_own_probabilities(rules, a);
  }
}

void ovr_rules(Rules& rules, const Run& run) {
  const bool full = field(run.seen, "ridge.is_full") == 1;
  const std::string ridges = run.word("ridges");
  if (run.word("gate") != "on" || !full || run.word("scale-free") == "true" ||
      ridges.find(',') != std::string::npos) {
    rules.remarks.push_back(
        "the theorem of soba-ovr is about gate on, covariance full, one ridge and scale-free "
        "false; nothing is proved of it with these options");
    return;
  }
  const double a = ridges.empty() ? 1 : run.number("ridges");
  const double slack = run.number("slack");
  const double scale = run.number("explore-scale") > 0 ? run.number("explore-scale") : 1;
  const bool constant = run.word("explore") == "constant";
  // With a constant feature of its own it plays (x, 1), of which U needs no weight.
  const double extra = run.word("constant") == "true" ? 1 : 0;
  const auto widened = [extra](Game game) {
    game.features += extra;
    game.largest_norm = std::sqrt(game.largest_norm * game.largest_norm + extra);
    return game;
  };
  rules.all.push_back({.theorem = "one-vs-rest",
                       .about = "with the run's own quadratic terms",
                       .terms = [=](const Look& look) {
                         return one_vs_rest_bound(look.eta, look.loss, look.norm, a,
                                                  field(look.seen, "ovr.variance_sum"), slack,
                                                  field(look.seen, "ovr.quad_sum"));
                       }});
  if (constant) {
    rules.all.push_back({.theorem = "one-vs-rest-worst-case",
                         .about = "known before the run",
                         .terms = [=](const Look& look) {
                           return one_vs_rest_constant(widened(look.game), look.eta, look.loss,
                                                       look.norm, a, scale, slack);
                         }});
  } else if (slack == 0) {
    rules.all.push_back({.theorem = "one-vs-rest-worst-case",
                         .about = "known before the run",
                         .terms = [=](const Look& look) {
                           return one_vs_rest_confident(widened(look.game), look.eta, look.loss,
                                                        look.norm, a, scale);
                         }});
  }
  if (constant && scale == 1 && slack == 0) {
    rules.all.push_back({.theorem = "one-vs-rest-hinge",
                         .about = "against the hinge loss, known before the run",
                         .loss = Rule::Loss::kHinge,
                         .terms = [=](const Look& look) {
                           return one_vs_rest_hinge(widened(look.game), look.loss, look.norm,
                                                    look.longest, a);
                         }});
  }
}

void auto_rules(Rules& rules, const Run& run) {
  const auto named = [](std::string_view prefix, std::string_view name) {
    return std::string(prefix) + std::string(name);
  };
  const std::string exact = named(kAutoSoba, "covariance.is_exact");
  if (run.word("rule") != "2" || field(run.seen, exact) != 1) {
    rules.remarks.push_back(
        "the bound of auto is that of its member SOBA, which is no longer exact here: nothing is "
        "proved");
    return;
  }
  if (std::isnan(run.seen.rates)) {
    rules.remarks.push_back("the bound of auto needs the rounds: run it, or give a trace");
    return;
  }
  rules.falling_rate = true;
  const std::string variance = named(kAutoSoba, "soba.variance_sum");
  const std::string open = named(kAutoLeader, "ovr.unclaimed");
  const std::string learnt = named(kAutoLeader, "ovr.unclaimed_quad_sum");
  const auto add = [&](const std::string& theorem, const std::string& about, bool worst) {
    rules.all.push_back({.theorem = theorem, .about = about, .terms = [=](const Look& look) {
                           const Game& game = look.game;
                           const double kt = std::sqrt(game.classes * game.rounds);
                           const double v = worst ? 100 * kt * most_quadratic(game, 1)
                                                  : field(look.seen, variance);
                           const double cost = mixture_cost(
                               game, field(look.seen, "mixture.squares"), look.seen.rates,
                               field(look.seen, open), field(look.seen, learnt));
                           return soba_bound(look.eta, look.loss, look.norm, 1, {v, cost});
                         }});
  };
  add("auto", "through its member SOBA, with the run's own sums", false);
  add("auto-worst-case", "the same with the largest quadratic terms and 1/p", true);
}

void exp_concave_rules(Rules& rules, const Run& run, const DataFacts& facts) {
  const double ball = run.number("D"), x = run.number("X");
  const double most = 1 / std::max(2 * x * ball, 1.0);
  const double eta = run.number("eta") > 0 ? run.number("eta") : most;
  if (run.number("beta") != 0 || run.number("eps") != 0 || eta > most || x < facts.largest_norm ||
      run.word("covariance") != "full") {
    rules.remarks.push_back(fmt::format(
        "Algorithm 2's theorem is about covariance full, beta 0, eps 0, eta 0 (or at most {:.3g}) "
        "and X at least {:.4g}, the largest ‖x‖; nothing is proved of it with these options",
        most, facts.largest_norm));
    return;
  }
  const double gamma = run.number("gamma");
  rules.all.push_back({.theorem = "algorithm-2",
                       .about = "the exp-concave reduction, against U with ‖U‖ <= D",
                       .terms =
                           [=](const Look& look) {
                             return exp_concave_bound(look.game, look.eta, look.loss, ball, gamma);
                           },
                       .fixed_eta = eta});
}

void banditron_rules(Rules& rules, const Run& run) {
  const bool theory = run.word("gamma") == "theory";
  const double given = run.number("gamma");
  if (!theory && !(given > 0)) {
    rules.remarks.push_back("gamma is 0: without exploration nothing is proved");
    return;
  }
  rules.falling_rate = theory;
  rules.all.push_back({.theorem = "banditron",
                       .about = "the bound of Kakade, Shalev-Shwartz and Tewari",
                       .loss = Rule::Loss::kHinge,
                       .terms = [=](const Look& look) {
                         const double rate = std::cbrt(look.game.classes / look.game.rounds);
                         return banditron_bound(look.game, theory ? std::min(1.0, rate) : given,
                                                look.loss, look.norm);
                       }});
}

}  // namespace

Rules rules_for(const std::string& learner, const OptionValues& options, const Observation& seen,
                const DataFacts& facts) {
  Rules rules;
  const Run run{options, seen};
  if (learner == "perceptron") {
    rules.all.push_back({.theorem = "theorem-1",
                         .about = "powers of the hinge loss, on every run",
                         .loss = Rule::Loss::kPower,
                         .terms =
                             [](const Look& look) {
                               return perceptron_bound(look.eta, look.loss, look.norm,
                                                       look.game.largest_norm);
                             },
                         .every_run = true});
  } else if (learner == "soba") {
    soba_rules(rules, run);
  } else if (learner == "soba-ovr") {
    ovr_rules(rules, run);
  } else if (learner == "auto") {
    auto_rules(rules, run);
  } else if (learner == "expconcave") {
    exp_concave_rules(rules, run, facts);
  } else if (learner == "banditron" && run.word("gamma") != "adaptive") {
    banditron_rules(rules, run);
  } else if (learner == "newtron") {
    const double ball = run.number("D"), alpha = run.number("alpha");
    rules.all.push_back(
        {.theorem = "newtron",
         .about = "the order of its bound, with the constant of the O() set to 1",
         .loss = Rule::Loss::kLogistic,
         .terms =
             [=](const Look& look) { return newtron_bound(look.game, alpha, ball, look.loss); },
         .order_only = true});
  } else {
    rules.remarks.push_back("no mistake bound of '" + learner + "' is known to this program");
  }
  return rules;
}

}  // namespace soba::theory
