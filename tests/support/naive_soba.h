// Algorithm 1 with nothing clever: A and θ as the paper writes them, solved from scratch in every
// round. The oracle that every form of SOBA is run against.
#pragma once

#include <Eigen/Dense>

#include "soba/explore.h"
#include "soba/types.h"

namespace soba::testing {

class NaiveSoba {
 public:
  // `diagonal` keeps only the diagonal of A and rounds W and the scores to float, as SOBAdiag does.
  NaiveSoba(Shape shape, double a, bool diagonal)
      : shape_(shape), diagonal_(diagonal), matrix_(size(), size()), theta_(size()) {
    matrix_ = a * Eigen::MatrixXd::Identity(size(), size());
    theta_.setZero();
  }

  // Row-major vec(): class after class, as in the paper.
  Eigen::VectorXd weights() const {
    if (diagonal_) return theta_.array() / matrix_.diagonal().array();
    return matrix_.ldlt().solve(theta_);
  }

  std::vector<double> scores(const Features& x) const {
    const Eigen::VectorXd w = weights();
    std::vector<double> out;
    for (Label c = 0; c < shape_.classes; ++c) {
      double sum = 0;
      float float_sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double weight = w[cell(c, x.feature(i))];
        sum += weight * x.value[i];
        float_sum += static_cast<float>(weight) * static_cast<float>(x.value[i]);
      }
      out.push_back(diagonal_ ? static_cast<double>(float_sum) : sum);
    }
    return out;
  }

  struct Step {
    bool updated = false;
    double m = 0, q = 0;
    Eigen::VectorXd g, z;
  };
  // Lines 8–20, given that `y` was played with probability p and was right.
  Step learn(const Features& x, Label y, double p) {
    const std::vector<double> s = scores(x);
    const Label rival = argmax_except(s, y);
    Step step;
    step.g = Eigen::VectorXd::Zero(size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      step.g[cell(rival, x.feature(i))] += x.value[i] / p;
      step.g[cell(y, x.feature(i))] -= x.value[i] / p;
    }
    step.z = std::sqrt(p) * step.g;
    step.q = diagonal_ ? (step.z.array().square() / matrix_.diagonal().array()).sum()
                       : step.z.dot(matrix_.ldlt().solve(step.z));
    // ⟨W,v⟩ from the scores, which is where SOBAdiag's rounding to float shows.
    const double inner = s[static_cast<std::size_t>(rival)] - s[static_cast<std::size_t>(y)];
    step.m = (inner * inner / p + 2 * inner / p) / (1 + step.q);
    step.updated = margin_sum_ + step.m >= 0;
    if (step.updated) {
      margin_sum_ += step.m;
      if (diagonal_) {
        matrix_.diagonal().array() += step.z.array().square();
      } else {
        matrix_ += step.z * step.z.transpose();
      }
      theta_ -= step.g;
    }
    return step;
  }

  double margin_sum() const { return margin_sum_; }
  const Eigen::MatrixXd& matrix() const { return matrix_; }
  const Eigen::VectorXd& theta() const { return theta_; }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(shape_.classes) * shape_.features; }
  Eigen::Index cell(Label c, Index j) const {
    return static_cast<Eigen::Index>(c) * shape_.features + j;
  }

  Shape shape_;
  bool diagonal_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd theta_;
  double margin_sum_ = 0;
};

}  // namespace soba::testing
