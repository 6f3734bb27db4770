// The exact form while updates are few. With U updates along v_1 … v_U of weight w_i, let z_i =
// √w_i·v_i and Z = (z_1 … z_U). Then
//
//   A = a·I + Z·Zᵀ,   A⁻¹v = (v − Z·M⁻¹·Zᵀv)/a,   M = a·I + ZᵀZ = L·Lᵀ   (U × U).
//
// The z_i stay sparse pairs, and L grows by a row with each update, so kd never enters: vᵀA⁻¹v
// costs O(U·nnz + U²/2), and so does an update.
#pragma once

#include <cstdint>
#include <vector>

#include "covariance/pair_vector.h"
#include "linalg/class_matrix.h"
#include "soba/state.h"

namespace soba {

class DualForm {
 public:
  explicit DualForm(double a) : a_(a) {}

  std::int64_t updates() const { return static_cast<std::int64_t>(root_weight_.size()); }
  double quad(const PairVector& v);
  // weights += along·A⁻¹v, then A += w·v·vᵀ. Requires: the call before was quad(v), of value
  // `quad`.
  void step(const PairVector& v, double w, double quad, double along, ClassMatrix<double>& weights);
  // Calls add(v_i, w_i) for each update.
  template <class Add>
  void for_each(Add&& add) const {
    for (std::size_t i = 0; i < root_weight_.size(); ++i) {
      add(pair(i), root_weight_[i] * root_weight_[i]);
    }
  }
  // Bytes held, after one more update along x.
  double bytes_after(Features x) const;
  void visit(Shape shape, StateVisitor& visitor);

 private:
  PairVector pair(std::size_t i) const;
  const double* factor_row(std::size_t i) const { return factor_.data() + i * (i + 1) / 2; }

  double a_;
  std::vector<Label> up_, down_;        // v_i = (e_up − e_down) ⊗ x_i
  std::vector<double> root_weight_;     // √w_i
  std::vector<std::int64_t> begin_{0};  // x_i = entries begin_[i] … begin_[i+1]−1
  std::vector<Index> index_;
  std::vector<double> value_;
  std::vector<double> factor_;  // L, its rows one after the other without the zeros
  // What quad() leaves for step(): L⁻¹Zᵀv, and room for x written out.
  std::vector<double> solved_;
  std::vector<double> dense_;
};

}  // namespace soba
