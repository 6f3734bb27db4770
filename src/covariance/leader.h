// The leader of a sum of quadratics: W = argmin ½WᵀAW − cᵀW over the ball ‖W‖_F <= D, where A
// starts at a·I and c at 0.
//
//   shape(), grow(d)         k classes, the features known so far; d features at least
//   reserve(x)               all the memory that grow(x.extent()) and add(x, …) may need, so that
//                            they do not throw; throws where there is none, or where the form would
//                            outgrow what it is allowed. Changes nothing else; returns what
//                            Predictor::reserve() does
//   scores(x, out)           W_i·x, a number for each class
//   add(x, f, w, slope)      with δ = f ⊗ x, adds slope·⟨δ, W⟩ + w/2·⟨δ, W − now⟩², a quadratic
//                            about the W of now: A += w·δδᵀ, c += (w·⟨δ, now⟩ − slope)·δ. Then W
//                            moves to the new leader. False, and as if nothing had been added,
//                            where A has no Cholesky factor. Requires: a number in f for each
//                            class, x.extent() <= features
//   recenter()               c = A·W: the sum becomes one whose leader without the ball is W itself
//   limit_memory(b)          from now on b bytes at most; throws Error{kUsage} where more are held
//   add_classes(k)           k classes; the new ones have a on their diagonal, and nothing else.
//                            Throws as reserve() does, and is then of no use: learners call it on a
//                            copy
//   visit(visitor)           every field
//
// Adding alone is follow-the-approximate-leader; adding and recentering is the online Newton step
// (both Hazan, Agarwal, Kale, "Logarithmic Regret Algorithms for Online Convex Optimization",
// Machine Learning 69, 2007): since (A + λI)W = c, what recenter() takes away is λW, what the ball
// has cut off. While W is inside, the two are the same.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linalg/ball_projection.h"
#include "linalg/class_matrix.h"
#include "linalg/growing_square.h"
#include "soba/state.h"
#include "soba/types.h"

namespace soba {

// A written out, n × n for n = kd: O(nnz² + n³) for an addition. State: n² + 2n numbers.
class FullLeader {
 public:
  // `memory` bounds the bytes of A and its factor; the constructor and reserve() throw
  // Error{kResource} beyond it.
  FullLeader(Shape shape, double a, double radius, double memory);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > room_) reserve_features(x.extent());
    return room_;
  }
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const { weights_.scores(x, out); }
  bool add(const Features& x, std::span<const double> factor, double w, double slope);
  void recenter();
  void limit_memory(double bytes);
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  std::size_t moved() const { return matrix_.moved(); }  // numbers of A that growing has copied

 private:
  double bytes(Index features) const;
  [[noreturn]] void refuse(Index features) const;  // for want of memory
  void reserve_features(Index features);
  // A += w·δδᵀ and c += push·δ for the δ listed last.
  void add_listed(double w, double push);

  double a_, radius_, memory_;
  Index room_ = -1;               // features that there is memory for; −1: not yet known
  double lambda_ = 0;             // of the last projection: where the next one starts
  linalg::GrowingSquare matrix_;  // cells in the order of the weights
  std::vector<double> c_;
  ClassMatrix<double> weights_;
  // Room to work in: the projection, and δ's cells that are not 0.
  linalg::DenseProjection projection_;
  std::vector<std::size_t> place_;
  std::vector<double> delta_;
};

// A as its diagonal, with ⟨δ, W − now⟩² replaced by Σ δ_j²·(W − now)_j²: O(kd) for an addition.
// State: 3kd numbers.
class DiagonalLeader {
 public:
  DiagonalLeader(Shape shape, double a, double radius);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > shape().features) reserve_features(x.extent());
    return std::max(x.extent(), shape().features);
  }
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const { weights_.scores(x, out); }
  bool add(const Features& x, std::span<const double> factor, double w, double slope);
  void recenter();
  void limit_memory(double /*bytes*/) {}  // takes what the weights take
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

 private:
  void reserve_features(Index features);

  double a_, radius_;
  double lambda_ = 0;  // of the last projection
  std::vector<double> diagonal_, c_;
  ClassMatrix<double> weights_;
};

}  // namespace soba
