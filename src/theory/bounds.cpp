#include "theory/bounds.h"

#include <algorithm>
#include <cmath>

namespace soba::theory {

namespace {

double h(double eta) { return 1 / (eta * (2 - eta)); }

}  // namespace

Terms perceptron_bound(double q, double loss, double norm, double largest_norm) {
  const double b = std::sqrt(2.0) * norm * largest_norm;
  // M below its bound, which grows slower than M does: one crossing, above L and above b².
  const auto holds = [&](double m) {
    return m <= std::pow(m, 1 - 1 / q) * std::pow(loss, 1 / q) + b * std::sqrt(m);
  };
  double low = std::max(loss, b * b), high = std::max(1.0, 2 * low);
  while (holds(high)) high *= 2;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (holds(middle) ? low : high) = middle;
  }
  return {.competitor_loss = loss, .regulariser = high - loss};
}

double eta_limit(double longest, double largest_norm) {
  return std::min(1.0, 2 / (2 * longest * largest_norm + 1));
}

double one_vs_rest_eta_limit(double longest, double largest_norm) {
  return std::min(1.0, 2 / (longest * largest_norm + 1));
}

double most_quadratic(const Game& game, double a) {
  const double cells = game.classes * game.features;
  const double square = game.largest_norm * game.largest_norm;
  return cells * std::log1p(2 * square * game.rounds / (a * cells));
}

Noise fixed_noise(const Game& game, double gamma, double quadratic) {
  return {game.classes / gamma * quadratic, gamma * game.rounds};
}

Noise adaptive_noise(const Game& game, double scale, double quadratic) {
  const double root = std::sqrt(game.classes * game.rounds * (1 + quadratic));
  return {game.classes * quadratic + 2 / scale * root, 2 * scale * root};
}

Noise gap_noise(const Game& game, double floor, double quadratic, double explored) {
  const double kt = game.classes * game.rounds;
  return {game.classes * quadratic + 2 / floor * std::sqrt(kt * explored),
          2 * std::sqrt(kt * (1 + quadratic))};
}

Terms soba_bound(double eta, double loss, double norm, double a, const Noise& noise) {
  return {loss, a * eta / (2 - eta) * norm * norm, h(eta) * noise.variance, noise.exploration};
}

Terms fall_back_bound(double loss, double norm, double largest_norm, double a, const Noise& noise) {
  const double r = norm * norm * noise.variance;
  const double b = largest_norm * largest_norm * r;  // half of the factor of N
  // N <= L + √(2b·N + a·r)
  const double beyond = b + std::sqrt(b * b + 2 * b * loss + a * r);
  return {loss, 0, beyond, noise.exploration};
}

Terms large_a_bound(const Game& game, double loss, double norm, double a, double gamma) {
  const double square = game.largest_norm * game.largest_norm;
  const double c =
      2 * game.classes * square * norm * norm * (1 + 2 * square * game.rounds / a) / gamma;
  return {loss, 0, c / 2 + std::sqrt(c * c / 4 + c * loss), gamma * game.rounds};
}

Terms exp_concave_bound(const Game& game, double eta, double loss, double ball, double gamma) {
  const double cells = game.classes * game.features;
  const double scale = game.classes / gamma;
  const double regret =
      5 * scale * (32 / eta + 16 * game.largest_norm * 2 * ball) * cells * std::log(game.rounds);
  return {loss, 0, regret, gamma * game.rounds};
}

double claim_concavity(double eta) { return eta * (2 - eta) / 8; }
double claim_gradient(double largest_norm) { return 4 * std::sqrt(2.0) * largest_norm; }

Terms newtron_bound(const Game& game, double alpha, double ball, double loss) {
  const double c = std::pow(game.classes, 3) * game.features;
  const double reach = game.largest_norm * ball;
  const double sharp = c * std::exp(4 * alpha * reach) * std::log(game.rounds);
  const double slow = 6 * c * reach * std::pow(game.rounds, 2.0 / 3);
  return {loss, 0, std::min(sharp, slow), 0};
}

Terms banditron_bound(const Game& game, double gamma, double loss, double norm) {
  const double size = 2 * std::pow(norm * game.largest_norm, 2);  // D
  const double kd = game.classes * size / gamma;
  const double variance = 3 * std::max(kd, std::sqrt(size * gamma * game.rounds));
  return {loss, 0, variance + std::sqrt(kd * loss), gamma * game.rounds};
}

double one_vs_rest_log(const Game& game, double a) {
  const double square = game.largest_norm * game.largest_norm;
  return std::log1p(square * game.rounds / (a * game.classes * game.features));
}

Terms one_vs_rest_bound(double eta, double loss, double norm, double a, double hit_variance,
                        double slack, double quadratic) {
  return {loss, a * eta / (2 - eta) * norm * norm,
          h(eta) * (hit_variance + slack * (1 + quadratic)), 0};
}

Terms one_vs_rest_constant(const Game& game, double eta, double loss, double norm, double a,
                           double rate, double slack) {
  const double quadratic = game.classes * game.features * one_vs_rest_log(game, a);
  return one_vs_rest_bound(eta, loss, norm, a, 4 * game.classes / rate * quadratic, slack,
                           quadratic);
}

Terms one_vs_rest_confident(const Game& game, double eta, double loss, double norm, double a,
                            double scale) {
  const double k = game.classes, dl = game.features * one_vs_rest_log(game, a);
  const double regulariser = a * eta / (2 - eta) * norm * norm;
  const double least = 4 * h(eta) * k * k * dl, b = 8 / scale * h(eta) * k * std::sqrt(dl);
  const double c = loss + regulariser + least;
  return {loss, regulariser, least + b * std::sqrt(c) + b * b, 0};
}

Terms one_vs_rest_hinge(const Game& game, double loss, double norm, double longest, double a) {
  const double dl = game.features * one_vs_rest_log(game, a);
  const double regulariser = 2 * game.classes * norm * std::sqrt(a * dl);
  const double b = 2 * game.classes * longest * game.largest_norm * std::sqrt(dl);
  return {loss, regulariser, b * std::sqrt(loss + regulariser) + b * b, 0};
}

double mixture_cost(const Game& game, double squares, double rates, double unclaimed,
                    double unclaimed_quadratic) {
  constexpr double kLeastPrior = 0.005;  // of auto's members
  const double k = game.classes;
  const double first = std::min(1.0, std::sqrt(k) / 100);  // γ_1
  const double jumps = first < 1 ? 8 * k * std::log2(squares) / (1 - first) : game.rounds;
  return (1 + std::sqrt(2.0)) * std::sqrt(squares * std::log(1 / kLeastPrior)) + jumps + rates +
         2 * std::sqrt(k * unclaimed * (1 + unclaimed_quadratic));
}

}  // namespace soba::theory
