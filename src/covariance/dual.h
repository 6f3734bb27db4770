// The exact form while updates are few. With U updates along v_1 … v_U of weight w_i, let z_i =
// √w_i·v_i and Z = (z_1 … z_U). Then
//
//   A = a·I + Z·Zᵀ,   A⁻¹v = (v − Z·M⁻¹·Zᵀv)/a,   M = a·I + ZᵀZ = L·Lᵀ   (U × U).
//
// The z_i stay sparse pairs, and L grows by a row with each update, so kd never enters: vᵀA⁻¹v
// costs U²/2 multiply-adds and at most one for each stored number, and so does an update.
//
// L's rows lie packed one after the other, and both substitutions walk them by our own kernels,
// which are as fast as BLAS's dtpsv or faster, and which give the same bits on every CPU, as it
// does not (docs/performance.md).
#pragma once

#include <cstdint>
#include <vector>

#include "covariance/pair_vector.h"
#include "covariance/stored_pairs.h"
#include "linalg/class_matrix.h"
#include "soba/state.h"

namespace soba {

class DualForm {
 public:
  using Size = StoredPairs::Size;

  explicit DualForm(double a) : a_(a) {}

  std::int64_t updates() const { return static_cast<std::int64_t>(pairs_.size()); }
  // Room for quad() of a v of this size, and for step() along one as well: neither throws then.
  void reserve_quad(const Size& x);
  void reserve(const Size& x);
  double quad(const PairVector& v);
  // weights += along·A⁻¹v, then A += w·v·vᵀ. Requires: the call before was quad(v), of value
  // `quad`. False, with nothing changed, where the numbers are too large for it.
  bool step(const PairVector& v, double w, double quad, double along, ClassMatrix<double>& weights);
  // Calls add(v_i, w_i) for each update.
  template <class Add>
  void for_each(Add&& add) const {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      add(pairs_.pair(i), pairs_.root_weight(i) * pairs_.root_weight(i));
    }
  }
  // Bytes held, after one more update along x.
  double bytes_after(const Size& x) const;
  // Nothing that is kept depends on the number of classes. Of a copy, as with_classes() makes one.
  void add_classes(Label /*classes*/) { pairs_.forget_room(); }
  void visit(Shape shape, StateVisitor& visitor);

 private:
  const double* factor_row(std::size_t i) const { return factor_.data() + i * (i + 1) / 2; }

  double a_;
  StoredPairs pairs_;           // Z
  std::vector<double> factor_;  // L, its rows one after the other without the zeros
  std::vector<double> solved_;  // what quad() leaves for step(): L⁻¹Zᵀv
};

}  // namespace soba
