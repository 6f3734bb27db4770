#include "theory/competitor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/draws.h"
#include "theory/losses.h"

namespace soba::theory {

namespace {

constexpr int kQuickEpochs = 4;  // over what moved, after one over all
constexpr double kMoved = 1e-12;

Margin margin_of(MarginKind kind, std::span<const double> scores, Label label) {
  return kind == MarginKind::kMulticlass ? multiclass_margin(scores, label)
                                         : one_vs_rest_margin(scores, label);
}

// 0 … n−1 in an order of this epoch's own.
void shuffle(std::vector<std::size_t>& order, std::uint64_t epoch) {
  Draws draws(Rng(1, Purpose::kShuffle), epoch);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[draws.below(static_cast<std::uint32_t>(i))]);
  }
}

}  // namespace

void linear_scores(const std::vector<double>& weights, const Features& x,
                   std::span<double> scores) {
  std::fill(scores.begin(), scores.end(), 0.0);
  const std::size_t k = scores.size();
  for (std::size_t e = 0; e < x.size(); ++e) {
    const std::size_t row = static_cast<std::size_t>(x.feature(e)) * k;
    if (row >= weights.size()) continue;
    for (std::size_t i = 0; i < k; ++i) scores[i] += weights[row + i] * x.value[e];
  }
}

CompetitorSolver::CompetitorSolver(const Block& block, Shape shape, MarginKind kind, double eta)
    : block_(block), shape_(shape), kind_(kind), share_(squared_share(eta)) {
  const auto k = static_cast<std::size_t>(shape.classes);
  weights_.assign(k * static_cast<std::size_t>(shape.features), 0.0);
  beta_.assign(k * block.size(), 0.0);
  for (std::size_t t = 0; t < block.size(); ++t) {
    norms_.push_back(squared_norm(block.features(t)));
  }
  for (auto* scratch : {&scores_, &b_, &chosen_}) scratch->resize(k);
}

// The τ at which Σ [b_i − τ]_+ is offset + rho·τ, of the b_i in sorted_.
CompetitorSolver::Threshold CompetitorSolver::threshold(double rho, double offset) const {
  if (rho > 0 && sorted_.front() * rho <= -offset) return {-offset / rho, 0};
  double sum = 0, tau = 0;
  for (std::size_t r = 0; r < sorted_.size();) {
    sum += sorted_[r++];
    tau = (sum - offset) / (static_cast<double>(r) + rho);
    if (r < sorted_.size() && tau < sorted_[r]) continue;
    sum -= static_cast<double>(r) * tau;
    break;
  }
  return {tau, std::max(0.0, sum)};
}

// τ for an example with ‖x‖² = norm, where `own` is its label's score without its own part. First
// as if s were free (the kink of the hinge), then, where s >= C(1−c), with what it then costs.
CompetitorSolver::Threshold CompetitorSolver::settle(double norm, double own) const {
  const double cap = weight_ * (1 - share_), bend = 2 * weight_ * share_;
  if (kind_ == MarginKind::kMulticlass) {
    const Threshold free = threshold(1, 1 - own);
    if (free.sum <= norm * cap) return free;
    const double scale = norm * bend + 1;
    return threshold(norm * bend / scale, (norm * bend * (1 - own) + norm * cap) / scale);
  }
  double sum = 0;
  for (const double b : sorted_) sum += std::max(0.0, b + 1);
  if (sum <= norm * cap) return {-1, sum};
  return threshold(norm * bend, norm * bend + norm * cap);
}

// The β of an example that are best while all else stays, into chosen_. b_ is filled.
void CompetitorSolver::choose(double norm, double own) {
  const Threshold found = settle(norm, own);
  for (std::size_t i = 0; i < b_.size(); ++i) {
    chosen_[i] = std::max(0.0, b_[i] - found.tau) / norm;
  }
}

