// The sketched form: A ≈ ρ·I + BᵀB with a few rows B, by robust frequent directions.
//
//   L. Luo, C. Chen, Z. Zhang, W.-J. Li, T. Zhang, "Robust Frequent Directions with Application in
//   Online Learning", JMLR 2019.
//
// An update appends the row √w·v. When there are 2m rows, B is replaced by its m leading
// directions, shrunk: with the eigenvalues λ_1 ≥ λ_2 ≥ … of B·Bᵀ and its eigenvectors q_i,
//
//   b_i ← √(1 − λ_{m+1}/λ_i)·q_iᵀB for i ≤ m,   ρ ← ρ + λ_{m+1}/2   (ρ starts at a),
//
// and W is computed afresh. Between two such moments everything is exact for the A that is meant:
// with M = ρ·I + B·Bᵀ = L·Lᵀ, A⁻¹v = (v − Bᵀ·M⁻¹·B·v)/ρ, as in the dual form (dual.h).
//
// vᵀA⁻¹v costs O(m·nnz + m²), an update O(m·kd), the shrinking amortised. State: (2m + 2)·kd
// numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "covariance/covariance.h"
#include "linalg/class_matrix.h"

namespace soba {

class SketchCovariance {
 public:
  // m = `size` >= 1. `memory` bounds the bytes; the constructor and reserve() throw
  // Error{kResource} beyond it.
  SketchCovariance(Shape shape, double a, std::size_t size, double memory);

  Shape shape() const { return weights_.shape(); }
  Index reserve(const Features& x) {
    if (x.extent() > ready_) make_ready(x.extent());
    return -1;  // every step uses up some of the room
  }
  void grow(Index features);
  void scores(const Features& x, std::span<double> out) const { weights_.scores(x, out); }
  double quad_bound(const PairVector& v) const { return v.squared_norm() / rho_; }
  double quad(const PairVector& v);
  bool step(const PairVector& v, double w, double g, double inner);
  double quad_step(const PairVector& v, double w, double g, double inner);
  void limit_memory(double bytes);
  void add_classes(Label classes);
  void visit(StateVisitor& visitor);

  std::span<const double> weights() const { return weights_.cells(); }
  double rho() const { return rho_; }

  static double bytes(Shape shape, std::size_t size);

 private:
  double* row(std::size_t i) { return sketch_.data() + i * stride_; }
  const double* row(std::size_t i) const { return sketch_.data() + i * stride_; }
  const double* factor_row(std::size_t i) const { return factor_.data() + i * (i + 1) / 2; }
  // Makes the state ready for a step along an x of this extent.
  void make_ready(Index features);
  void widen(std::size_t needed);
  // b_i·v.
  double product(std::size_t i, const PairVector& v) const;
  void shrink();
  // out = Bᵀ·factors, over all kd coordinates.
  void combine_rows(std::span<const double> factors, std::vector<double>& out);
  void recompute_weights();

  std::size_t size_;  // m
  double memory_;
  double rho_;
  std::vector<double> theta_;
  ClassMatrix<double> weights_;  // W = A⁻¹θ, at all times
  std::size_t rows_ = 0;
  std::size_t stride_ = 0;      // between rows; grows ahead of the features
  std::vector<double> sketch_;  // B, 2m rows
  std::vector<double> factor_;  // L, its rows one after the other without the zeros
  // What quad() leaves for step(), and room for it.
  double quad_ = 0;
  std::vector<double> solved_;  // L⁻¹·B·v
  std::vector<double> combined_;
  std::vector<double> factors_;         // of the rows in it
  std::vector<const double*> columns_;  // the rows
  // Room for one shrink(), which gives it back.
  struct Shrinking {
    std::vector<double> gram, values, factors, work;
  };
  Shrinking shrinking_;
  Index ready_ = -1;  // the extent that a step may have; a step uses it up
};

static_assert(Covariance<SketchCovariance>);

}  // namespace soba
