#include "theory/losses.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "soba/explore.h"

namespace soba::theory {

LossValue parabola(double eta, double margin) {
  return {1 - 2 / (2 - eta) * margin + eta / (2 - eta) * margin * margin,
          (2 * eta * margin - 2) / (2 - eta)};
}

LossValue eta_loss(double eta, double margin) {
  assert(eta >= 0 && eta <= 1);
  if (margin >= 1) return {};
  return parabola(eta, margin);
}

double squared_share(double eta) { return eta / (2 - eta); }

LossValue power_loss(double q, double margin) {
  assert(q >= 1 && q <= 2);
  const double hinge = 1 - margin;
  if (hinge <= 0) return {};
  return {std::pow(hinge, q), -q * std::pow(hinge, q - 1)};
}

Margin multiclass_margin(std::span<const double> scores, Label label) {
  const Label rival = argmax_except(scores, label);
  return {scores[static_cast<std::size_t>(label)] - scores[static_cast<std::size_t>(rival)], rival};
}

Margin one_vs_rest_margin(std::span<const double> scores, Label label) {
  const Label rival = argmax_except(scores, label);
  const double own = scores[static_cast<std::size_t>(label)];
  const double other = -scores[static_cast<std::size_t>(rival)];
  return own <= other ? Margin{own, label} : Margin{other, rival};
}

void multiclass_gradient(double slope, Label label, Label rival, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  gradient[static_cast<std::size_t>(label)] += slope;
  gradient[static_cast<std::size_t>(rival)] -= slope;
}

void one_vs_rest_gradient(double slope, Label label, Label rival, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  gradient[static_cast<std::size_t>(rival)] = rival == label ? slope : -slope;
}

double logistic_loss(double alpha, std::span<const double> scores, Label label,
                     std::span<double> gradient) {
  const double own = scores[static_cast<std::size_t>(label)];
  double largest = 0;  // of the exponents, the label's own 0 included
  for (const double score : scores) largest = std::max(largest, alpha * (score - own));
  double sum = 0;
  for (const double score : scores) sum += std::exp(alpha * (score - own) - largest);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double share = std::exp(alpha * (scores[i] - own) - largest) / sum;
    const double own_label = i == static_cast<std::size_t>(label) ? 1 : 0;
    gradient[i] = alpha * (share - own_label) / std::log(2);
  }
  return (largest + std::log(sum)) / std::log(2);
}

double logistic_floor(Label classes, double rounds) {
  return std::log1p((classes - 1) * std::pow(rounds, -0.25)) / std::log(2);
}

}  // namespace soba::theory
