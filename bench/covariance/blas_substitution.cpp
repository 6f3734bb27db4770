#include "covariance/blas_substitution.h"

extern "C" void dtpsv_(const char* uplo, const char* trans, const char* diag, const int* n,
                       const double* packed, double* x, const int* apart);

namespace soba::bench {

void blas_solve(const double* factor, double* x, std::size_t n) {
  const int size = static_cast<int>(n), one = 1;
  dtpsv_("U", "T", "N", &size, factor, x, &one);
}

void blas_solve_transposed(const double* factor, double* x, std::size_t n) {
  const int size = static_cast<int>(n), one = 1;
  dtpsv_("U", "N", "N", &size, factor, x, &one);
}

}  // namespace soba::bench