// One step of the descent; whether it moved anything worth mentioning.
bool CompetitorSolver::improve(std::size_t example) {
  const double norm = norms_[example];
  if (norm == 0) return false;
  const Features x = block_.features(example);
  const auto k = static_cast<std::size_t>(shape_.classes);
  const auto y = static_cast<std::size_t>(block_.label[example]);
  const std::span<double> beta = std::span(beta_).subspan(example * k, k);
  const bool multiclass = kind_ == MarginKind::kMulticlass;
  linear_scores(weights_, x, scores_);

  // Scores without the example's own part, and from them what each β would gain first.
  sorted_.clear();
  for (std::size_t i = 0; i < k; ++i) {
    const double sign = i == y ? 1 : -1;
    b_[i] = -sign * (scores_[i] - sign * norm * beta[i]);
    if (!multiclass || i != y) sorted_.push_back(b_[i]);
  }
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  const double own = -b_[y];
  choose(norm, own);
  if (multiclass) {
    chosen_[y] = 0;
    chosen_[y] = std::accumulate(chosen_.begin(), chosen_.end(), 0.0);
  }
  double largest = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const double change = chosen_[i] - beta[i];
    largest = std::max(largest, std::fabs(change));
    beta[i] = chosen_[i];
    chosen_[i] = i == y ? change : -change;
  }
  if (largest == 0) return false;
  for (std::size_t e = 0; e < x.size(); ++e) {
    double* const row = &weights_[static_cast<std::size_t>(x.feature(e)) * k];
    for (std::size_t i = 0; i < k; ++i) row[i] += chosen_[i] * x.value[e];
  }
  return largest > kMoved * weight_;
}

double CompetitorSolver::spent(std::size_t example) const {
  const auto k = static_cast<std::size_t>(shape_.classes);
  const double* const beta = &beta_[example * k];
  if (kind_ == MarginKind::kMulticlass) return beta[block_.label[example]];
  return std::accumulate(beta, beta + k, 0.0);
}

void CompetitorSolver::measure(Fit& fit) const {
  double norm = 0, loss = 0, gain = 0;
  for (const double u : weights_) norm += u * u;
  std::vector<double> scores(static_cast<std::size_t>(shape_.classes));
  const double cap = weight_ * (1 - share_);
  for (std::size_t t = 0; t < block_.size(); ++t) {
    const Label y = block_.label[t];
    linear_scores(weights_, block_.features(t), scores);
    const double hinge = std::max(0.0, 1 - margin_of(kind_, scores, y).value);
    loss += (1 - share_) * hinge + share_ * hinge * hinge;
    if (norms_[t] == 0) {
      gain += weight_;  // its loss is 1 whatever U is
      continue;
    }
    const double s = spent(t), over = std::max(0.0, s - cap);
    gain += s - (share_ > 0 ? over * over / (4 * weight_ * share_) : 0);
  }
  fit.primal = norm / 2 + weight_ * loss;
  fit.dual = gain - norm / 2;
}

Fit CompetitorSolver::fit(double weight, const FitLimits& limits, const FitProgress& progress) {
  assert(weight >= weight_);
  weight_ = weight;
  Fit fit;
  std::vector<std::size_t> order(block_.size()), moved;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t pass = 0;
  while (fit.epochs < limits.epochs) {
    shuffle(order, pass++);
    moved.clear();
    for (const std::size_t t : order) {
      if (improve(t)) moved.push_back(t);
    }
    for (int quick = 0; quick < kQuickEpochs && !moved.empty(); ++quick) {
      shuffle(moved, pass++);
      std::erase_if(moved, [&](std::size_t t) { return !improve(t); });
    }
    ++fit.epochs;
    measure(fit);
    if ((progress && !progress(fit.gap())) || fit.gap() <= limits.gap) break;
  }
  return fit;
}

void measure_norms(Label classes, Competitor& competitor) {
  std::vector<double> rows(static_cast<std::size_t>(classes));
  for (std::size_t i = 0; i < competitor.weights.size(); ++i) {
    rows[i % rows.size()] += competitor.weights[i] * competitor.weights[i];
  }
  competitor.norm = std::sqrt(std::accumulate(rows.begin(), rows.end(), 0.0));
  competitor.longest = std::sqrt(*std::max_element(rows.begin(), rows.end()));
}

void add_example(const Features& x, Label label, std::span<double> scratch,
                 Competitor& competitor) {
  linear_scores(competitor.weights, x, scratch);
  competitor.zero_one += argmax(scratch) != label;
  if (competitor.alpha > 0) competitor.logistic += logistic_loss(competitor.alpha, scratch, label);
  const MarginKind kind = competitor.one_vs_rest ? MarginKind::kOneVsRest : MarginKind::kMulticlass;
  const double hinge = 1 - margin_of(kind, scratch, label).value;
  if (!(hinge > 0)) return;
  const double half = std::sqrt(hinge), quarter = std::sqrt(half);
  competitor.powers[0] += hinge;
  competitor.powers[1] += hinge * quarter;
  competitor.powers[2] += hinge * half;
  competitor.powers[3] += hinge * half * quarter;
  competitor.powers[4] += hinge * hinge;
}

}  // namespace soba::theory
