// The exact form when updates are many: A⁻¹ written out (n × n, n = kd, coordinates feature-major).
//
// Rank-one downdates wait in a block: A⁻¹ = P − V·Vᵀ, with a column of V for each waiting update; a
// full block is applied by one symmetric rank-b update, several times as fast as b rank-one
// updates. Rounding is kept from adding up by keeping A, too (an update touches (2·nnz)² of it),
// from which P and the weights are computed afresh every few n updates.
//
// vᵀA⁻¹v costs O(n·(2·nnz + b)); an update O(n²) in the blocked part.
#pragma once

#include <cstdint>
#include <vector>

#include "covariance/pair_vector.h"
#include "linalg/class_matrix.h"
#include "soba/state.h"

namespace soba {

class PrimalForm {
 public:
  // Updates that wait before they are applied together.
  static constexpr std::size_t kBlock = 32;

  // A = a·I over the coordinates of `shape`.
  PrimalForm(Shape shape, double a);

  // A += w·v·vᵀ without touching A⁻¹: to fill A before the first refresh().
  void add(const PairVector& v, double w);
  // Computes A⁻¹ from A, and the weights A⁻¹θ from that. False, with nothing changed, where a is so
  // far below the rounding of A that A has no Cholesky factor: the inverse as it stands is then the
  // best.
  bool refresh(const std::vector<double>& theta, ClassMatrix<double>& weights);

  void grow(Index features);
  double quad(const PairVector& v);
  // weights += along·A⁻¹v, then A += w·v·vᵀ. `theta` is θ after the update.
  // Requires: the call before was quad(v), of value `quad`.
  void step(const PairVector& v, double w, double quad, double along,
            const std::vector<double>& theta, ClassMatrix<double>& weights);
  // The second half of step() alone.
  void update(const PairVector& v, double w, double quad);
  void visit(Shape shape, StateVisitor& visitor);

  static double bytes(Shape shape);

 private:
  std::size_t size() const;
  void flush();

  Shape shape_;
  double a_;
  std::vector<double> matrix_;      // A, lower triangle
  std::vector<double> inverse_;     // P, both triangles
  std::vector<double> waiting_;     // V, column after column
  std::int64_t since_refresh_ = 0;  // updates
  std::vector<double> solved_;      // A⁻¹v, left by quad() for step()
};

}  // namespace soba
