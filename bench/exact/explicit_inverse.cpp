#include "exact/explicit_inverse.h"

#include <chrono>

#include "linalg/class_matrix.h"
#include "soba/explore.h"
#include "soba/rng.h"

namespace soba::bench {

namespace {

class ExplicitInverse {
 public:
  explicit ExplicitInverse(Shape shape)
      : k_(static_cast<std::size_t>(shape.classes)),
        n_(k_ * static_cast<std::size_t>(shape.features)),
        inverse_(n_ * n_),
        u_(n_),
        weights_(shape),
        scores_(k_) {
    for (std::size_t j = 0; j < n_; ++j) inverse_[j * n_ + j] = 1;
  }

  // One round; true where the label was played.
  bool round(const Features& x, Label truth, double gamma, double uniform) {
    weights_.scores(x, scores_);
    const Label greedy = argmax(scores_);
    const Draw drawn = draw(UniformMix{gamma}, scores_, greedy, uniform);
    if (drawn.label != truth) return false;
    const Label rival = argmax_except(scores_, truth);
    const double delta =
        scores_[static_cast<std::size_t>(truth)] - scores_[static_cast<std::size_t>(rival)];
    const double p = drawn.probability;
    const double q = solve(x, rival, truth) / p;
    const double m = delta * (delta - 2) / (p * (1 + q));
    if (budget_ + m < 0) return true;
    budget_ += m;
    ++updates_;
    const double step = (1 - delta) / (p * (1 + q));
    for (std::size_t j = 0; j < n_; ++j) weights_[j] -= step * u_[j];
    for (std::size_t j = 0; j < n_; ++j) {
      const double factor = u_[j] / (p * (1 + q));
      double* column = inverse_.data() + j * n_;
      for (std::size_t i = 0; i < n_; ++i) column[i] -= factor * u_[i];
    }
    return true;
  }

  std::int64_t updates() const { return updates_; }

 private:
  // u = A⁻¹v for v = (e_up − e_down) ⊗ x; returns vᵀu.
  double solve(const Features& x, Label up, Label down) {
    const auto cell = [&](std::size_t i, Label c) {
      return static_cast<std::size_t>(x.feature(i)) * k_ + static_cast<std::size_t>(c);
    };
    std::fill(u_.begin(), u_.end(), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double* plus = inverse_.data() + cell(i, up) * n_;
      const double* minus = inverse_.data() + cell(i, down) * n_;
      for (std::size_t j = 0; j < n_; ++j) u_[j] += x.value[i] * (plus[j] - minus[j]);
    }
    double quad = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      quad += x.value[i] * (u_[cell(i, up)] - u_[cell(i, down)]);
    }
    return quad;
  }

  std::size_t k_, n_;
  std::vector<double> inverse_, u_;
  ClassMatrix<double> weights_;
  std::vector<double> scores_;
  double budget_ = 0;
  std::int64_t updates_ = 0;
};

}  // namespace

Contender explicit_inverse(double gamma) {
  return {"explicit inverse", [=](const DataSet& data) {
            ExplicitInverse learner(data.shape);
            const Rng rng(1, Purpose::kExploration);
            Outcome outcome;
            std::uint64_t round = 0;
            const auto start = std::chrono::steady_clock::now();
            for (const Block& block : data.blocks) {
              for (std::size_t i = 0; i < block.size(); ++i) {
                outcome.mistakes +=
                    !learner.round(block.features(i), block.label[i], gamma, rng.uniform(++round));
              }
            }
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            outcome.seconds = time.count();
            outcome.updates = learner.updates();
            return outcome;
          }};
}

}  // namespace soba::bench
