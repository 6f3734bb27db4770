// The dense algebra that we leave to OpenBLAS. All matrices are square, symmetric, stored whole,
// column after column. One thread, for the same bits on every run of one machine: the first call sets
// OpenBLAS to one thread for the whole process.
#pragma once

#include <cstddef>

namespace soba::linalg {

// p −= v·vᵀ for v of n × count, both triangles.
void subtract_products(std::size_t n, const double* v, std::size_t count, double* p);

// Replaces the symmetric positive definite matrix by its inverse; only the lower triangle is read.
// False when it is not positive definite to working precision (the content is then lost).
bool invert(std::size_t n, double* matrix);

}  // namespace soba::linalg
