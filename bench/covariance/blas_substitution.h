// The contender: BLAS's triangular solves with a packed factor. Rows of a lower triangle without
// the zeros are columns of an upper one.
#pragma once

#include <cstddef>

namespace soba::bench {

void blas_solve(const double* factor, double* x, std::size_t n);
void blas_solve_transposed(const double* factor, double* x, std::size_t n);

}  // namespace soba::bench
