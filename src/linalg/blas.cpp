#include "linalg/blas.h"

#include <algorithm>
#include <cassert>
#include <limits>

// Fortran's interface of BLAS and LAPACK, and OpenBLAS's own for threads.
extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void openblas_set_num_threads(int count);
}

namespace soba::linalg {

namespace {

int checked(std::size_t n) {
  assert(n <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(n);
}

void use_one_thread() {
  static const bool once = (openblas_set_num_threads(1), true);
  static_cast<void>(once);
}

// Copies the lower triangle onto the upper one. Tiles stay in the cache; four columns at a time are
// read from, so that each line of the upper triangle is written in whole pieces.
void mirror_lower(std::size_t n, double* p) {
  constexpr std::size_t kTile = 32;
  for (std::size_t j0 = 0; j0 < n; j0 += kTile) {
    const std::size_t j1 = std::min(n, j0 + kTile);
    for (std::size_t i0 = j0; i0 < n; i0 += kTile) {
      for (std::size_t i = i0; i < std::min(n, i0 + kTile); ++i) {
        double* row = p + i * n;
        const double* from = p + i;
        std::size_t j = j0;
        const std::size_t end = std::min(j1, i);
        for (; j + 4 <= end; j += 4) {
          const double a = from[j * n], b = from[(j + 1) * n];
          const double c = from[(j + 2) * n], d = from[(j + 3) * n];
          row[j] = a;
          row[j + 1] = b;
          row[j + 2] = c;
          row[j + 3] = d;
        }
        for (; j < end; ++j) row[j] = from[j * n];
      }
    }
  }
}

}  // namespace

void subtract_products(std::size_t n, const double* v, std::size_t count, double* p) {
  if (n == 0 || count == 0) return;
  use_one_thread();
  const int size = checked(n), inner = checked(count);
  const double minus = -1, keep = 1;
  dsyrk_("L", "N", &size, &inner, &minus, v, &size, &keep, p, &size);
  mirror_lower(n, p);
}

bool invert(std::size_t n, double* matrix) {
  if (n == 0) return true;
  use_one_thread();
  const int size = checked(n);
  int info = 0;
  dpotrf_("L", &size, matrix, &size, &info);
  if (info == 0) dpotri_("L", &size, matrix, &size, &info);
  if (info != 0) return false;
  mirror_lower(n, matrix);
  return true;
}

}  // namespace soba::linalg
