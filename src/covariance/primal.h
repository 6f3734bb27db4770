// The exact form when updates are many: A⁻¹ written out, without one class: the last one at first,
// and the same ever after, where classes are added behind it.
//
// Every v = (e_up − e_down) ⊗ x sums to zero over the classes, for each feature, and so do θ, W and
// every A⁻¹v. Such a vector is known from its first k − 1 classes, v', and vᵀA⁻¹v = v'ᵀA'⁻¹v' with
// A'⁻¹ = EᵀA⁻¹E, where E puts minus the sum into the place of the last class. A' is A without the
// last class: n × n with n = (k − 1)·d, coordinates feature-major. It starts at a·(I − 1·1ᵀ/k) for
// each feature, its inverse at (I + 1·1ᵀ)/a, and both follow A's updates with v' for v. A'⁻¹v' is
// A⁻¹v minus its last class: A⁻¹v follows from that. Where no update has had a part, A⁻¹v is zero;
// rounding must not make it 10⁻¹⁷, which would break ties.
//
// A new class has A = a·I beside what there is. In A' that moves a·(I − 1·1ᵀ/k) from k to k + 1 in
// the block of each feature with itself. In A'⁻¹ what was there stays; with r the class left out
// and u = A⁻¹(e_r ⊗ ·), the new class's entries are −(u_c − u_r) beside class c, and with itself
// u_r between two features, u_r + 1/a within one. As A·1 = a·1, u follows from A⁻¹(e_r − 1/k), and
// so from A'⁻¹: both are means over the block of two features. Nothing is inverted.
//
// Rank-one downdates of A'⁻¹ wait in a block: A'⁻¹ = P − V·Vᵀ, where P is what is stored and V has
// a column for each waiting update; a full block is applied to P by one symmetric rank-b update,
// several times as fast as b rank-one updates. Rounding is kept from adding up by keeping A'
// itself, too (an update touches (2·nnz)² of it), from which P and the weights are computed afresh
// every few n updates.
//
// vᵀA⁻¹v needs only the cells of P where v' is not zero: O(nnz² + b·nnz). An update needs all of
// A'⁻¹v' and costs O(n·(nnz + b)), and O(n²) in the blocked part. Where n is large, a second thread
// takes its share of the blocked part and of computing P afresh; the bits are the same without it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/team.h"
#include "covariance/pair_vector.h"
#include "linalg/blas.h"
#include "linalg/class_matrix.h"
#include "linalg/growing_square.h"
#include "soba/state.h"

namespace soba {

class PrimalForm {
 public:
  // Updates that wait before they are applied together, by n. Measured (docs/performance.md): more
  // pay off where P does not stay in the cache.
  static std::size_t block(std::size_t n) { return n < linalg::kLarge ? 48 : 96; }

  // A = a·I over the classes and features of `shape`. Benchmarks give another `block` than
  // block(n).
  PrimalForm(Shape shape, double a, std::size_t block = 0);

  // Room for `features` features, so that grow() to as many and everything after it does not throw,
  // but for refresh(); and room for that one, where the next update may call it.
  void reserve(Index features);
  void reserve_refresh();
  Index room() const { return room_; }  // the features that there is memory for; −1: not yet known

  // A += w·v·vᵀ without touching the inverse: to fill A' before the first refresh().
  void add(const PairVector& v, double w);
  // Inverts A', and computes the weights A⁻¹θ from that. False, with nothing changed, where a is so
  // far below the rounding of A that A has no Cholesky factor: the inverse as it stands is then the
  // best. Throws where neither reserve_refresh() has made room nor memory is to be had.
  bool refresh(const std::vector<double>& theta, ClassMatrix<double>& weights);

  void grow(Index features);
  // Classes that no update has touched.
  void add_classes(Label classes);
  // Back to A = a·I.
  void restart();
  double quad(const PairVector& v);
  // Whether step() and update() along v would stay within what doubles hold. Requires: the call
  // before was quad(v), of value `quad`.
  bool prepare(double w, double quad, double along);
  // weights += along·A⁻¹v, then A += w·v·vᵀ. `theta` is θ after the update. Requires: the call
  // before was prepare(), with success, for this v.
  void step(const PairVector& v, double w, double quad, double along,
            const std::vector<double>& theta, ClassMatrix<double>& weights);
  // A += w·v·vᵀ. Requires the same.
  void update(const PairVector& v, double w, double quad);
  void visit(Shape shape, StateVisitor& visitor);

  // n, and the bytes that the form holds at its peak, in refresh().
  static std::size_t size(Shape shape);
  static double bytes(Shape shape);
  // Numbers of A' and P that growing has copied.
  std::size_t moved() const { return a_matrix_.moved() + a_inverse_.moved(); }

 private:
  std::size_t size() const { return size(shape_); }
  std::size_t block() const { return given_block_ == 0 ? block(size()) : given_block_; }
  // The coordinates of v' and their values, into cell_ and cell_value_.
  void list_cells(const PairVector& v);
  // A' += w·v'·v'ᵀ for the v listed last, which is v.
  void add_listed(const PairVector& v, double w);
  // For the v listed last: ⟨v', column⟩ over its first `count` cells, and A'⁻¹v', into solved_.
  double inner_product(const double* column, std::size_t count) const;
  void solve();
  void flush();
  bool refresh_is_due() const;  // with the next update
  // weights += along·A⁻¹v, given A'⁻¹v'.
  void move(double along, const std::vector<double>& solved, ClassMatrix<double>& weights) const;

  // A team of the form's own: a copy has none yet.
  struct OwnTeam {
    OwnTeam() = default;
    OwnTeam(const OwnTeam& /*other*/) {}
    OwnTeam(OwnTeam&&) = default;
    OwnTeam& operator=(const OwnTeam&) = delete;
    OwnTeam& operator=(OwnTeam&&) = default;

    std::unique_ptr<Team> team;  // null where n is too small for one, or there is none to be had
  };
  // The place of a class in the block of a feature. Requires: label != dropped_.
  std::size_t place(Label label) const {
    return static_cast<std::size_t>(label > dropped_ ? label - 1 : label);
  }
  void add_class();

  Shape shape_;
  Label dropped_;  // the class that is left out
  double a_;
  std::size_t given_block_;
  Index room_ = -1;
  OwnTeam own_;
  std::vector<double>
      touched_;  // 1 where an update had a part, else 0; feature-major, all k classes
  linalg::GrowingSquare a_matrix_;   // A', lower triangle
  linalg::GrowingSquare a_inverse_;  // P = A'⁻¹ + V·Vᵀ, both triangles
  std::vector<double> waiting_;      // V, column after column
  std::int64_t since_refresh_ = 0;   // updates
  // Room for one v: the coordinates and values of v', Vᵀv' and A'⁻¹v'.
  std::vector<std::size_t> cell_;
  std::vector<double> cell_value_;
  std::vector<double> waiting_product_;
  std::vector<double> solved_;
  // The columns that A'⁻¹v' is a combination of, and their factors.
  std::vector<const double*> column_;
  std::vector<double> factor_;
  // Room for one refresh(), which gives it back: A' to be inverted, and what invert() wants.
  std::vector<double> fresh_;
  std::vector<double> panels_;
};

}  // namespace soba
