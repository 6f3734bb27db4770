#include "bound_text.h"

#include <fmt/format.h>

#include <cmath>

#include "text.h"

namespace soba::cli {

namespace {

std::string count(double value) {
  if (!(std::fabs(value) < 1e12)) return fmt::format("{:.3g}", value);
  return thousands(std::llround(value));
}

std::string share(double value, double rounds) { return percent(value / rounds); }

// Whether it held: a bound on an expectation is only observed in a single run.
std::string outcome(const Bound& bound, std::size_t runs) {
  if (bound.order_only) return "order only";
  if (bound.vacuous) return "vacuous";
  if (!bound.holds) return bound.every_run ? "BROKEN" : "exceeded";
  return bound.every_run || runs > 1 ? "holds" : "observed";
}

std::string bounds_table(const Certificate& certificate) {
  std::string out =
      fmt::format("\n{:<34} {:>6} {:>13} {:>11} {:>13} {:>13} {:>14}\n", "bound", "eta",
                  "competitor", "regulariser", "quadratic", "exploration", "mistakes <=");
  for (const Bound& bound : certificate.bounds) {
    out += fmt::format("{:<34} {:>6.3g} {:>13} {:>11} {:>13} {:>13} {:>14}  {}\n", bound.theorem,
                       bound.eta, count(bound.competitor_loss), count(bound.regulariser),
                       count(bound.quadratic), count(bound.exploration), count(bound.total),
                       outcome(bound, certificate.runs.size()));
  }
  return out;
}

// The best competitor for each loss that was fitted, and the regret against it.
std::string competitors_table(const Certificate& certificate) {
  std::string out = fmt::format("\n{:<12} {:>6} {:>13} {:>10} {:>13} {:>9} {:>13}\n", "competitor",
                                "eta", "its loss", "norm", "its errors", "gap", "regret");
  for (std::size_t i = 0; i < certificate.competitors.size(); ++i) {
    const Competitor& u = certificate.competitors[i];
    bool least = true;
    for (const Competitor& other : certificate.competitors) {
      least = least && !(other.loss == u.loss && other.eta == u.eta && other.norm > 0 &&
                         other.value() < u.value());
    }
    if (!least || u.norm == 0) continue;
    out += fmt::format("{:<12} {:>6.3g} {:>13} {:>10.3g} {:>13} {:>9.1g} {:>13}\n", u.loss,
                       u.alpha > 0 ? u.alpha : u.eta, count(u.value()), u.norm,
                       thousands(u.zero_one), u.gap, count(certificate.mean.mistakes - u.value()));
  }
  return out;
}

}  // namespace

std::string bound_text(const Certificate& certificate, const std::string& data) {
  const Observation& mean = certificate.mean;
  const std::string of =
      certificate.runs.size() == 1 ? "" : fmt::format(", mean of {} runs", certificate.runs.size());
  std::string out = fmt::format(
      "{} on {}: {} rounds, {} classes, {} features, norms up to {:.4g}{}\n", certificate.learner,
      data, thousands(certificate.facts.rounds), certificate.facts.shape.classes,
      certificate.facts.shape.features, certificate.facts.largest_norm, of);
  out += fmt::format("mistakes          {:>14}  {}\n", count(mean.mistakes),
                     share(mean.mistakes, mean.rounds));
  out += fmt::format("greedy mistakes   {:>14}  {}\n", count(mean.greedy_mistakes),
                     share(mean.greedy_mistakes, mean.rounds));
  out += competitors_table(certificate);
  if (!certificate.bounds.empty()) {
    out += bounds_table(certificate);
    const Bound& best = certificate.bounds[certificate.tightest];
    const Competitor& u = certificate.competitors[best.competitor];
    if (!best.order_only) {
      out += fmt::format("\nTightest: {} ({}), with eta {:.3g} and ‖U‖ {:.3g}; slack {}.\n",
                         best.theorem, best.about, best.eta, u.norm,
                         count(best.total - mean.mistakes));
    }
  }
  for (const std::string& remark : certificate.remarks) out += "\n" + wrap(remark, 0, 0) + "\n";
  return out + "\n" + wrap(certificate.verdict(), 0, 0) + "\n";
}

}  // namespace soba::cli
