// The dense algebra that we leave to OpenBLAS. All matrices are square, symmetric, stored whole,
// column after column. One thread, for the same bits on every run of one machine: the first call
// sets OpenBLAS to one thread for the whole process.
#pragma once

#include <cstddef>

namespace soba::linalg {

// p −= v·vᵀ for v of n × count, both triangles.
void subtract_products(std::size_t n, const double* v, std::size_t count, double* p);

// Replaces the symmetric positive definite matrix by its inverse; only the lower triangle is read.
// False when it is not positive definite to working precision (the content is then lost).
bool invert(std::size_t n, double* matrix);

// Replaces the first `out` of the `in` columns, n numbers each and `stride` apart, by combinations
// of all: column c by Σ_i factors[c·in + i]·column_i. Requires: out <= in.
void combine_columns(std::size_t n, std::size_t stride, double* columns, std::size_t in,
                     std::size_t out, const double* factors);

// Replaces the symmetric matrix by its eigenvectors, one a column, and fills `values` with the
// eigenvalues in ascending order; only the lower triangle is read. All zero when there are none to
// be found, as with numbers that are not finite.
void eigenvectors(std::size_t n, double* matrix, double* values);

// Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor L; the
// upper one is neither read nor written. False when it is not positive definite to working
// precision.
bool factor(std::size_t n, double* matrix);
// x becomes (L·Lᵀ)⁻¹x, and L⁻¹x.
void solve_factored(std::size_t n, const double* factor, double* x);
void solve_lower(std::size_t n, const double* factor, double* x);

}  // namespace soba::linalg
