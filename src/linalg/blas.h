// The dense algebra that we leave to OpenBLAS. All matrices are square, symmetric, stored whole,
// column after column. Every call of BLAS runs in one thread, for the same bits on every run of one
// machine: the first call sets OpenBLAS to one thread for the whole process. Large matrices are
// taken in panels of a fixed width, which a team may share: the calls of BLAS, and with them the
// bits, are the same with a team and without.
#pragma once

#include <cstddef>
#include <span>

#include "core/team.h"

namespace soba::linalg {

// From this size on a matrix is taken in panels, and a team is of use.
inline constexpr std::size_t kLarge = 1024;
inline constexpr std::size_t kPanel = 256;

// p −= v·vᵀ for v of n × count, both triangles. Columns of p begin `stride` apart.
void subtract_products(std::size_t n, const double* v, std::size_t count, double* p,
                       std::size_t stride, Team* team = nullptr);

// Replaces the symmetric positive definite matrix by its inverse; only the lower triangle is read.
// False when it is not positive definite to working precision (the content is then lost). `room`
// is for invert_room(n) numbers; without it there is an allocation, which may throw.
bool invert(std::size_t n, double* matrix, std::span<double> room, Team* team = nullptr);
bool invert(std::size_t n, double* matrix, Team* team = nullptr);
constexpr std::size_t invert_room(std::size_t n) { return n < kLarge ? 0 : n * kPanel; }

// Replaces the first `out` of the `in` columns, n numbers each and `stride` apart, by combinations
// of all: column c by Σ_i factors[c·in + i]·column_i. Requires: out <= in, and combine_room(out)
// numbers in `room`.
void combine_columns(std::size_t n, std::size_t stride, double* columns, std::size_t in,
                     std::size_t out, const double* factors, std::span<double> room);
constexpr std::size_t combine_room(std::size_t out) { return 1024 * out; }

// Replaces the symmetric matrix by its eigenvectors, one a column, and fills `values` with the
// eigenvalues in ascending order; only the lower triangle is read. All zero when there are none to
// be found, as with numbers that are not finite. Requires: eigenvector_room(n) numbers in `room`.
void eigenvectors(std::size_t n, double* matrix, double* values, std::span<double> room);
constexpr std::size_t eigenvector_room(std::size_t n) { return 34 * n; }

// Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor L; the
// upper one is neither read nor written. False when it is not positive definite to working
// precision.
bool factor(std::size_t n, double* matrix);
// x becomes (L·Lᵀ)⁻¹x, and L⁻¹x.
void solve_factored(std::size_t n, const double* factor, double* x);
void solve_lower(std::size_t n, const double* factor, double* x);

}  // namespace soba::linalg
