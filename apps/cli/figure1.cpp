#include "figure1.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace soba::cli {

namespace {

constexpr double kNear = 1.25;  // "good": within a quarter of the best error

std::string two(double fraction) { return fmt::format("{:.2f}", 100 * fraction); }

const DataSummary* find_data(const Summary& summary, std::string_view start) {
  for (const DataSummary& data : summary.data) {
    if (data.name.starts_with(start)) return &data;
  }
  return nullptr;
}

const ContenderSummary* find(const DataSummary* data, std::string_view name) {
  if (data == nullptr) return nullptr;
  for (const ContenderSummary& contender : data->contenders) {
    if (contender.name == name) return &contender;
  }
  return nullptr;
}

double best(const ContenderSummary& contender) { return contender.best_point().played.mean; }

double gamma_of(const GridPoint& point) {
  const GridValue* value = find_axis(point.grid, "gamma");
  const double* number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? 0 : *number;
}

// The mean error of the curve's point nearest to `round` on a logarithmic scale.
const CurvePoint& at_round(const ContenderSummary& contender, double round) {
  const auto distance = [&](const CurvePoint& point) {
    return std::fabs(std::log(static_cast<double>(point.round) / round));
  };
  return *std::min_element(
      contender.curve.begin(), contender.curve.end(),
      [&](const CurvePoint& a, const CurvePoint& b) { return distance(a) < distance(b); });
}

// The learners of the paper, at their best rates.
struct Field {
  const ContenderSummary *perceptron, *banditron, *pnewtron, *sobadiag;
  bool complete() const { return perceptron && banditron && pnewtron && sobadiag; }
};

Field field(const DataSummary* data) {
  return {find(data, "perceptron"), find(data, "banditron"), find(data, "pnewtron"),
          find(data, "sobadiag")};
}

std::string numbers(const Field& f) {
  return fmt::format("SOBAdiag {}, Banditron {}, PNewtron {}, Perceptron {}",
                     two(best(*f.sobadiag)), two(best(*f.banditron)), two(best(*f.pnewtron)),
                     two(best(*f.perceptron)));
}

Statement judged(std::string claim, std::string rule, std::string found, bool holds) {
  return {std::move(claim), std::move(rule), std::move(found),
          holds ? "reproduced" : "not reproduced"};
}

void best_on_three(const Summary& summary, std::vector<Statement>& out) {
  std::size_t wins = 0, sets = 0;
  std::vector<std::string> found;
  for (const DataSummary& data : summary.data) {
    const Field f = field(&data);
    if (!f.complete()) continue;
    ++sets;
    const bool won = best(*f.sobadiag) < std::min(best(*f.banditron), best(*f.pnewtron));
    wins += won;
    found.push_back(fmt::format("{}: {}", data.name, won ? "SOBAdiag" : "another"));
  }
  if (sets < 4) return;
  out.push_back(
      judged("SOBAdiag is the best bandit learner on 3 data sets of 4",
             "lowest mean error of SOBAdiag, Banditron and PNewtron, each at its best rate, "
             "on 3 or more",
             fmt::format("{} of {} ({})", wins, sets, fmt::join(found, "; ")), wins >= 3));
}

void beats_all(const DataSummary* data, const std::string& claim, std::vector<Statement>& out) {
  const Field f = field(data);
  if (!f.complete()) return;
  out.push_back(judged(
      claim, "lowest mean error of the paper's four learners", numbers(f),
      best(*f.sobadiag) < std::min({best(*f.banditron), best(*f.pnewtron), best(*f.perceptron)})));
}

void near_the_noise(const DataSummary* data, std::vector<Statement>& out) {
  const ContenderSummary* soba = find(data, "sobadiag");
  if (soba == nullptr) return;
  out.push_back(judged("On SynNonSep SOBAdiag comes close to the noise level of 5 %",
                       "at most 1.5 points above 5 %", two(best(*soba)) + " %",
                       best(*soba) <= 0.065));
}

void exploration_floor(const Summary& summary, std::vector<Statement>& out) {
  std::size_t points = 0, below = 0;
  double closest = 1e9;
  for (const DataSummary& data : summary.data) {
    const double share = 1 - 1 / static_cast<double>(data.classes);
    for (const ContenderSummary& contender : data.contenders) {
      for (const GridPoint& point : contender.points) {
        const double floor = share * gamma_of(point);
        if (floor == 0) continue;
        // Four standard deviations of how often exploration really errs.
        const double rounds = static_cast<double>(data.rounds * point.seeds);
        const double slack = 4 * std::sqrt(floor * (1 - floor) / rounds);
        ++points;
        below += point.played.mean < floor - slack;
        closest = std::min(closest, point.played.mean / floor);
      }
    }
  }
  if (points == 0) return;
  out.push_back(judged(
      "No error rate is below (k-1)/k gamma, the price of exploration",
      "no mean error below it by more than four standard deviations",
      fmt::format("{} of {} points below; the closest is {:.3f} times it", below, points, closest),
      below == 0));
}

void good_near_one_percent(const Summary& summary, std::vector<Statement>& out) {
  std::vector<std::string> found;
  bool all = true;
  for (const DataSummary& data : summary.data) {
    const ContenderSummary* soba = find(&data, "sobadiag");
    if (soba == nullptr) continue;
    double near = 1;
    for (const GridPoint& point : soba->points) {
      const double gamma = gamma_of(point);
      if (gamma >= 0.005 && gamma <= 0.02) near = std::min(near, point.played.mean);
    }
    all = all && near <= kNear * best(*soba);
    found.push_back(fmt::format("{} {} (best {} at {})", data.name, two(near), two(best(*soba)),
                                grid_text(soba->best_point().grid)));
  }
  if (found.empty()) return;
  out.push_back(judged("SOBAdiag is good on all four for gamma near 1 %",
                       "the better of the rates 2^-7 and 2^-6 within a quarter of its best error",
                       fmt::format("{}", fmt::join(found, "; ")), all));
}

void small_rates_learn_nothing(const Summary& summary, std::vector<Statement>& out) {
  std::vector<std::string> found;
  bool all = true;
  for (const DataSummary& data : summary.data) {
    const ContenderSummary* soba = find(&data, "sobadiag");
    if (soba == nullptr) continue;
    const GridPoint& least = soba->points.front();
    all = all && least.played.mean > 2 * best(*soba) - 1e-12;
    found.push_back(
        fmt::format("{} {} (best {})", data.name, two(least.played.mean), two(best(*soba))));
  }
  if (found.empty()) return;
  out.push_back(judged("With too small a rate SOBAdiag stays near where it began",
                       "at the smallest rate at least twice its best error",
                       fmt::format("{}", fmt::join(found, "; ")), all));
}

void pnewtron_range(const Summary& summary, std::vector<Statement>& out) {
  std::vector<std::string> found;
  bool all = true;
  for (const DataSummary& data : summary.data) {
    const Field f = field(&data);
    if (!f.complete() || data.name.starts_with("Reuters4")) continue;
    const auto good = [](const ContenderSummary& contender) {
      return std::count_if(contender.points.begin(), contender.points.end(),
                           [&](const GridPoint& p) {
                             return p.played.mean <= kNear * contender.best_point().played.mean;
                           });
    };
    all = all && good(*f.pnewtron) >= std::max(good(*f.banditron), good(*f.sobadiag));
    found.push_back(fmt::format("{} {} rates (Banditron {}, SOBAdiag {})", data.name,
                                good(*f.pnewtron), good(*f.banditron), good(*f.sobadiag)));
  }
  if (found.empty()) return;
  out.push_back(
      judged("PNewtron does well for a wide range of rates",
             "at least as many rates within a quarter of its best error as the others have "
             "of theirs",
             fmt::format("{}", fmt::join(found, "; ")), all));
}

void pnewtron_at_best(const Summary& summary, std::vector<Statement>& out) {
  std::vector<std::string> found;
  bool all = true;
  for (const DataSummary& data : summary.data) {
    const Field f = field(&data);
    if (!f.complete() || data.name.starts_with("Reuters4")) continue;
    all = all && best(*f.pnewtron) >= best(*f.perceptron);
    found.push_back(fmt::format("{} {} (Perceptron {}, Banditron {})", data.name,
                                two(best(*f.pnewtron)), two(best(*f.perceptron)),
                                two(best(*f.banditron))));
  }
  if (found.empty()) return;
  out.push_back(judged("At its best rate PNewtron is not better than the Perceptron",
                       "mean error not lower on any set but Reuters4",
                       fmt::format("{}", fmt::join(found, "; ")), all));
}

void separable(const DataSummary* data, std::vector<Statement>& out) {
  const Field f = field(data);
  if (!f.complete()) return;
  const double early = 1000;
  const auto error = [&](const ContenderSummary& c) { return at_round(c, early).played.mean; };
  out.push_back(judged(
      "On SynSep SOBAdiag has a long first phase of high error",
      "after about 1,000 examples at least twice the error of Banditron",
      fmt::format("{} there; Banditron {}, PNewtron {}, Perceptron {}", two(error(*f.sobadiag)),
                  two(error(*f.banditron)), two(error(*f.pnewtron)), two(error(*f.perceptron))),
      error(*f.sobadiag) >= 2 * error(*f.banditron)));
  const auto last = static_cast<double>(data->rounds);
  const CurvePoint& from = at_round(*f.perceptron, last / 100);
  const CurvePoint& to = f.perceptron->curve.back();
  const double slope = std::log(to.played.mean / from.played.mean) /
                       std::log(static_cast<double>(to.round) / static_cast<double>(from.round));
  out.push_back(
      judged("On SynSep the error falls as about 1/T",
             "slope of the Perceptron's log-log curve over the last factor of 100 between "
             "-1.2 and -0.8",
             fmt::format("{:.2f}", slope), slope >= -1.2 && slope <= -0.8));
}

void text_data(const DataSummary* data, std::vector<Statement>& out) {
  const Field f = field(data);
  if (!f.complete()) return;
  out.push_back(judged("On Reuters4 SOBAdiag is better than Banditron",
                       "lower mean error, each at its best rate", numbers(f),
                       best(*f.sobadiag) < best(*f.banditron)));
  out.push_back(judged("On Reuters4 PNewtron is never better than 57 %",
                       "its best mean error is 55 % or more",
                       fmt::format("{} played, {} greedy", two(best(*f.pnewtron)),
                                   two(f.pnewtron->best_point().greedy.mean)),
                       best(*f.pnewtron) >= 0.55));
}

}  // namespace

std::vector<Statement> check_statements(const Summary& summary) {
  std::vector<Statement> out;
  best_on_three(summary, out);
  const DataSummary* noisy = find_data(summary, "SynNonSep");
  beats_all(noisy, "On SynNonSep SOBAdiag beats all the others, the Perceptron included", out);
  near_the_noise(noisy, out);
  beats_all(find_data(summary, "Covtype"),
            "On Covtype SOBAdiag beats all the others, the Perceptron included", out);
  text_data(find_data(summary, "Reuters4"), out);
  exploration_floor(summary, out);
  good_near_one_percent(summary, out);
  small_rates_learn_nothing(summary, out);
  separable(find_data(summary, "SynSep"), out);
  pnewtron_range(summary, out);
  pnewtron_at_best(summary, out);
  return out;
}

}  // namespace soba::cli
